import type { NormalizedEvent } from './event.ts'
import type { FieldTable } from './field-table.ts'
import { collectLeafTexts } from './leaves.ts'
import { foldText } from './value-view.ts'
import { lookUp, toTexts } from './value.ts'
import type { FieldText, FieldValue } from './value.ts'

/** Selection vector: row numbers of a batch, ascending. Only the first `count` are valid when a count is passed along. */
export type Rows = Uint32Array

const noVariants: ReadonlyMap<string, string> = new Map()

/**
 * Columnar batch with late materialization: events that are matched together, field by field. Each field is read at
 * most once per row, and only for the rows that a matcher reads.
 */
export class Batch {
  readonly events: readonly NormalizedEvent[]
  readonly #fields: FieldTable
  readonly #columns: (Column | undefined)[] = []
  readonly #spareRows: Rows[] = []
  readonly #variants: (ReadonlyMap<string, string> | undefined)[] = []
  #leaves: Column | undefined

  constructor(events: readonly NormalizedEvent[], fields: FieldTable) {
    this.events = events
    this.#fields = fields
  }

  column(slot: number): Column {
    return (this.#columns[slot] ??= new FieldColumn(this, this.#fields.getName(slot)))
  }

  /**
   * Finds the key of an event that equals a field name except for case; the first in code unit order if there are
   * several. Undefined when there is none, or when names of the event are case-sensitive.
   */
  findKeyVariant(row: number, name: string): string | undefined {
    const variants = (this.#variants[row] ??= this.#findKeyVariants(this.events[row]))
    return variants.get(name)
  }

  #findKeyVariants(event: NormalizedEvent | undefined): ReadonlyMap<string, string> {
    if (event === undefined || !event.ignoresNameCase) return noVariants
    let variants: Map<string, string> | undefined
    for (const key of Object.keys(event.fields)) {
      for (const name of this.#fields.findVariants(key)) {
        const other = variants?.get(name)
        if (other === undefined || key < other) (variants ??= new Map()).set(name, key)
      }
    }
    return variants ?? noVariants
  }

  /** The column of all leaf values of each event, which keywords search. */
  get leaves(): Column {
    return (this.#leaves ??= new LeafColumn(this.events))
  }

  /** Borrows a scratch selection vector of the batch size; return it with `release`. */
  borrow(): Rows {
    return this.#spareRows.pop() ?? new Uint32Array(this.events.length)
  }

  release(rows: Rows): void {
    this.#spareRows.push(rows)
  }
}

/** One field of all events of a batch. */
export abstract class Column {
  readonly #values: FieldValue[]
  readonly #texts: (FieldText | undefined)[]
  readonly #folded: (FieldText | undefined)[]
  readonly #isRead: Uint8Array

  constructor(rowCount: number) {
    this.#values = Array<FieldValue>(rowCount).fill(undefined)
    this.#texts = Array<FieldText | undefined>(rowCount).fill(undefined)
    this.#folded = Array<FieldText | undefined>(rowCount).fill(undefined)
    this.#isRead = new Uint8Array(rowCount)
  }

  protected abstract read(row: number): FieldValue

  value(row: number): FieldValue {
    if (this.#isRead[row] === 1) return this.#values[row]
    this.#isRead[row] = 1
    return (this.#values[row] = this.read(row))
  }

  /** The value as text. */
  text(row: number): FieldText {
    const cached = this.#texts[row]
    return cached === undefined ? (this.#texts[row] = toTexts(this.value(row))) : cached
  }

  /** The value as case-folded text. */
  folded(row: number): FieldText {
    const cached = this.#folded[row]
    if (cached !== undefined) return cached
    return (this.#folded[row] = foldText(this.text(row)))
  }
}

class FieldColumn extends Column {
  readonly #batch: Batch
  readonly #name: string

  constructor(batch: Batch, name: string) {
    super(batch.events.length)
    this.#batch = batch
    this.#name = name
  }

  /** Looks the field up by its name, then by its aliases, then without regard to case. */
  protected override read(row: number): FieldValue {
    const event = this.#batch.events[row]
    if (event === undefined) return undefined
    const own = lookUp(event.fields, this.#name)
    if (own !== undefined) return own
    for (const alias of event.aliases.get(this.#name) ?? []) {
      const value = lookUp(event.fields, alias)
      if (value !== undefined) return value
    }
    const variant = this.#batch.findKeyVariant(row, this.#name)
    return variant === undefined ? undefined : lookUp(event.fields, variant)
  }
}

class LeafColumn extends Column {
  readonly #events: readonly NormalizedEvent[]

  constructor(events: readonly NormalizedEvent[]) {
    super(events.length)
    this.#events = events
  }

  protected override read(row: number): FieldValue {
    const event = this.#events[row]
    return event === undefined ? [] : collectLeafTexts(event.fields)
  }
}
