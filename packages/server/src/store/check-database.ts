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
    const rows = database.prepare(`pragma integrity_check(${problemsMax})`).all()
    const texts = rows.map((row) => String(row['integrity_check'])).filter((text) => text !== 'ok')
    const pageSize = Number(database.prepare('pragma page_size').get()?.['page_size'])
    const problems = texts.map((problem) => ({ offset: offsetIn(problem, pageSize), problem }))
    if (problems.length > 0) return { version: undefined, problems }
    const version = Number(database.prepare('select max(version) as version from schema_versions').get()?.['version'])
    return { version, problems: [] }
  } catch (error) {
    if (!isDamage(error)) throw error
    return { version: undefined, problems: [{ offset: undefined, problem: error.message }] }
  } finally {
    database.close()
  }
}

/** Whether an error says that a database is not what was written: SQLITE_CORRUPT, SQLITE_NOTADB. */
export function isDamage(error: unknown): error is Error {
  const code = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0
  return code === 11 || code === 26
}

/** Pages are numbered from 1. */
function offsetIn(problem: string, pageSize: number): number | undefined {
  const [, page] = /\bpage (\d+)/i.exec(problem) ?? []
  return page === undefined ? undefined : (Number(page) - 1) * pageSize
}
