import type { Scalar } from '../../event/value.ts'
import type { TimePart, TimePartTest } from '../predicate.ts'
import { comparison, numberOf } from './number.ts'

/**
 * Year, month, day, optionally a time of day with a fraction, optionally a zone: ISO 8601 and
 * `YYYY-MM-DD HH:MM:SS.fff` as Windows writes it.
 */
const written =
  /^\s*(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?)?\s*(?:Z|z|[+-]\d{2}:?\d{2})?\s*$/

/** From here on a number counts milliseconds: as seconds it would lie beyond the year 5100. */
const millisecondsMin = 1e11
/** What a date can hold: 100 million days to each side of 1970. */
const millisecondsMax = 8.64e15
const dayMs = 86_400_000

/**
 * Compares one part of the instant that a value states with a number (D-25). A text is read in the zone
 * it is written in, without conversion; numbers, also as digits in a text, are epoch seconds or
 * milliseconds in UTC. Weeks are those of ISO 8601. A value that states no instant never passes.
 */
export function compileTimePart(test: TimePartTest): (value: Scalar) => boolean {
  const holds = comparison(test.operator)
  return (value) => {
    const wallClock = wallClockOf(value)
    return wallClock !== undefined && holds(partOf(wallClock, test.part), test.value)
  }
}

/** The instant as a date whose UTC parts are the parts as written. */
function wallClockOf(value: Scalar): Date | undefined {
  const epoch = numberOf(value)
  if (!Number.isNaN(epoch)) {
    const milliseconds = Math.abs(epoch) >= millisecondsMin ? epoch : epoch * 1000
    return Math.abs(milliseconds) <= millisecondsMax ? new Date(milliseconds) : undefined
  }
  const match = typeof value === 'string' && value.length <= 64 ? written.exec(value) : null
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map((part) => Number(part ?? 0))
  const isInRange = hour <= 23 && minute <= 59 && second <= 60
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute))
  // `Date.UTC` carries a 30 February over into March, and takes the years 0 to 99 as 19xx.
  const isRealDay = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isInRange && isRealDay ? date : undefined
}

function partOf(date: Date, part: TimePart): number {
  switch (part) {
    case 'minute':
      return date.getUTCMinutes()
    case 'hour':
      return date.getUTCHours()
    case 'day':
      return date.getUTCDate()
    case 'week':
      return isoWeekOf(date)
    case 'month':
      return date.getUTCMonth() + 1
    case 'year':
      return date.getUTCFullYear()
  }
}

/** ISO 8601: a week belongs to the year of its Thursday. */
function isoWeekOf(date: Date): number {
  const weekday = (date.getUTCDay() + 6) % 7
  const thursday = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 3 - weekday))
  const yearStart = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  return 1 + Math.floor((thursday.getTime() - yearStart) / (7 * dayMs))
}
