import type { NormalizedEvent } from './event.ts'
import type { FieldTable } from './field-table.ts'
import { foldCase } from './fold.ts'
import { leafTexts } from './leaves.ts'
import { lookUp, textsOf } from './value.ts'
import type { FieldText, FieldValue } from './value.ts'

/** Numbers of rows of a batch, ascending. Only the first `count` are meant, wherever a count stands beside them. */
export type Rows = Uint32Array

/**
 * Events that are matched together, by column. Everything is looked up once per row and field, and only
 * for the rows that some matcher asks for: what no rule reads is never touched.
 */
export class Batch {
  readonly events: readonly NormalizedEvent[]
  readonly #fields: FieldTable
  readonly #columns: (Column | undefined)[] = []
  readonly #spareRows: Rows[] = []
  #leaves: Column | undefined

  constructor(events: readonly NormalizedEvent[], fields: FieldTable) {
    this.events = events
    this.#fields = fields
  }

  column(slot: number): Column {
    return (this.#columns[slot] ??= new FieldColumn(this.events, this.#fields.nameOf(slot)))
  }

  /** A column whose texts are those of all leaves of each event. */
  get leaves(): Column {
    return (this.#leaves ??= new LeafColumn(this.events))
  }

  /** Lends scratch rows as long as the batch; give them back with `release`. */
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
  readonly #isKnown: Uint8Array

  constructor(rowCount: number) {
    this.#values = Array.from<FieldValue>({ length: rowCount })
    this.#texts = Array.from<FieldText | undefined>({ length: rowCount })
    this.#folded = Array.from<FieldText | undefined>({ length: rowCount })
    this.#isKnown = new Uint8Array(rowCount)
  }

  protected abstract read(row: number): FieldValue

  value(row: number): FieldValue {
    if (this.#isKnown[row] === 1) return this.#values[row]
    this.#isKnown[row] = 1
    return (this.#values[row] = this.read(row))
  }

  /** The value as text, as it stands. */
  text(row: number): FieldText {
    const known = this.#texts[row]
    return known === undefined ? (this.#texts[row] = textsOf(this.value(row))) : known
  }

  /** The value as text, case folded. */
  folded(row: number): FieldText {
    const known = this.#folded[row]
    if (known !== undefined) return known
    const text = this.text(row)
    return (this.#folded[row] = text === null ? null : typeof text === 'string' ? foldCase(text) : text.map(foldCase))
  }
}

class FieldColumn extends Column {
  readonly #events: readonly NormalizedEvent[]
  readonly #name: string
  readonly #foldedName: string

  constructor(events: readonly NormalizedEvent[], name: string) {
    super(events.length)
    this.#events = events
    this.#name = name
    this.#foldedName = foldCase(name)
  }

  /** Looks the field up under its own name, then under its other names, then without regard to case. */
  protected override read(row: number): FieldValue {
    const event = this.#events[row]
    if (event === undefined) return undefined
    const own = lookUp(event.fields, this.#name)
    if (own !== undefined) return own
    for (const alias of event.aliases.get(this.#name) ?? []) {
      const value = lookUp(event.fields, alias)
      if (value !== undefined) return value
    }
    return event.ignoresNameCase ? lookUpFolded(event, this.#foldedName) : undefined
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
    return event === undefined ? [] : leafTexts(event.fields)
  }
}

/** The keys of an event by their folded names, made when a name is missed for the first time. */
const foldedKeys = new WeakMap<NormalizedEvent, ReadonlyMap<string, string>>()

function lookUpFolded(event: NormalizedEvent, foldedName: string): FieldValue {
  let keys = foldedKeys.get(event)
  if (keys === undefined) {
    keys = new Map(Object.keys(event.fields).map((key) => [foldCase(key), key]))
    foldedKeys.set(event, keys)
  }
  const key = keys.get(foldedName)
  return key === undefined ? undefined : lookUp(event.fields, key)
}
