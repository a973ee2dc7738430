const dayMs = 86_400_000

/** The instant at which the day of an instant began in a time zone. */
export function getDayStart(at: number, timezone: string): number {
  const localMidnight = Math.floor((at + getOffset(at, timezone)) / dayMs) * dayMs
  return toInstant(localMidnight, timezone)
}

/** The instant at which its week began: on Monday. */
export function getWeekStart(at: number, timezone: string): number {
  const localMidnight = Math.floor((at + getOffset(at, timezone)) / dayMs) * dayMs
  const daysSinceMonday = (new Date(localMidnight).getUTCDay() + 6) % 7
  return toInstant(localMidnight - daysSinceMonday * dayMs, timezone)
}

/** The local time of an instant, written as if it were UTC. */
export function toLocalTime(at: number, timezone: string): number {
  return at + getOffset(at, timezone)
}

/**
 * The instant of a local time, which is written as if it were UTC. A second step corrects for a change of clocks between. A
 * time that the clocks skip is as long after the change as it would be after the time before it.
 */
export function toInstant(local: number, timezone: string): number {
  const guess = local - getOffset(local, timezone)
  const instant = local - getOffset(guess, timezone)
  return toLocalTime(instant, timezone) === local ? instant : Math.max(guess, instant)
}

/** How far local time is ahead of UTC, in milliseconds. */
function getOffset(at: number, timezone: string): number {
  if (timezone === 'UTC') return 0
  const parts = getFormat(timezone).formatToParts(at)
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = ['year', 'month', 'day', 'hour', 'minute', 'second']
    .map((type) => Number(parts.find((part) => part.type === type)?.value ?? 0))
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000
}

function getFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric',
  })
}
