import type { PublicSeverity } from '../level.ts'
import { toInstant, toLocalTime } from '../time/zoned-days.ts'
import type { ChannelRoute, QuietHours } from './channel.ts'

const minuteMs = 60_000
const dayMinutes = 1_440
const dayMs = dayMinutes * minuteMs

type Held = {
  /** When the last message of the route to the channel was sent. */
  readonly lastAt: number | undefined
  readonly severity: PublicSeverity | undefined
  readonly timezone: string
}

/**
 * When a notice of now is sent: at once, or at the end of what collects it, which is a digest, the pause after the message
 * before, and quiet hours.
 */
export function scheduleNotice(
  { quietHours, throttleMinutes, digestMinutes }: Pick<ChannelRoute, 'quietHours' | 'throttleMinutes' | 'digestMinutes'>,
  now: number, { lastAt, severity, timezone }: Held,
): number {
  const afterPause = lastAt === undefined ? now : lastAt + throttleMinutes * minuteMs
  const at = Math.max(now + digestMinutes * minuteMs, throttleMinutes === 0 ? now : afterPause)
  if (quietHours === undefined || (severity !== undefined && quietHours.exceptSeverities.includes(severity))) return at
  return findQuietEnd(quietHours, at, timezone) ?? at
}

/** The end of the quiet hours that an instant is in; undefined outside of them. */
function findQuietEnd({ from, to, days }: QuietHours, at: number, timezone: string): number | undefined {
  const local = toLocalTime(at, timezone)
  const midnight = Math.floor(local / dayMs) * dayMs
  const minute = Math.floor((local - midnight) / minuteMs)
  // Monday is 1; the day before the first is the seventh.
  const weekday = ((new Date(midnight).getUTCDay() + 6) % 7) + 1
  const dayBefore = weekday === 1 ? 7 : weekday - 1
  const endsAt = (dayOffset: number): number => toInstant(midnight + dayOffset * dayMs + to * minuteMs, timezone)
  if (from < to) return days.includes(weekday) && minute >= from && minute < to ? endsAt(0) : undefined
  if (minute >= from && days.includes(weekday)) return endsAt(1)
  return minute < to && days.includes(dayBefore) ? endsAt(0) : undefined
}
