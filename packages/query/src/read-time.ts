import { parseInstant } from '@tripline/engine/predicate'

/** The period of a time: a day, a minute, a second or a millisecond; half-open. */
type TimeSpan = { readonly startAt: number; readonly endAt: number }

const isoTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?<second>:\d{2}(?<fraction>[.,]\d{1,9})?)?)?(?:Z|[+-]\d{2}:?\d{2})?$/i
/** `now`, or a time before or after it, cut to a unit if it ends in one: `now-7d/d`. */
const relativeTime = /^now(?:(?<sign>[+-])(?<count>\d{1,6})(?<unit>[smhdw]))?(?:\/(?<cut>[smhd]))?$/i

const unitsMs: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** Whether a time depends on when it is asked for. */
export function isRelativeTime(text: string): boolean {
  return relativeTime.test(text)
}

const dayLength = '2000-01-01'.length

/**
 * Parses an ISO 8601 date with optional time and zone (without a zone it is UTC), or a time relative to `now`. Undefined for
 * other texts.
 */
export function readTimeSpan(text: string, now: number): TimeSpan | undefined {
  const relative = relativeTime.exec(text)
  if (relative !== null) return resolveRelative(relative.groups ?? {}, now)
  const match = isoTime.exec(text)
  const startAt = match === null ? undefined : parseInstant(text)
  if (match === null || startAt === undefined) return undefined
  return { startAt, endAt: startAt + getLengthMs(text, match.groups ?? {}) }
}

function resolveRelative({ sign, count, unit, cut }: { readonly [group: string]: string | undefined }, now: number): TimeSpan {
  const distanceMs = unit === undefined ? 0 : Number(count) * unitsMs[unit.toLowerCase()]!
  const at = sign === '-' ? now - distanceMs : now + distanceMs
  if (cut === undefined) return { startAt: at, endAt: at + 1 }
  const lengthMs = unitsMs[cut.toLowerCase()]!
  const startAt = Math.floor(at / lengthMs) * lengthMs
  return { startAt, endAt: startAt + lengthMs }
}

function getLengthMs(text: string, { second, fraction }: { readonly [group: string]: string | undefined }): number {
  if (fraction !== undefined) return 1
  if (second !== undefined) return 1_000
  return /[T ]/i.test(text.charAt(dayLength)) ? 60_000 : 86_400_000
}
