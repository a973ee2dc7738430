import type { DatabaseSync } from 'node:sqlite'
import { openReadOnly } from './sqlite/query/open-read-only.ts'
import { findDamagedRows } from './sqlite/query/row-checksums.ts'

/** The result of checking the database. */
export type DatabaseReport = {
  /** The last applied migration; undefined if the database is corrupted, or has none. */
  readonly version: string | undefined
  readonly problems: readonly DatabaseProblem[]
}

/** A problem, and the file offset of its page, if known. */
type DatabaseProblem = { readonly offset: number | undefined; readonly problem: string }

/** The most problems reported for one database. */
const problemsMax = 100

/** Runs SQLite's integrity check and compares rows with their checksums, without writing. */
export function checkDatabase(path: string): DatabaseReport {
  const database = openReadOnly(path)
  try {
    const texts = findProblems(database)
    if (texts.length > 0) return { version: undefined, problems: locateProblems(database, texts) }
    const version = readVersion(database)
    const problems: DatabaseProblem[] = []
    for (const problem of findDamagedRows(database)) {
      problems.push({ offset: undefined, problem })
      if (problems.length === problemsMax) break
    }
    return { version, problems }
  } finally {
    database.close()
  }
}

function readVersion(database: DatabaseSync): string | undefined {
  const names = database.prepare("select name from sqlite_schema where name in ('kysely_migration', 'schema_versions') order by name").all()
  // A database of release 0.1.0 numbers its migrations.
  const key = names[0]?.['name'] === 'kysely_migration' ? 'name' : 'version'
  const name = names.length === 0 ? undefined
    : database.prepare(`select name from ${String(names[0]?.['name'])} order by ${key} desc limit 1`).get()?.['name']
  return name === undefined ? undefined : String(name)
}

/** The problems in SQLite's words; an error that stops the check comes last. */
function findProblems(database: DatabaseSync): readonly string[] {
  const texts: string[] = []
  try {
    for (const row of database.prepare(`pragma integrity_check(${problemsMax})`).iterate()) texts.push(String(row['integrity_check']))
  } catch (error) {
    if (!isCorruptionError(error)) throw error
    texts.push(error.message)
  }
  // The first line only names the database, and there is one.
  return texts.filter((text) => text !== 'ok').map((text) => text.replace(/^\*\*\* in database main \*\*\*\n/, ''))
}

function locateProblems(database: DatabaseSync, texts: readonly string[]): readonly DatabaseProblem[] {
  let pageSize: number
  try {
    pageSize = Number(database.prepare('pragma page_size').get()?.['page_size'])
  } catch (error) {
    // A file that is no database has no pages.
    if (!isCorruptionError(error)) throw error
    return texts.map((problem) => ({ offset: undefined, problem }))
  }
  return texts.map((problem) => ({ offset: parseOffset(problem, pageSize), problem }))
}

/** Whether an error means a corrupted database: SQLITE_CORRUPT, SQLITE_NOTADB. */
export function isCorruptionError(error: unknown): error is Error {
  const code = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0
  return code === 11 || code === 26
}

/** Pages are numbered from 1. */
function parseOffset(problem: string, pageSize: number): number | undefined {
  const [, page] = /\bpage (\d+)/i.exec(problem) ?? []
  return page === undefined ? undefined : (Number(page) - 1) * pageSize
}
