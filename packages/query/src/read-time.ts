import { parseInstant } from '@tripline/engine/predicate'

/** The period of a time: a day, a minute, a second or a millisecond; half-open. */
type TimeSpan = { readonly startAt: number; readonly endAt: number }

const isoTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?<second>:\d{2}(?<fraction>[.,]\d{1,9})?)?)?(?:Z|[+-]\d{2}:?\d{2})?$/i
const dayLength = '2000-01-01'.length

/**
 * Parses an ISO 8601 date with optional time and zone; without a zone it is UTC. Undefined for other texts.
 */
export function readTimeSpan(text: string): TimeSpan | undefined {
  const match = isoTime.exec(text)
  const startAt = match === null ? undefined : parseInstant(text)
  if (match === null || startAt === undefined) return undefined
  return { startAt, endAt: startAt + getLengthMs(text, match.groups ?? {}) }
}

function getLengthMs(text: string, { second, fraction }: { readonly [group: string]: string | undefined }): number {
  if (fraction !== undefined) return 1
  if (second !== undefined) return 1_000
  return /[T ]/i.test(text.charAt(dayLength)) ? 60_000 : 86_400_000
}
