import type { Batch } from '../event/batch.ts'
import type { Matcher } from '../predicate/matcher.ts'
import type { RuleCounters } from './rule-counters.ts'

/** A rule held on an event of a batch; both by number. */
export type Hit = { readonly row: number; readonly number: number }

/** The rows of a batch on which rules are undecided, to be asked of their matchers rule by rule. */
export class UndecidedRows {
  readonly #rows = new Map<number, number[]>()

  /** Rows of one rule are added in ascending order. */
  add(number: number, row: number): void {
    const rows = this.#rows.get(number)
    if (rows === undefined) this.#rows.set(number, [row])
    else rows.push(row)
  }

  /** Adds the rows where rules hold to the hits, and what was asked to the tally. */
  evaluate(batch: Batch, matcherOf: (number: number) => Matcher, hits: Hit[], tally: RuleCounters): void {
    const { asked, matcherTimer } = tally
    for (const [number, rows] of this.#rows) {
      const kept = Uint32Array.from(rows)
      const matcher = matcherOf(number)
      const startedAt = matcherTimer?.start(number) ?? Number.NaN
      const count = matcher(batch, kept, kept.length, kept)
      matcherTimer?.stop(number, startedAt)
      asked[number]! += kept.length
      for (let i = 0; i < count; i++) hits.push({ row: kept[i]!, number })
    }
  }
}
