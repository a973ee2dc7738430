import { containsAddress, parseNetwork } from '@tripline/common/network'
import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { SqliteAdapter, SqliteDialect } from 'kysely'
import type { DialectAdapter, Driver, SqliteStatement } from 'kysely'
import { limits } from '../../limits.ts'
import { StoreError } from '../../ports/store-error.ts'
import { CommitSync, openLogFile } from './commit-sync.ts'
import type { LogFile } from './commit-sync.ts'
import { DurableSqliteDriver } from './durable-driver.ts'
import type { UnsyncedDatabase } from './durable-driver.ts'
import { locateReadOnly } from './open-read-only.ts'
import { registerRowChecksum } from './row-checksums.ts'

type SqliteOptions = {
  readonly isReadOnly?: boolean | undefined
  /** Whether reading leaves no files beside the database; only for a process that has no connection that writes. */
  readonly leavesNoFiles?: boolean | undefined
  /** Opens the write-ahead log, to sync it; default: the file beside the database. */
  readonly openLog?: ((databasePath: string) => LogFile) | undefined
  /** What a database in memory begins with: the bytes of a file of SQLite. It needs Node 26. */
  readonly image?: Uint8Array | undefined
}

/**
 * Opens a SQLite file, or ':memory:', as a Kysely dialect. Commits are durable when their promise resolves: `synchronous` is
 * NORMAL, which keeps the database whole over a power cut but would lose the last commits, and each commit waits for a sync of
 * the write-ahead log in another thread. With FULL, SQLite would sync on the event loop.
 *
 * @throws Error if the file is no database or a setting did not apply.
 */
export function openSqlite(
  path: string, { isReadOnly = false, leavesNoFiles = false, openLog = openLogFile, image }: SqliteOptions = {},
): SqliteDialect {
  // SQLite would create it readable by everyone; the files beside it inherit its permissions.
  if (path !== ':memory:' && !isReadOnly) closeSync(openSync(path, 'a', 0o600))
  const database = new DatabaseSync(isReadOnly && leavesNoFiles ? locateReadOnly(path) : path, {
    readOnly: isReadOnly,
    enableForeignKeyConstraints: true,
    enableDoubleQuotedStringLiterals: false,
    timeout: limits.state.busyMs,
  })
  let commits: CommitSync | undefined
  try {
    if (image !== undefined) database.deserialize(image)
    database.exec('pragma trusted_schema = off')
    if (!isReadOnly) {
      useLog(database, path)
      if (path !== ':memory:') commits = new CommitSync(openLog(path))
    }
  } catch (error) {
    database.close()
    throw error
  }
  database.function('ip_in_network', { deterministic: true }, createNetworkTest())
  registerRowChecksum(database)
  return new DurableSqliteDialect(kyselyDatabase(database, isReadOnly ? 'begin' : 'begin immediate'), commits)
}

/** Moves what the write-ahead log of a database holds to its file, and empties it; false while another connection reads. */
export function truncateLog(path: string): boolean {
  // A connection of its own, since the other one would wait for readers on the event loop.
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    return database.prepare('pragma wal_checkpoint(truncate)').get()?.['busy'] === 0
  } finally {
    database.close()
  }
}

/** SQLite changes a schema in a transaction, which holds its write lock; kysely's adapter does not use that. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  /** The driver has one connection and lends it to one user at a time; kysely would hold it until the disk has synced. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class DurableSqliteDialect extends SqliteDialect {
  readonly #database: UnsyncedDatabase
  readonly #commits: CommitSync | undefined

  constructor(database: UnsyncedDatabase, commits: CommitSync | undefined) {
    super({ database })
    this.#database = database
    this.#commits = commits
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalSqliteAdapter()
  }

  override createDriver(): Driver {
    return new DurableSqliteDriver(this.#database, this.#commits)
  }
}

function useLog(database: DatabaseSync, path: string): void {
  // FAST overwrites deleted texts in pages that are written anyway.
  database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma secure_delete = fast')
  checkPragma(database, 'synchronous', 1)
  checkPragma(database, 'foreign_keys', 1)
  if (path !== ':memory:') checkPragma(database, 'journal_mode', 'wal')
  // The first read creates the log.
  database.exec('select 1 from sqlite_schema')
}

/** The network is the same for all rows of a statement, so the last one is cached. */
function createNetworkTest(): (address: SQLOutputValue, network: SQLOutputValue) => number {
  let [lastText, last] = ['', parseNetwork('')]
  return (address, network) => {
    if (typeof address !== 'string' || typeof network !== 'string') return 0
    if (network !== lastText) [lastText, last] = [network, parseNetwork(network)]
    return Number(last !== undefined && containsAddress(last, address))
  }
}

