import type { Batch } from '../event/batch.ts'
import type { Matcher } from '../predicate/matcher.ts'

/** A rule held on an event of a batch; both by number. */
export type Hit = { readonly row: number; readonly number: number }

/** The rows of a batch on which rules are undecided, to be asked of their matchers rule by rule. */
export class Doubts {
  readonly #rows = new Map<number, number[]>()

  /** Rows of one rule are added in ascending order. */
  add(number: number, row: number): void {
    const rows = this.#rows.get(number)
    if (rows === undefined) this.#rows.set(number, [row])
    else rows.push(row)
  }

  /** Adds the rows where rules hold to the hits. */
  settle(batch: Batch, matcherOf: (number: number) => Matcher, hits: Hit[]): void {
    for (const [number, rows] of this.#rows) {
      const kept = Uint32Array.from(rows)
      const count = matcherOf(number)(batch, kept, kept.length, kept)
      for (let i = 0; i < count; i++) hits.push({ row: kept[i]!, number })
    }
  }
}
