import { parseNumber } from './parse-number.ts'
import { parseUtcTime } from './parse-utc-time.ts'
import type { Scalar } from './value.ts'

/** A point in time with its zone. */
type ZonedTime = {
  /** The local time in whole minutes, as milliseconds since the epoch in UTC. */
  readonly minuteAt: number
  /** Milliseconds after the minute; a leap second belongs to its minute. */
  readonly restMs: number
  /** The offset from UTC; 0 when the value has no zone. */
  readonly zoneMs: number
}

/**
 * Year, month, day, optionally a time of day with a fraction, optionally a zone: ISO 8601 and
 * `YYYY-MM-DD HH:MM:SS.fff` as Windows writes it.
 */
const timePattern =
  /^\s*(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|z|[+-]\d{2}:?\d{2})?\s*$/

/** Characters of the longest text to parse as a time. */
const textLengthMax = 64

/**
 * The units of epoch timestamps by magnitude: seconds, milli-, micro- and nanoseconds. Read as seconds, numbers above
 * the first bound would lie after the year 5100; the other bounds follow by factors of 1000.
 */
const epochScales = [
  { below: 1e11, perMs: 1 / 1_000 },
  { below: 1e14, perMs: 1 },
  { below: 1e17, perMs: 1_000 },
  { below: 1e20, perMs: 1_000_000 },
]

/** The range of a JavaScript date: 100 million days before and after 1970. */
const millisecondsMax = 8.64e15
const minuteMs = 60_000

/**
 * Parses a point in time: ISO 8601, the format of Windows, or a number or digits since the epoch in seconds, milli-,
 * micro- or nanoseconds, distinguished by magnitude. Undefined for anything else.
 */
export function parseTime(value: Scalar): ZonedTime | undefined {
  const epoch = parseNumber(value)
  if (!Number.isNaN(epoch)) return parseEpochTime(epoch)
  const match = typeof value === 'string' && value.length <= textLengthMax ? timePattern.exec(value) : null
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((part) => Number(part ?? 0))
  const fractionMs = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute))
  // `Date.UTC` accepts a 30 February as a day in March, and reads the years 0 to 99 as 19xx.
  const isRealDay = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!isRealDay || hour > 23 || minute > 59 || second > 60) return undefined
  return { minuteAt: date.getTime(), restMs: second * 1_000 + fractionMs, zoneMs: parseZone(match[8]) }
}

/** Parses a point in time to milliseconds since the epoch; a value without a zone is in UTC. */
export function parseInstant(value: Scalar): number | undefined {
  const plain = typeof value === 'string' ? parseUtcTime(value) : undefined
  if (plain !== undefined) return plain
  const time = parseTime(value)
  return time === undefined ? undefined : time.minuteAt + time.restMs - time.zoneMs
}

/** A fraction of a second beyond milliseconds, at the end of a time or before its zone. */
const beyondMs = /:\d{2}[.,]\d{3}(\d{1,6})\s*(?:Z|z|[+-]\d{2}:?\d{2})?\s*$/

/** Digits of a count of nanoseconds or microseconds since the epoch, which a number may not hold exactly. */
const epochDigits = /^\s*(\d{16}|\d{19})\s*$/

/** What a time states beyond its whole milliseconds, in nanoseconds: 0 to 999,999. */
export function parseNanos(value: Scalar): number {
  if (typeof value === 'number') {
    if (value >= 1e17) return Math.floor(value % 1e6)
    if (value >= 1e14) return Math.floor(value % 1e3) * 1_000
    return value < 1e11 ? (Math.round(value * 1e6) % 1e3) * 1_000 : Math.floor((value % 1) * 1e6)
  }
  if (typeof value !== 'string' || value.length < 16 || value.length > textLengthMax) return 0
  // Most times end with whole milliseconds: `2026-01-05T08:00:00.123Z`.
  if (value.length === 24 && value.endsWith('Z')) return 0
  const beyond = beyondMs.exec(value)?.[1]
  if (beyond !== undefined) return Number(beyond.padEnd(6, '0'))
  const digits = epochDigits.exec(value)?.[1]
  if (digits !== undefined) return Number(digits.length === 19 ? digits.slice(13) : `${digits.slice(13)}000`)
  const epoch = parseNumber(value)
  return Number.isNaN(epoch) ? 0 : parseNanos(epoch)
}

function parseEpochTime(epoch: number): ZonedTime | undefined {
  const scale = epochScales.find(({ below }) => Math.abs(epoch) < below)
  if (scale === undefined) return undefined
  // Seconds with a fraction are rounded to microseconds first: 1.001 * 1000 is a little less than 1001.
  const milliseconds = Math.floor(scale.perMs < 1 ? Math.round(epoch * 1e6) / 1e3 : epoch / scale.perMs)
  if (Math.abs(milliseconds) > millisecondsMax) return undefined
  const minuteAt = Math.floor(milliseconds / minuteMs) * minuteMs
  return { minuteAt, restMs: milliseconds - minuteAt, zoneMs: 0 }
}

function parseZone(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0
  const sign = zone.startsWith('-') ? -1 : 1
  return sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))) * minuteMs
}
