import type { Severity } from './badge.tsx'

/** A bar: what happened from `at` on, for the length of a bar, by the keys of its series. */
export type Bar = { readonly at: number; readonly count: number; readonly parts: { readonly [key: string]: number } }

/** A part of each bar; those of values have their colours by number, `rest` is what has none of them. */
export type Series = { readonly key: Severity | `value${number}` | 'rest'; readonly label: string }
