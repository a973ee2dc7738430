import { DatabaseSync } from 'node:sqlite'
import { findDamagedRows } from './sqlite/query/row-checksums.ts'

/** The result of checking the database. */
export type DatabaseReport = {
  /** The number of applied migrations; undefined if the database is corrupted. */
  readonly version: number | undefined
  readonly problems: readonly DatabaseProblem[]
}

/** A problem, and the file offset of its page, if known. */
type DatabaseProblem = { readonly offset: number | undefined; readonly problem: string }

/** The most problems reported for one database. */
const problemsMax = 100

/** Runs SQLite's integrity check and compares rows with their checksums, without writing. */
export function checkDatabase(path: string): DatabaseReport {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const texts = findProblems(database)
    if (texts.length > 0) return { version: undefined, problems: locateProblems(database, texts) }
    const version = Number(database.prepare('select max(version) as version from schema_versions').get()?.['version'])
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
