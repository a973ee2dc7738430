import { open } from 'node:fs/promises'
import { CamelCasePlugin, Kysely, sql } from 'kysely'
import type { Tables } from '../rows/tables.ts'
import { sqliteDialect } from './dialect.ts'
import type { Dialect } from './dialect.ts'
import { DamagedRows, RowChecksumPlugin } from './row-checksums.ts'
import { openSqlite, truncateLog } from './sqlite.ts'

/** Opens another connection that only reads; undefined for a database in memory, which has one. */
export type OpenReader = (() => Kysely<Tables>) | undefined

/** A database and its dialect. */
export type Database = {
  readonly db: Kysely<Tables>
  readonly dialect: Dialect
  /** The corrupted rows that reads have met. */
  readonly damagedRows: DamagedRows
  readonly openReader: OpenReader
  readonly file: DatabaseFile
}

/** What erasing needs of the file of a database. */
export type DatabaseFile = {
  /** Empties the write-ahead log, so that no earlier form of a row is left in it; false while another connection reads. */
  readonly truncateLog: () => boolean
  /** Whether a text that `isIn` finds is left in the bytes of the file, such as those of deleted rows. */
  readonly holds: (isIn: (text: string) => boolean) => Promise<boolean>
}

export type DatabaseOptions = {
  /** A SQLite file, or ':memory:'. */
  readonly path: string
  /** Whether this process only reads it. */
  readonly isReadOnly?: boolean
  /** What a database in memory begins with: the bytes of a file of SQLite. It needs Node 26, which tests have. */
  readonly image?: Uint8Array | undefined
  /** Called after each statement with its text and duration; never with its values. */
  readonly onStatement?: (text: string, durationMs: number) => void
  /** Called once for each corrupted row that a read meets, with its table. */
  readonly onDamagedRow?: (table: string) => void
}

/** A database in memory has none. */
const noFile: DatabaseFile = { truncateLog: () => true, holds: () => Promise.resolve(false) }

/** Opens the database of the server's state. Migrations create its tables (`migrate`). */
export function openDatabase({ path, isReadOnly, image, onStatement, onDamagedRow }: DatabaseOptions): Database {
  const damagedRows = new DamagedRows(onDamagedRow)
  const connect = (isReader: boolean | undefined) => new Kysely<Tables>({
    dialect: openSqlite(path, { isReadOnly: isReader, leavesNoFiles: isReadOnly, image }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true }), new RowChecksumPlugin(damagedRows)],
    ...(onStatement === undefined ? {} : { log: (event) => onStatement(event.query.sql, event.queryDurationMillis) }),
  })
  return {
    db: connect(isReadOnly), dialect: sqliteDialect, damagedRows, openReader: path === ':memory:' ? undefined : () => connect(true),
    file: path === ':memory:' ? noFile : { truncateLog: () => truncateLog(path), holds: (isIn) => holdsText(path, isIn) },
  }
}

/** Bytes that are read at once, and those of them that are read again with the next: more than any text that is looked for. */
const [chunkBytes, overlapBytes] = [1_048_576, 4_096]

async function holdsText(path: string, isIn: (text: string) => boolean): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const chunk = Buffer.alloc(chunkBytes)
    for (let at = 0; ; at += chunkBytes - overlapBytes) {
      const { bytesRead } = await file.read(chunk, 0, chunkBytes, at)
      if (isIn(chunk.toString('utf8', 0, bytesRead))) return true
      if (bytesRead < chunkBytes) return false
    }
  } finally {
    await file.close()
  }
}

/** Writes the file of a database anew, without what was deleted; rows get new numbers. It blocks for seconds a gigabyte. */
export async function vacuum(db: Kysely<Tables>): Promise<void> {
  await sql.raw('vacuum').execute(db)
}

/** Runs work in a transaction: the open one if `db` is one, else a new one. */
export function inTransaction<T>(db: Kysely<Tables>, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}
