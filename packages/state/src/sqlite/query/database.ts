import { CamelCasePlugin, Kysely } from 'kysely'
import type { Tables } from '../rows/tables.ts'
import { sqliteDialect } from './dialect.ts'
import type { Dialect } from './dialect.ts'
import { DamagedRows, RowChecksumPlugin } from './row-checksums.ts'
import { openSqlite } from './sqlite.ts'

/** Opens another connection that only reads; undefined for a database in memory, which has one. */
export type OpenReader = (() => Kysely<Tables>) | undefined

/** A database and its dialect. */
export type Database = {
  readonly db: Kysely<Tables>
  readonly dialect: Dialect
  /** The corrupted rows that reads have met. */
  readonly damagedRows: DamagedRows
  readonly openReader: OpenReader
}

export type DatabaseOptions = {
  /** A SQLite file, or ':memory:'. */
  readonly path: string
  /** Whether to open it read-only. */
  readonly isReadOnly?: boolean
  /** Called after each statement with its text and duration; never with its values. */
  readonly onStatement?: (text: string, durationMs: number) => void
  /** Called once for each corrupted row that a read meets, with its table. */
  readonly onDamagedRow?: (table: string) => void
}

/** Opens the database of the server's state. Migrations create its tables (`migrate`). */
export function openDatabase({ path, isReadOnly, onStatement, onDamagedRow }: DatabaseOptions): Database {
  const damagedRows = new DamagedRows(onDamagedRow)
  const connect = (isReadOnly: boolean | undefined) => new Kysely<Tables>({
    dialect: openSqlite(path, { isReadOnly }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true }), new RowChecksumPlugin(damagedRows)],
    ...(onStatement === undefined ? {} : { log: (event) => onStatement(event.query.sql, event.queryDurationMillis) }),
  })
  return {
    db: connect(isReadOnly), dialect: sqliteDialect, damagedRows, openReader: path === ':memory:' ? undefined : () => connect(true),
  }
}

/** Runs work in a transaction: the open one if `db` is one, else a new one. */
export function inTransaction<T>(db: Kysely<Tables>, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}