function checkPragma(database: DatabaseSync, name: string, wanted: string | number): void {
  const actual = database.prepare(`pragma ${name}`).get()?.[name]
  if (actual !== wanted) throw new Error(`the database setting ${name} is ${String(actual)}; it must be ${wanted}`)
}

/** Adapts `node:sqlite` to Kysely, with a cache of prepared statements. */
function kyselyDatabase(database: DatabaseSync, begin: 'begin' | 'begin immediate'): UnsyncedDatabase {
  let hasCommitted = false
  const onDone = (): void => {
    hasCommitted ||= !database.isTransaction
  }
  const prepared = new Map<string, SqliteStatement>()
  const prepare = (text: string) => {
    const known = prepared.get(text)
    if (known !== undefined) return known
    // A prepared statement keeps the names of its columns.
    if (/^\s*(?:alter|drop)\b/i.test(text)) prepared.clear()
    const isReading = /^\s*(?:select|rollback)\b/i.test(text)
    const statement = kyselyStatement(convertTransientErrors(() => database.prepare(text)), isReading ? () => {} : onDone)
    if (prepared.size >= limits.state.preparedMax) prepared.clear()
    prepared.set(text, statement)
    return statement
  }
  // SQLite itself rolls back a transaction on a full disk; a second rollback would hide that error.
  const rollback: SqliteStatement = {
    ...prepare('rollback'),
    run: () => (database.isTransaction ? prepare('rollback').run([]) : { changes: 0, lastInsertRowid: 0 }),
  }
  return {
    close: () => database.close(),
    takeCommitted: () => {
      const before = hasCommitted
      hasCommitted = false
      return before
    },
    prepare: (text) => {
      if (text === 'rollback') return rollback
      // A transaction that begins with a read could fail to upgrade to a write.
      return prepare(text === 'begin' ? begin : text)
    },
  }
}

/** `onDone` is called after each run that changes something. */
function kyselyStatement(statement: StatementSync, onDone: () => void): SqliteStatement {
  const call = <Result>(run: () => Result): Result => {
    const result = convertTransientErrors(run)
    onDone()
    return result
  }
  const names = statement.columns().map(({ name }) => name)
  statement.setReturnArrays(true)
  const toRow = (values: unknown): Row => createRow(names, values as readonly SQLOutputValue[])
  return {
    reader: names.length > 0,
    all: (values) => call(() => statement.all(...values.map(toBindable)).map(toRow)),
    run: (values) => call(() => statement.run(...values.map(toBindable))),
    * iterate(values) {
      for (const row of statement.iterate(...values.map(toBindable))) yield toRow(row)
    },
  }
}

type Row = { [column: string]: SQLOutputValue }

/**
 * Rows are objects of one shape. Those that `node:sqlite` makes have no prototype, so that V8 gives each a description of its own
 * (its map), which only a collection of the old generation frees: a scan of a million rows grew the process by 100 MiB.
 */
function createRow(names: readonly string[], values: readonly SQLOutputValue[]): Row {
  const row: Row = {}
  for (let i = 0; i < names.length; i++) row[names[i]!] = values[i]!
  return row
}

/** @throws Error for a value that no column holds, such as a boolean or undefined. */
function toBindable(value: unknown): SQLInputValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || value === null) return value
  if (value instanceof Uint8Array) return value
  throw new Error(`a ${typeof value} cannot be stored in a column`)
}

/** Runs a statement. @throws StoreError TRANSIENT for an error of SQLite after which a retry may succeed. */
function convertTransientErrors<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (error instanceof Error && isTransient(error)) throw new StoreError('TRANSIENT', error.message, { cause: error })
    throw error
  }
}

/** SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_READONLY, SQLITE_FULL, SQLITE_CANTOPEN (of a temporary file). */
const transientCodes: ReadonlySet<number> = new Set([5, 6, 7, 8, 13, 14])

/**
 * SQLITE_IOERR_NOMEM, and SQLITE_IOERR_SHMSIZE: on a full disk the shared-memory index of the write-ahead log cannot grow,
 * although nothing is broken.
 */
const transientExtendedCodes: ReadonlySet<number> = new Set([3_082, 4_874])

function isTransient(error: Error): boolean {
  if (!('errcode' in error) || typeof error.errcode !== 'number') return false
  // The lowest byte of an extended code is the primary code.
  return transientCodes.has(error.errcode & 0xff) || transientExtendedCodes.has(error.errcode)
}
