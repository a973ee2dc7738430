/** Parts of timestamps of the reference evaluator, in local time without zone conversion. */

import { numberOf } from './reference-event.ts'

export const timeParts = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const

export type TimePart = (typeof timeParts)[number]

/** Chooses the unit of an epoch timestamp by its magnitude: seconds, milli-, micro- or nanoseconds. */
function powersIn(count: number): number {
  return [1e11, 1e14, 1e17, 1e20].filter((bound) => Math.abs(count) >= bound).length
}

/** Reads a part of a timestamp; undefined when the value is not one. */
export function readTimePart(value: unknown, part: TimePart): number | undefined {
  const written = parseTime(value)
  if (written === undefined) return undefined
  switch (part) {
    case 'minute': return written.getUTCMinutes()
    case 'hour': return written.getUTCHours()
    case 'day': return written.getUTCDate()
    case 'week': return getIsoWeek(written)
    case 'month': return written.getUTCMonth() + 1
    case 'year': return written.getUTCFullYear()
  }
}

/** Parses the local time of a text as if it were in UTC. */
function parseTime(value: unknown): Date | undefined {
  const number = numberOf(value)
  if (number !== undefined) return parseEpochTime(number)
  if (typeof value !== 'string') return undefined
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?([.]\d+)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(value)
  if (match === null) return undefined
  const date = new Date(`${match[1]}T${match[2] ?? '00:00'}${match[3] ?? ':00'}Z`)
  // `2024-02-30` is not a day, although Date reads it as the first of March.
  return Number.isNaN(date.getTime()) || !date.toISOString().startsWith(match[1] ?? '') ? undefined : date
}

function parseEpochTime(count: number): Date | undefined {
  const date = new Date(count * [1_000, 1, 1e-3, 1e-6, Number.NaN][powersIn(count)]!)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** A week belongs to the year of its Thursday, and the year's first Thursday is in week 1 (ISO 8601). */
function getIsoWeek(date: Date): number {
  const dayLength = 86_400_000
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * dayLength)
  const dayOfYear = Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / dayLength)
  return Math.floor(dayOfYear / 7) + 1
}
