import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLogFile } from './commit-sync.ts'
import type { LogFile } from './commit-sync.ts'
import { openSqlite } from './sqlite.ts'

type Tables = { readonly notes: { readonly text: string } }

/** A log whose syncs end when the test says so. */
class ManualLog implements LogFile {
  readonly #waiting: PromiseWithResolvers<void>[] = []
  isClosed = false

  get syncCount(): number {
    return this.#waiting.length
  }

  sync(): Promise<void> {
    const sync = Promise.withResolvers<void>()
    this.#waiting.push(sync)
    return sync.promise
  }

  close(): void {
    this.isClosed = true
  }

  endAll(): void {
    for (const { resolve } of this.#waiting) resolve()
  }

  endSync(number: number, error?: Error): void {
    const { resolve, reject } = this.#waiting[number - 1]!
    if (error === undefined) resolve()
    else reject(error)
  }
}

let folder: string
let log: ManualLog
let db: Kysely<Tables>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tripline-commits-'))
  log = new ManualLog()
  const path = join(folder, 'state.db')
  db = new Kysely<Tables>({ dialect: openSqlite(path, { openLog: (databasePath) => {
    // It is there as soon as the database is open.
    openLogFile(databasePath).close()
    return log
  } }) })
})
afterEach(async () => {
  log.endAll()
  await db.destroy()
  rmSync(folder, { recursive: true })
})

/** What has settled so far, by name, in order. */
function watch(settled: string[], name: string, call: Promise<unknown>): void {
  call.then(() => settled.push(name), (error: unknown) => settled.push(`${name}: ${error instanceof Error ? error.message : ''}`))
}

/** Resolves when all that can run without a sync has run. */
async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
}

const createNotes = sql`create table notes (text text) strict`
const insertNote = (text: string) => sql`insert into notes values (${text})`
const listNotes = sql`select text from notes`

async function createTable(): Promise<void> {
  const creating = createNotes.execute(db)
  await settle()
  log.endSync(1)
  await creating
}

test.for<[title: string, commit: () => Promise<unknown>]>([
  ['a statement', () => insertNote('a').execute(db)],
  ['a statement that returns rows', () => sql`insert into notes values ('a') returning text`.execute(db)],
  ['a statement that begins with a common table', () => sql`with a (t) as (values ('a')) insert into notes select t from a`.execute(db)],
  ['a transaction', () => db.transaction().execute(async (db) => {
    await insertNote('a').execute(db)
    await listNotes.execute(db)
  })],
])('%s resolves when its commit is synced', async ([, commit]) => {
  await createTable()
  const settled: string[] = []
  watch(settled, 'committed', commit())
  await settle()
  expect([log.syncCount, settled]).toEqual([2, []])
  log.endSync(2)
  await settle()
  expect([log.syncCount, settled]).toEqual([2, ['committed']])
})

test.for<[title: string, run: () => Promise<unknown>]>([
  ['a read', () => listNotes.execute(db)],
  ['a transaction that is rolled back', () => db.transaction().execute(async (db) => {
    await insertNote('a').execute(db)
    throw new Error('no')
  }).catch(() => {})],
  ['a statement that fails', () => sql`insert into notes values (1, 2)`.execute(db).catch(() => {})],
])('%s waits for no sync', async ([, run]) => {
  await createTable()
  const settled: string[] = []
  watch(settled, 'a commit', insertNote('before').execute(db))
  watch(settled, 'run', run())
  await settle()
  expect([log.syncCount, settled]).toEqual([2, ['run']])
  log.endSync(2)
})

test('one sync covers all commits that were written before it began, and no later one', async () => {
  await createTable()
  const settled: string[] = []
  watch(settled, 'first', insertNote('1').execute(db))
  await settle()
  watch(settled, 'second', insertNote('2').execute(db))
  watch(settled, 'third', insertNote('3').execute(db))
  await settle()
  expect([log.syncCount, settled]).toEqual([2, []])
  log.endSync(2)
  await settle()
  expect([log.syncCount, settled]).toEqual([3, ['first']])
  log.endSync(3)
  await settle()
  expect([log.syncCount, settled]).toEqual([3, ['first', 'second', 'third']])
})

test('after a sync that failed nothing is committed or read any more', async () => {
  await createTable()
  const settled: string[] = []
  watch(settled, 'first', insertNote('1').execute(db))
  await settle()
  watch(settled, 'second', insertNote('2').execute(db))
  await settle()
  log.endSync(2, new Error('EIO'))
  await settle()
  watch(settled, 'third', insertNote('3').execute(db))
  watch(settled, 'read', listNotes.execute(db))
  await settle()
  const failed = 'the log of the state database could not be synced; changes may be lost'
  expect(settled.toSorted()).toEqual([`first: ${failed}`, `read: ${failed}`, `second: ${failed}`, `third: ${failed}`])
  expect(log.syncCount).toBe(2)
})

test('closing waits for the sync that runs', async () => {
  await createTable()
  const settled: string[] = []
  watch(settled, 'commit', insertNote('1').execute(db))
  await settle()
  watch(settled, 'closed', db.destroy())
  await settle()
  expect([log.isClosed, settled]).toEqual([false, []])
  log.endSync(2)
  await settle()
  expect([log.isClosed, settled]).toEqual([true, ['commit', 'closed']])
})
