import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { SqliteDialect } from 'kysely'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { isInNetwork, parseNetwork } from '../domain/network.ts'
import { limits } from '../limits.ts'

/**
 * Opens a file of SQLite, or ':memory:', as Kysely sees a database. What was committed is on disk: `synchronous`
 * is FULL, always, because NORMAL loses acknowledged rows in a power cut where the log is a file of its own (WAL).
 *
 * @throws Error when the file is no database or the settings did not take.
 */
export function openSqlite(path: string, { isReadOnly = false }: { readonly isReadOnly?: boolean | undefined } = {}): SqliteDialect {
  // SQLite would create it for everybody to read; the files beside it get the rights of this one.
  if (path !== ':memory:' && !isReadOnly) closeSync(openSync(path, 'a', 0o600))
  const database = new DatabaseSync(path, {
    readOnly: isReadOnly,
    enableForeignKeyConstraints: true,
    enableDoubleQuotedStringLiterals: false,
    timeout: limits.state.busyMs,
  })
  try {
    database.exec('pragma trusted_schema = off')
    if (!isReadOnly) makeDurable(database, path)
  } catch (error) {
    database.close()
    throw error
  }
  database.function('ip_in_network', { deterministic: true }, createNetworkTest())
  return new SqliteDialect({ database: kyselyDatabase(database, isReadOnly ? 'begin' : 'begin immediate') })
}

function makeDurable(database: DatabaseSync, path: string): void {
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  checkPragma(database, 'synchronous', 2)
  checkPragma(database, 'foreign_keys', 1)
  if (path !== ':memory:') checkPragma(database, 'journal_mode', 'wal')
}

/** The network is the same for all rows of a statement, so the last one is kept. */
function createNetworkTest(): (address: SQLOutputValue, network: SQLOutputValue) => number {
  let [lastText, last] = ['', parseNetwork('')]
  return (address, network) => {
    if (typeof address !== 'string' || typeof network !== 'string') return 0
    if (network !== lastText) [lastText, last] = [network, parseNetwork(network)]
    return Number(last !== undefined && isInNetwork(last, address))
  }
}

function checkPragma(database: DatabaseSync, name: string, wanted: string | number): void {
  const actual = database.prepare(`pragma ${name}`).get()?.[name]
  if (actual !== wanted) throw new Error(`the database has ${name} = ${String(actual)}; it needs ${wanted}`)
}

/** `node:sqlite` in the shape that Kysely knows, with statements prepared once. */
function kyselyDatabase(database: DatabaseSync, begin: 'begin' | 'begin immediate'): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>()
  const prepare = (text: string) => {
    const known = prepared.get(text)
    if (known !== undefined) return known
    const statement = kyselyStatement(database.prepare(text))
    if (prepared.size >= limits.state.preparedMax) prepared.clear()
    prepared.set(text, statement)
    return statement
  }
  // SQLite itself ends a transaction for which there is no room; to end it again would hide that error.
  const rollback: SqliteStatement = {
    ...prepare('rollback'),
    run: () => (database.isTransaction ? prepare('rollback').run([]) : { changes: 0, lastInsertRowid: 0 }),
  }
  return {
    close: () => database.close(),
    prepare: (text) => {
      if (text === 'rollback') return rollback
      // A transaction that begins by reading may find, when it comes to write, that another process was faster.
      return prepare(text === 'begin' ? begin : text)
    },
  }
}

function kyselyStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (values) => statement.all(...values.map(toBindable)),
    run: (values) => statement.run(...values.map(toBindable)),
    iterate: (values) => statement.iterate(...values.map(toBindable)),
  }
}

/** @throws Error for a value that no column holds, such as a boolean or undefined. */
function toBindable(value: unknown): SQLInputValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || value === null) return value
  if (value instanceof Uint8Array) return value
  throw new Error(`a ${typeof value} is no value of a column`)
}
