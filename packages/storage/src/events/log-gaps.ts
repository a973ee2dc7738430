import type { Corruption } from '../log/corruption.ts'
import type { LogRecord } from './log-record.ts'

/** Sequences of a tenant that no record holds, where bytes of the log are corrupted. */
export type LogGap = { readonly tenant: string; readonly first: number; readonly last: number; readonly corruption: Corruption }

/**
 * Finds the events that corrupted bytes of the log held: the rows of a tenant are numbered without a gap, but for appends that
 * failed, after which nothing is corrupted.
 */
export class LogGaps {
  /** The sequence that the next row of each tenant should have. */
  readonly #next = new Map<string, number>()
  /** How many corruptions had been found at the last row of each tenant. */
  readonly #seen = new Map<string, number>()
  #last: Corruption | undefined
  #count = 0

  addCorruption(corruption: Corruption): void {
    this.#last = corruption
    this.#count++
  }

  /** Takes the next record; returns what is missing before it. */
  addRecord(record: LogRecord): LogGap | undefined {
    const { tenant } = record
    if (record.kind === 'sequence') {
      // A later one may run ahead of rows that were on their way when its file began.
      if (!this.#next.has(tenant)) this.#next.set(tenant, record.next)
      return undefined
    }
    if (record.kind !== 'events') return undefined
    const first = record.rows[0]?.sequence
    const last = record.rows.at(-1)?.sequence
    if (first === undefined || last === undefined) return undefined
    const expected = this.#next.get(tenant) ?? 0
    const isAfterCorruption = this.#count > (this.#seen.get(tenant) ?? 0)
    this.#seen.set(tenant, this.#count)
    this.#next.set(tenant, Math.max(expected, last + 1))
    if (!isAfterCorruption || this.#last === undefined || first <= expected) return undefined
    return { tenant, first: expected, last: first - 1, corruption: this.#last }
  }
}
