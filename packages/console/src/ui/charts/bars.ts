import type { Severity } from '../badge.tsx'

/** A bar: what happened from `at` on, for the length of a bar, by the keys of its series. */
export type Bar = { readonly at: number; readonly count: number; readonly parts: { readonly [key: string]: number } }

/** A part of each bar; those of values have their colours by number, `rest` is what has none of them. */
export type Series = { readonly key: Severity | `value${number}` | 'rest'; readonly label: string }

/** The histogram of an answer of the API as bars. */
export function toBars(histogram: readonly {
  readonly time: string
  readonly count: number
  readonly breakdown: { readonly [part: string]: number }
}[]): readonly Bar[] {
  return histogram.map(({ time, count, breakdown }) => {
    return { at: Date.parse(time), count, parts: breakdown }
  })
}
