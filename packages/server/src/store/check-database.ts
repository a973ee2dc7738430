import { DatabaseSync } from 'node:sqlite'

/** What a check of the database found. */
export type DatabaseReport = {
  /** How many migrations made its shape; undefined where it is damaged. */
  readonly version: number | undefined
  readonly problems: readonly DatabaseProblem[]
}

/** What is wrong, and in which byte of the file the page begins that it is about, where that is said. */
export type DatabaseProblem = { readonly offset: number | undefined; readonly problem: string }

/** Problems that are told of one database. */
const problemsMax = 100

/** Has SQLite read the whole of a database and check it, without writing to it. */
export function checkDatabase(path: string): DatabaseReport {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const texts = findProblems(database)
    if (texts.length > 0) return { version: undefined, problems: locateProblems(database, texts) }
    const version = Number(database.prepare('select max(version) as version from schema_versions').get()?.['version'])
    return { version, problems: [] }
  } finally {
    database.close()
  }
}

/** What SQLite says is wrong, in its words; where it cannot go on, that it cannot is the last of it. */
function findProblems(database: DatabaseSync): readonly string[] {
  const texts: string[] = []
  try {
    for (const row of database.prepare(`pragma integrity_check(${problemsMax})`).iterate()) texts.push(String(row['integrity_check']))
  } catch (error) {
    if (!isCorruptionError(error)) throw error
    texts.push(error.message)
  }
  // The first line of several says which database, and there is one.
  return texts.filter((text) => text !== 'ok').map((text) => text.replace(/^\*\*\* in database main \*\*\*\n/, ''))
}

function locateProblems(database: DatabaseSync, texts: readonly string[]): readonly DatabaseProblem[] {
  let pageSize: number
  try {
    pageSize = Number(database.prepare('pragma page_size').get()?.['page_size'])
  } catch (error) {
    // What is no database has no pages.
    if (!isCorruptionError(error)) throw error
    return texts.map((problem) => ({ offset: undefined, problem }))
  }
  return texts.map((problem) => ({ offset: parseOffset(problem, pageSize), problem }))
}

/** Whether an error says that a database is not what was written: SQLITE_CORRUPT, SQLITE_NOTADB. */
export function isCorruptionError(error: unknown): error is Error {
  const code = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0
  return code === 11 || code === 26
}

/** Pages are numbered from 1. */
function parseOffset(problem: string, pageSize: number): number | undefined {
  const [, page] = /\bpage (\d+)/i.exec(problem) ?? []
  return page === undefined ? undefined : (Number(page) - 1) * pageSize
}
