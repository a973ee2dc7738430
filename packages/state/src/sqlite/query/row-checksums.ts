import { crc32 } from 'node:zlib'
import type { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import type {
  Kysely, KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs, QueryResult, RootOperationNode, UnknownRow,
} from 'kysely'
import { StoreError } from '../../ports/store-error.ts'
import type { Tables } from '../rows/tables.ts'

// Each row has a checksum of its other columns, in the column `row_checksum`. Triggers of the connection write it, so no
// statement can forget it; rows that decide something are checked when they are read, all others by `verify`.

/** The corrupted rows that reads met: their number, by table. */
export class DamagedRows {
  readonly #seen = new Set<string>()
  readonly #counts = new Map<string, number>()
  readonly #onDamage: (table: string) => void

  constructor(onDamage: (table: string) => void = () => {}) {
    this.#onDamage = onDamage
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts
  }

  add(table: string, row: object): void {
    const key = `${table} ${JSON.stringify(Object.values(row).map(toText))}`
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    this.#counts.set(table, (this.#counts.get(table) ?? 0) + 1)
    this.#onDamage(table)
  }
}

/** The checksum of a row that was read, and where to report it. */
const checksums = new WeakMap<object, { readonly checksum: unknown; readonly damaged: DamagedRows }>()

/** Takes the checksums out of rows that are read, and remembers them for `requireIntact`. */
export class RowChecksumPlugin implements KyselyPlugin {
  readonly #damaged: DamagedRows

  constructor(damaged: DamagedRows) {
    this.#damaged = damaged
  }

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const [first] = result.rows
    if (first === undefined || !('rowChecksum' in first)) return result
    const rows = result.rows.map(({ rowChecksum: checksum, ...row }) => {
      checksums.set(row, { checksum, damaged: this.#damaged })
      return row
    })
    return { ...result, rows }
  }
}

/** @throws StoreError CORRUPTED_ROW for a row, read with all of its columns, that differs from its checksum. */
export function requireIntact<Row extends object>(table: keyof Tables, row: Row | undefined): Row | undefined {
  if (row === undefined || isIntact(table, row)) return row
  const message = `a row of the table ${table} is corrupted; restore state.db from a backup, or remove the row`
  throw new StoreError('CORRUPTED_ROW', message, { details: { damaged: true } })
}

/** The rows that match their checksums; the others are reported. */
export function takeIntact<Row extends object>(table: keyof Tables, rows: readonly Row[]): readonly Row[] {
  return rows.filter((row) => isIntact(table, row))
}

function isIntact(table: string, row: object): boolean {
  const known = checksums.get(row)
  if (known === undefined || known.checksum === computeRowChecksum(Object.values(row))) return true
  known.damaged.add(table, row)
  return false
}

/** The checksum of the values of a row, in the order of its columns. */
function computeRowChecksum(values: readonly unknown[]): number {
  return crc32(JSON.stringify(values.map(toText)))
}

/** Bytes by their own checksum. */
function toText(value: unknown): unknown {
  return value instanceof Uint8Array ? { length: value.length, crc: crc32(value) } : value
}

/** Registers the SQL function that the triggers call. */
export function registerRowChecksum(database: DatabaseSync): void {
  database.function('row_checksum_of', { varargs: true, deterministic: true }, (...values: unknown[]) => computeRowChecksum(values))
}

const columnsStatement = `select s.name as "table", c.name as "column" from sqlite_schema s, pragma_table_info(s.name) c
  where s.type = 'table' order by s.name, c.cid`

/** Tables whose rows are only changed as a whole. */
const replacedTables: ReadonlySet<string> = new Set([
  'rules', 'checkpoints', 'metric_points', 'metric_totals', 'alert_counts', 'verdict_counts', 'requests',
  'domain_event_positions', 'jobs',
])

/** Writes the checksums of rows that have none, and has this connection keep them. Call it after the migrations. */
export async function startRowChecksums(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<CheckedColumn>`${sql.raw(columnsStatement)}`.execute(db)
  const tables = groupColumns(rows)
  await writeMissingChecksums(db, tables)
  for (const [table, columns] of tables) {
    const of = (row: 'old' | 'new') => `row_checksum_of(${columns.map((column) => `${row}."${column}"`).join(', ')})`
    // A row that is changed in part stays corrupted: its checksum must not vouch for the rest.
    const next = replacedTables.has(table) ? of('new') : `case when old.row_checksum is ${of('old')} then ${of('new')} end`
    const set = (value: string) => `begin update "${table}" set row_checksum = ${value} where rowid = new.rowid; end`
    await sql.raw(`create temp trigger "${table}_inserted" after insert on main."${table}" ${set(of('new'))}`).execute(db)
    const names = listNames(columns)
    await sql.raw(`create temp trigger "${table}_updated" after update of ${names} on main."${table}" ${set(next)}`).execute(db)
  }
}

/** Tables begin with the columns of their key. */
const keyColumnsShown = 3

/** The rows that differ from their checksums, as sentences. */
export function* findDamagedRows(database: DatabaseSync): Generator<string> {
  registerRowChecksum(database)
  for (const [table, columns] of groupColumns(database.prepare(columnsStatement).all() as CheckedColumn[])) {
    const names = columns.map((column) => `"${column}"`)
    const keys = names.slice(0, keyColumnsShown).join(', ')
    const statement = `select ${keys} from "${table}" where row_checksum is not row_checksum_of(${names.join(', ')})`
    for (const row of database.prepare(statement).iterate()) {
      const key = Object.entries(row).map(([name, value]) => `${name} ${String(value)}`).join(', ')
      yield `a row of the table ${table} differs from its checksum: ${key}`
    }
  }
}

type CheckedColumn = { readonly table: string; readonly column: string }

/** The columns of each table that has checksums, in order and without the checksum. */
function groupColumns(columns: readonly CheckedColumn[]): ReadonlyMap<string, readonly string[]> {
  const tables = Map.groupBy(columns, ({ table }) => table)
  return new Map([...tables].flatMap(([table, all]) => {
    const names = all.map(({ column }) => column)
    return names.includes('row_checksum') ? [[table, names.filter((name) => name !== 'row_checksum')]] : []
  }))
}

/** After a migration that changes the columns of a table, all of its checksums are written anew. */
async function writeMissingChecksums(db: Kysely<Tables>, tables: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const written = await db.selectFrom('checksumColumns').select(['tableName', 'columns']).execute()
  const writtenNames = new Map(written.map(({ tableName, columns }) => [tableName, columns]))
  const named = [...tables].map(([table, columns]) => [table, listNames(columns)] as const)
  const missing = named.filter(([table, names]) => writtenNames.get(table) !== names)
  if (missing.length === 0) return
  await db.transaction().execute(async (db) => {
    for (const [table, names] of missing) {
      await sql.raw(`update "${table}" set row_checksum = row_checksum_of(${names})`).execute(db)
      const row = { tableName: table, columns: names }
      await db.insertInto('checksumColumns').values(row).onConflict((conflict) => conflict.column('tableName').doUpdateSet(row)).execute()
    }
  })
}

/** Columns as a statement lists them. */
function listNames(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ')
}
