import type { Scalar } from '../../event/value.ts'
import { numberOf } from './number.ts'

/** An instant as a value states it. */
export type WrittenTime = {
  /** The full minute on the clock that was written, as a date whose UTC parts are those parts. */
  readonly minute: Date
  /** What the value states beyond the minute, in whole milliseconds. */
  readonly restMs: number
  /** How far that clock is ahead of UTC. */
  readonly zoneMs: number
}

/**
 * Year, month, day, optionally a time of day with a fraction, optionally a zone: ISO 8601 and
 * `YYYY-MM-DD HH:MM:SS.fff` as Windows writes it.
 */
const written =
  /^\s*(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|z|[+-]\d{2}:?\d{2})?\s*$/

/** From here on a number counts milliseconds: as seconds it would lie beyond the year 5100. */
const millisecondsMin = 1e11
/** What a date can hold: 100 million days to each side of 1970. */
const millisecondsMax = 8.64e15
const minuteMs = 60_000

/**
 * Reads the time that a value states: a text with a date, or a number, also as digits in a text, that counts
 * seconds or milliseconds since 1970. Undefined where it states none (D-25).
 */
export function readTime(value: Scalar): WrittenTime | undefined {
  const epoch = numberOf(value)
  if (!Number.isNaN(epoch)) return epochTime(epoch)
  const match = typeof value === 'string' && value.length <= 64 ? written.exec(value) : null
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((part) => Number(part ?? 0))
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute))
  // `Date.UTC` carries a 30 February over into March, and takes the years 0 to 99 as 19xx.
  const isRealDay = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (hour > 23 || minute > 59 || second > 60 || !isRealDay) return undefined
  const fractionMs = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  return { minute: date, restMs: second * 1000 + fractionMs, zoneMs: zoneMsOf(match[8]) }
}

/**
 * The instant that a value states, in whole milliseconds since 1970; a text without a zone is UTC.
 * Undefined where it states none.
 */
export function instantOf(value: Scalar): number | undefined {
  const time = readTime(value)
  return time === undefined ? undefined : time.minute.getTime() + time.restMs - time.zoneMs
}

function epochTime(epoch: number): WrittenTime | undefined {
  // Seconds with a fraction are rounded to microseconds first: 1.001 * 1000 is a little less than 1001.
  const milliseconds = Math.floor(Math.abs(epoch) >= millisecondsMin ? epoch : Math.round(epoch * 1e6) / 1e3)
  if (!(Math.abs(milliseconds) <= millisecondsMax)) return undefined
  const minuteAt = Math.floor(milliseconds / minuteMs) * minuteMs
  return { minute: new Date(minuteAt), restMs: milliseconds - minuteAt, zoneMs: 0 }
}

function zoneMsOf(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return (zone.startsWith('-') ? -minutes : minutes) * minuteMs
}
