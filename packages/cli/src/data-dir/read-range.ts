import { parseTimespan } from '@tripline/engine'
import { parseInstant } from '@tripline/engine/predicate'
import { usageError } from '../framework/command-error.ts'

/** A part of the past: from `from` on, before `to`, in milliseconds since the epoch. */
export type TimeRange = { readonly from: number; readonly to: number }

/** Options for a part of the past. */
export const rangeOptions = {
  from: {
    kind: 'text', value: '<time>',
    help: 'Start of the range: 2026-11-20, 2026-11-20T08:00:00Z, or an age such as 24h or 7d. Default: the oldest event.',
  },
  to: { kind: 'text', value: '<time>', help: 'End of the range, exclusive, in the same forms. Default: the newest event.' },
} as const

/**
 * Reads the options of `rangeOptions`; the default is the range of all events.
 *
 * @throws ExitError (2) for an invalid time, or a range that ends before it begins.
 */
export function readRange(
  options: { readonly from: string | undefined; readonly to: string | undefined }, { whole, now }: { whole: TimeRange; now: number },
): TimeRange {
  const statedTo = options.to === undefined ? undefined : readTime('--to', options.to, now)
  const from = options.from === undefined ? Math.min(whole.from, (statedTo ?? Infinity) - 1) : readTime('--from', options.from, now)
  const to = statedTo ?? Math.max(whole.to, from + 1)
  if (from < to) return { from, to }
  throw usageError(`option '--from' is ${new Date(from).toISOString()}, which is not before '--to', ${new Date(to).toISOString()}`)
}

function readTime(option: string, text: string, now: number): number {
  const ago = parseTimespan(text)
  if (ago !== undefined) return now - ago
  const instant = parseInstant(text)
  if (instant !== undefined) return instant
  throw usageError(`option '${option}' is '${text}'; it takes a time such as 2026-11-20T08:00:00Z, or an age such as 24h`)
}
