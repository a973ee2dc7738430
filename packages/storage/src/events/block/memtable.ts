import { readEvent } from '@tripline/engine/evaluate'
import type { ReadEvent } from '@tripline/engine/evaluate'
import type { EventArrival } from '@tripline/formats/event/event-arrival'
import { limits } from '../../limits.ts'
import { getAliasRules } from './alias-rules.ts'
import type { Block, BlockBounds, BlockColumn, NumberRange, BlockReader } from './block.ts'
import type { Path, EventTemplate } from './event-template.ts'
import { toOpaqueEvent, toTemplatedEvent } from './event-templates.ts'
import type { TemplatedEvent } from './event-templates.ts'
import { ValueSearch } from './value-search.ts'

/** A row to append: what the log holds of an event. */
export type EventRow = {
  readonly occurredAt: number
  readonly sequence: number
  /** Index of `eventSeverities`. */
  readonly severity: number
  readonly bytes: Buffer
  readonly arrival: EventArrival | undefined
}

/** The rows of one template, by column. */
export type MemtableRows = {
  readonly template: EventTemplate
  readonly times: number[]
  readonly sequences: number[]
  readonly severities: number[]
  readonly arrivals: (EventArrival | undefined)[]
  /** For each column of the template, the code of each row. */
  readonly codes: readonly number[][]
  /** For each column of the template, the shared column of the block. */
  readonly columns: readonly MemtableColumn[]
}

/** The distinct values of a path. */
export type MemtableColumn = {
  readonly pathKey: string
  readonly path: Path | undefined
  readonly tokens: string[]
  readonly codes: Map<string, number>
  readonly search: ValueSearch
}

/** The range is not tracked while rows are added. */
const unknownRange: NumberRange = [-Infinity, Infinity]

/**
 * A memtable: the open block of a tenant and day that takes new rows, in memory; the write-ahead log holds its events
 * until it is written to a segment.
 */
export class Memtable implements Block {
  readonly #rows = new Map<EventTemplate, MemtableRows>()
  readonly #columns = new Map<string, MemtableColumn>()
  #bounds: BlockBounds = { rowCount: 0, oldestAt: Infinity, newestAt: -Infinity, firstSequence: Infinity, lastSequence: -1 }
  #byteCount = 0
  readonly #rowsMax: number

  constructor(rowsMax: number) {
    this.#rowsMax = rowsMax
  }

  get bounds(): BlockBounds {
    return this.#bounds
  }

  get byteCount(): number {
    return this.#byteCount
  }

  get isFull(): boolean {
    return this.#bounds.rowCount >= this.#rowsMax || this.#byteCount >= limits.events.blockBytesMax
  }

  get rows(): readonly MemtableRows[] {
    return [...this.#rows.values()]
  }

  get columns(): ReadonlyMap<string, MemtableColumn> {
    return this.#columns
  }

  /** Adds an event; rows arrive in sequence order. */
  add({ occurredAt, sequence, severity, bytes, arrival }: EventRow): void {
    const { template, tokens } = this.#fitTemplate(bytes.toString('latin1'), readEvent(bytes.toString('utf8')))
    const rows = this.#rows.get(template) ?? this.#addTemplate(template)
    rows.times.push(occurredAt)
    rows.sequences.push(sequence)
    rows.severities.push(severity)
    rows.arrivals.push(arrival)
    for (let slot = 0; slot < tokens.length; slot++) rows.codes[slot]!.push(getCode(rows.columns[slot]!, tokens[slot]!))
    const { rowCount, oldestAt, newestAt, firstSequence } = this.#bounds
    this.#bounds = {
      rowCount: rowCount + 1,
      oldestAt: Math.min(oldestAt, occurredAt),
      newestAt: Math.max(newestAt, occurredAt),
      firstSequence: Math.min(firstSequence, sequence),
      lastSequence: sequence,
    }
    this.#byteCount += bytes.length
  }

  /** An open block has no filter. */
  async filter(): Promise<undefined> {}

  async textFilter(): Promise<undefined> {}

  async frameFilters(): Promise<undefined> {}

  get isCacheable(): boolean {
    return false
  }

  /** A snapshot; rows added later are left out. */
  async open(): Promise<BlockReader> {
    let start = 0
    const snapshot = this.rows.map((rows) => {
      const count = rows.times.length
      start += count
      return { rows, template: rows.template, start: start - count, count }
    })
    const all = (numbersOf: (rows: MemtableRows) => readonly number[]) => async () => {
      const numbers = new Float64Array(start)
      for (const { rows, start: at, count } of snapshot) {
        const source = numbersOf(rows)
        for (let i = 0; i < count; i++) numbers[at + i] = source[i]!
      }
      return numbers
    }
    const column = (pathKey: string): BlockColumn | undefined => {
      const found = this.#columns.get(pathKey)
      return found && {
        kind: 'dictionary',
        range: unknownRange,
        byteCount: 0,
        dictionary: async () => {
          const size = found.tokens.length
          return { size, token: (code) => found.tokens[code]!, findCodes: (texts) => found.search.findCodes(texts, size), missing: [] }
        },
        codes: async () => (shapeIndex) => {
          const { rows, template } = snapshot[shapeIndex]!
          return rows.codes[template.getSlot(pathKey)]!
        },
      }
    }
    return {
      rowCount: start,
      templates: snapshot,
      times: all(({ times }) => times),
      sequences: all(({ sequences }) => sequences),
      severities: all(({ severities }) => severities),
      arrivals: async () => (row) => {
        const rows = snapshot.find(({ start: at, count }) => row < at + count)
        return rows?.rows.arrivals[row - rows.start]
      },
      column,
      findColumns: async () => undefined,
      filter: () => this.filter(),
      textFilter: () => this.textFilter(),
    }
  }

  /** Events that would exceed the templates or columns of a block are stored whole. */
  #fitTemplate(text: string, { event, isOwnObject }: ReadEvent): TemplatedEvent {
    const shaped = toTemplatedEvent(text, event, isOwnObject)
    if (this.#rows.has(shaped.template)) return shaped
    const hasRoom =
      this.#rows.size < limits.events.blockShapesMax
      && this.#columns.size + shaped.tokens.length <= limits.events.blockColumnsMax
    return hasRoom ? shaped : toOpaqueEvent(text, getAliasRules(event))
  }

  #addTemplate(template: EventTemplate): MemtableRows {
    const columns = template.paths.map((path, slot) => this.#getColumn(template.pathKeys[slot]!, path))
    const rows = { template, times: [], sequences: [], severities: [], arrivals: [], codes: columns.map(() => []), columns }
    this.#rows.set(template, rows)
    return rows
  }

  #getColumn(pathKey: string, path: Path | undefined): MemtableColumn {
    const known = this.#columns.get(pathKey)
    if (known !== undefined) return known
    const tokens: string[] = []
    const column = { pathKey, path, tokens, codes: new Map<string, number>(), search: new ValueSearch(tokens) }
    this.#columns.set(pathKey, column)
    return column
  }
}

/** Longer tokens are a large part of their event, and copying costs more than it frees. */
const copiedLengthMax = 256

function getCode(column: MemtableColumn, token: string): number {
  const known = column.codes.get(token)
  if (known !== undefined) return known
  const code = column.tokens.length
  // A slice would keep the whole text of its event alive.
  const own = token.length > copiedLengthMax ? token : Buffer.from(token, 'latin1').toString('latin1')
  column.tokens.push(own)
  column.codes.set(own, code)
  return code
}
