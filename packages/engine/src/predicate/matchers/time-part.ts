import { parseTime } from '../../event/parse-time.ts'
import type { Scalar } from '../../event/value.ts'
import type { TimePart, TimePartTest } from '../predicate.ts'
import { getComparator } from './number.ts'

const dayMs = 86_400_000

/**
 * Compares one part of a value's timestamp with a number. A text keeps its own time zone, without conversion; numbers,
 * also as digits in a text, are seconds or milliseconds since the epoch in UTC. Weeks are those of ISO 8601. A value
 * without a timestamp never passes.
 */
export function compileTimePart(test: TimePartTest): (value: Scalar) => boolean {
  const holds = getComparator(test.operator)
  return (value) => {
    const time = parseTime(value)
    return time !== undefined && holds(getTimePart(new Date(time.minuteAt), test.part), test.value)
  }
}

function getTimePart(date: Date, part: TimePart): number {
  switch (part) {
    case 'minute':
      return date.getUTCMinutes()
    case 'hour':
      return date.getUTCHours()
    case 'day':
      return date.getUTCDate()
    case 'week':
      return getIsoWeek(date)
    case 'month':
      return date.getUTCMonth() + 1
    case 'year':
      return date.getUTCFullYear()
  }
}

/** ISO 8601: a week belongs to the year of its Thursday. */
function getIsoWeek(date: Date): number {
  const weekday = (date.getUTCDay() + 6) % 7
  const thursday = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 3 - weekday))
  const yearStart = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  return 1 + Math.floor((thursday.getTime() - yearStart) / (7 * dayMs))
}
