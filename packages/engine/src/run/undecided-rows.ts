import type { Batch } from '../event/batch.ts'
import type { Matcher } from '../predicate/matcher.ts'
import type { RuleCounters } from './rule-counters.ts'

/** A match of a rule, by number, on a row of a batch. */
export type Hit = { readonly row: number; readonly number: number }

/** The rows of a batch that atoms leave undecided, grouped by rule, for the rules' matchers. */
export class UndecidedRows {
  readonly #rows = new Map<number, number[]>()

  /** Adds a row; the rows of a rule come in ascending order. */
  add(number: number, row: number): void {
    const rows = this.#rows.get(number)
    if (rows === undefined) this.#rows.set(number, [row])
    else rows.push(row)
  }

  /** Runs the matchers on their rows, adds the matches to `hits` and updates the counters. */
  evaluate(batch: Batch, getMatcher: (number: number) => Matcher, hits: Hit[], counters: RuleCounters): void {
    const { asked, matcherTimer } = counters
    for (const [number, rows] of this.#rows) {
      const matchingRows = Uint32Array.from(rows)
      const matcher = getMatcher(number)
      const startedAt = matcherTimer?.start(number) ?? Number.NaN
      const count = matcher(batch, matchingRows, matchingRows.length, matchingRows)
      matcherTimer?.stop(number, startedAt)
      asked[number]! += matchingRows.length
      for (let i = 0; i < count; i++) hits.push({ row: matchingRows[i]!, number })
    }
  }
}
