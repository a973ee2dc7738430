import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'
import { PGlite } from '@electric-sql/pglite'
import type { QueryTarget } from '../../src/index.ts'
import { mergeColumns, rowColumn } from './event-table.ts'
import type { QueryResult, Search } from './event-table.ts'
import { esqlMissing, runEsql } from './run-esql.ts'
import { luceneMissing, runLucene } from './run-lucene.ts'
import { python, runPython } from './run-python.ts'

/** An engine that runs converted queries over a table of events, `events`. */
export type QueryEngine = {
  readonly name: string
  readonly target: QueryTarget
  /** Why it cannot run here. */
  readonly missing?: string
  /** Texts that it takes for another value, or for none, so that events do not have them. */
  readonly confuses?: (text: string) => boolean
  /** A dot in a name leads into an object for it, which columns do not hold. */
  readonly readsPaths?: true
  /** Queries that this engine cannot run, though the system that it stands for can. */
  readonly cannotRun?: (query: string) => boolean
  /** It is slow: only one in so many of the generated predicates and real rules. */
  readonly oneIn?: number
  /** Results for each of some tables. */
  readonly run: (searches: readonly Search[]) => Promise<readonly (readonly QueryResult[])[]>
}

const doubleQuote = (name: string): string => `"${name.replaceAll('"', '""')}"`
const selectRows = (query: string): string => query.replace('SELECT *', `SELECT ${doubleQuote(rowColumn)}`)
const needsPython = python === undefined ? { missing: 'TRIPLINE_TEST_PYTHON names no Python with tools/test-python.txt' } : {}

export const queryEngines: readonly QueryEngine[] = [
  // A boolean is the number 1 or 0 here, which rules tell from booleans.
  { name: 'SQLite', target: 'sqlite', cannotRun: (query) => /LIKE '[01]' ESCAPE/.test(query), run: (searches) => runEach(searches, runSqlite) },
  { name: 'DuckDB', target: 'duckdb', run: (searches) => runEach(searches, runDuckdb) },
  { name: 'PostgreSQL', target: 'postgresql', run: (searches) => runEach(searches, runPostgresql) },
  { name: 'ClickHouse', target: 'clickhouse', ...needsPython, run: (searches) => runPython('clickhouse.py', { rowColumn, searches }) },
  {
    name: 'Lucene', target: 'lucene', ...(luceneMissing === undefined ? {} : { missing: luceneMissing }), oneIn: 4,
    // A keyword with a blank before or after a number is another one.
    confuses: (text) => text.trim() !== text && Number.isFinite(Number(text)),
    // Ten milliseconds for each pattern of a list.
    cannotRun: (query) => query.length > 100_000, run: runLucene,
  },
  {
    name: 'ES|QL', target: 'esql', ...(esqlMissing === undefined ? {} : { missing: esqlMissing }), oneIn: 12,
    // Minutes for a list of thousands.
    cannotRun: (query) => query.length > 20_000, run: runEsql,
  },
  {
    name: 'Kusto, translated', target: 'kql', ...needsPython, confuses: (text) => text === '', readsPaths: true, oneIn: 12,
    cannotRun: (query) => query.length > 5_000 || /ipv[46]_is_in_range/.test(query),
    run: (searches) => runPython('kql.py', {
      rowColumn, searches: searches.map(({ table, queries }) => ({ table: mergeColumns(table), queries })),
    }),
  },
]

async function runEach(searches: readonly Search[], run: (search: Search) => Promise<QueryResult[]>): Promise<QueryResult[][]> {
  const results: QueryResult[][] = []
  for (const search of searches) results.push(await run(search))
  return results
}

async function runSqlite({ table, queries }: Search): Promise<QueryResult[]> {
  const { columns, rows } = mergeColumns(table)
  const database = new DatabaseSync(':memory:')
  try {
    database.exec(`CREATE TABLE events (${[rowColumn, ...columns].map(doubleQuote).join(', ')})`)
    const insert = database.prepare(`INSERT INTO events VALUES (?${', ?'.repeat(columns.length)})`)
    for (const [at, row] of rows.entries()) insert.run(at, ...row)
    return await findEach(queries, (query) => database.prepare(selectRows(query)).all().map((row) => row[rowColumn]))
  } finally {
    database.close()
  }
}

async function runDuckdb({ table, queries }: Search): Promise<QueryResult[]> {
  const { columns, rows } = mergeColumns(table)
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  try {
    await connection.run(`CREATE TABLE events (${[`${doubleQuote(rowColumn)} INTEGER`, ...columns.map((name) => `${doubleQuote(name)} VARCHAR`)].join(', ')})`)
    const appender = await connection.createAppender('events')
    for (const [at, row] of rows.entries()) {
      appender.appendInteger(at)
      for (const value of row) {
        if (value === null) appender.appendNull()
        else appender.appendVarchar(value)
      }
      appender.endRow()
    }
    appender.closeSync()
    return await findEach(queries, async (query) => (await connection.runAndReadAll(selectRows(query))).getRows().map(([row]) => row))
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** Made once: it fills the folder of a new server in memory. */
let postgresql: Promise<PGlite> | undefined

async function runPostgresql({ table: { columns, rows }, queries }: Search): Promise<QueryResult[]> {
  postgresql ??= PGlite.create()
  const database = await postgresql
  try {
    const types = [`${doubleQuote(rowColumn)} INTEGER`, ...columns.map((name) => `${doubleQuote(name)} TEXT`)].join(', ')
    await database.exec(`CREATE TABLE events (${types})`)
    // As arrays, because PostgreSQL reads a record of JSON again for each of its columns.
    const values = ['(value ->> 0)::INTEGER', ...columns.map((_, at) => `value ->> ${at + 1}`)].join(', ')
    await database.query(`INSERT INTO events SELECT ${values} FROM jsonb_array_elements($1::JSONB)`, [JSON.stringify(rows.map((row, at) => [at, ...row]))])
    return await findEach(queries, async (query) => (await database.query<{ [column: string]: number }>(selectRows(query))).rows.map((row) => row[rowColumn]))
  } finally {
    await database.exec('DROP TABLE IF EXISTS events')
  }
}

async function findEach(queries: readonly string[], find: (query: string) => unknown[] | Promise<unknown[]>): Promise<QueryResult[]> {
  const results: QueryResult[] = []
  for (const query of queries) {
    try {
      results.push({ found: (await find(query)).map(Number).sort((a, b) => a - b) })
    } catch (error) {
      results.push({ error: error instanceof Error ? error.message : String(error) })
    }
  }
  return results
}
