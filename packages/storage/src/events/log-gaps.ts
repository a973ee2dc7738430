import type { Corruption } from '../log/corruption.ts'
import type { LogRecord } from './log-record.ts'

/** Sequences of a tenant that no record holds, where bytes of the log are corrupted. */
export type LogGap = {
  readonly tenant: string
  readonly first: number
  readonly last: number
  readonly corruption: Corruption
  /** The offset of the last accepted event before them, -1 where there is none, and of the first one behind them. */
  readonly after: number
  readonly before: number
  /** When the first event behind them was accepted. */
  readonly receivedBefore: number | undefined
}

/** What is known of a tenant's rows, up to the last record. */
type TenantRows = {
  /** The sequence that the next row should have. */
  next: number
  /** The next sequence by the head of a file, which may run ahead of rows that were on their way when the file began. */
  announced: number
  /** The offset of the last accepted event. */
  mark: number
  /** How many corruptions had been found at the last row. */
  corruptionCount: number
}

/**
 * Finds the events that corrupted bytes of the log held: the rows of a tenant are numbered without a gap, but for appends that
 * failed, after which nothing is corrupted.
 */
export class LogGaps {
  readonly #tenants = new Map<string, TenantRows>()
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
      const known = this.#tenants.get(tenant)
      if (known !== undefined) known.announced = record.next
      else this.#tenants.set(tenant, { next: record.next, announced: 0, mark: record.mark ?? -1, corruptionCount: this.#count })
      return undefined
    }
    if (record.kind !== 'events') return undefined
    const [head] = record.rows
    const tail = record.rows.at(-1)
    if (head === undefined || tail === undefined) return undefined
    const rows = this.#tenants.get(tenant) ?? { next: 0, announced: 0, mark: -1, corruptionCount: 0 }
    const gap = this.#findGap(tenant, rows, head.sequence)
    rows.corruptionCount = this.#count
    const { mark: after } = rows
    rows.next = Math.max(rows.next, tail.sequence + 1)
    rows.mark = Math.max(after, record.mark ?? tail.arrival?.offset ?? -1)
    this.#tenants.set(tenant, rows)
    return gap && { ...gap, after, before: head.arrival?.offset ?? after, receivedBefore: head.arrival?.receivedAt }
  }

  /** What is missing behind the last row of each tenant, as far as the head of a later file tells. */
  finish(): readonly LogGap[] {
    return [...this.#tenants].flatMap(([tenant, rows]) => {
      const gap = this.#findGap(tenant, rows, rows.announced)
      return gap === undefined ? [] : [{ ...gap, after: rows.mark, before: Infinity, receivedBefore: undefined }]
    })
  }

  #findGap(tenant: string, { next: first, corruptionCount }: TenantRows, end: number) {
    if (this.#last === undefined || this.#count === corruptionCount || end <= first) return undefined
    return { tenant, first, last: end - 1, corruption: this.#last }
  }
}
