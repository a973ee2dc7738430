import { CamelCasePlugin, Kysely } from 'kysely'
import { sqliteDialect } from './dialect.ts'
import type { Dialect } from './dialect.ts'
import { openSqlite } from './sqlite.ts'
import type { Tables } from './tables.ts'

/** A database and how it differs from others. */
export type Database = { readonly db: Kysely<Tables>; readonly dialect: Dialect }

export type DatabaseOptions = {
  /** A file of SQLite, or ':memory:'. */
  readonly path: string
  /** Whether nothing may be written, not even what the database does by itself. */
  readonly isReadOnly?: boolean
  /** Told of each statement after it was run, with its milliseconds; never of the values in it. */
  readonly onStatement?: (text: string, durationMs: number) => void
}

/** Opens the database of the server's state. Its tables are those of the migrations; `migrate` makes them. */
export function openDatabase({ path, isReadOnly, onStatement }: DatabaseOptions): Database {
  const db = new Kysely<Tables>({
    dialect: openSqlite(path, { isReadOnly }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    ...(onStatement === undefined ? {} : { log: (event) => onStatement(event.query.sql, event.queryDurationMillis) }),
  })
  return { db, dialect: sqliteDialect }
}

/** Runs the work in a transaction: in the one that is open, where `db` is one, else in its own. */
export function inTransaction<T>(db: Kysely<Tables>, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}
