import { DatabaseSync } from 'node:sqlite'
import type { EventObject } from '@tripline/engine'
import { Batch, FieldTable, compilePredicate, normalizeEvent } from '@tripline/engine/predicate'
import type { Predicate } from '@tripline/engine/predicate'
import { sqlite, toStoredField, toSql } from '../src/sql-index.ts'
import type { SqlTable, TableField } from '../src/sql-index.ts'
import { toStoredText } from '../src/sql/stored-field.ts'

const columnNames = ['', '#numbers', '#instants', '#present', '#null']

/** Events in a table of SQLite whose columns are what `toStoredField` makes of some fields, and all of their texts. */
export class SqliteEvents {
  readonly table: SqlTable
  readonly #fieldNames: readonly string[]
  readonly #database = new DatabaseSync(':memory:')
  #events: readonly EventObject[] = []

  constructor(fieldNames: readonly string[]) {
    this.#fieldNames = fieldNames
    // Numbered, because SQLite does not tell `Message` from `message`.
    const bases = fieldNames.map((name, i) => `${i} ${name}`)
    this.table = {
      fields: new Map(fieldNames.map((name, i) => [name, columnsOf(`${i} ${name}`)])),
      leaves: { name: ' leaves', isList: true },
    }
    const columns = ['id', ...bases.flatMap((name) => columnNames.map((column) => name + column)), ' leaves']
    this.#database.exec(`CREATE TABLE events (${columns.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ')})`)
  }

  /** Puts these events in the place of those that are there. */
  fill(events: readonly EventObject[]): void {
    this.#events = events
    const fields = new FieldTable()
    const slots = this.#fieldNames.map((name) => fields.assignSlot(name))
    const batch = new Batch(events.map((event) => normalizeEvent(event, 'none')), fields)
    this.#database.exec('DELETE FROM events')
    const insert = this.#database.prepare(`INSERT INTO events VALUES (${Array(slots.length * 5 + 2).fill('?').join(', ')})`)
    for (const row of events.keys()) {
      const stored = slots.map((slot) => toStoredField(batch.column(slot).value(row)))
      const leaves = batch.leaves.text(row)
      insert.run(
        row,
        ...stored.flatMap(({ texts, numbers, instants, isPresent, isNull }) =>
          [JSON.stringify(texts), listOf(numbers), listOf(instants), Number(isPresent), Number(isNull)]),
        JSON.stringify((Array.isArray(leaves) ? leaves : []).map(toStoredText)),
      )
    }
  }

  /** The rows that a predicate finds: by SQL alone, and when what SQL left over was asked of them. */
  search(predicate: Predicate): { readonly bySql: readonly number[]; readonly found: readonly number[]; readonly isWhole: boolean } {
    const { text, parameters, residual } = toSql(predicate, sqlite, this.table)
    const rows = this.#database.prepare(`SELECT id FROM events WHERE ${text} ORDER BY id`).all(...parameters)
    const bySql = rows.map(({ id }) => Number(id))
    return { bySql, found: rowsOf(residual, this.#events).filter((row) => bySql.includes(row)), isWhole: residual.kind === 'constant' }
  }
}

/** The rows that a predicate's closures find. */
export function rowsOf(predicate: Predicate, events: readonly EventObject[]): readonly number[] {
  const fields = new FieldTable()
  const matcher = compilePredicate(predicate, fields)
  const rows = Uint32Array.from(events.keys())
  const count = matcher(new Batch(events.map((event) => normalizeEvent(event, 'none')), fields), rows, rows.length, rows)
  return [...rows.subarray(0, count)]
}

function columnsOf(name: string): TableField {
  return {
    texts: { name, isList: true },
    numbers: { name: `${name}#numbers`, isList: true },
    instants: { name: `${name}#instants`, isList: true },
    isPresent: `${name}#present`,
    isNull: `${name}#null`,
  }
}

/** JSON has no infinite numbers; SQLite reads one that is too large as one. */
function listOf(numbers: readonly number[]): string {
  return `[${numbers.map((number) => (Number.isFinite(number) ? String(number) : number < 0 ? '-9e999' : '9e999')).join(',')}]`
}
