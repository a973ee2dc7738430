import { Kysely, sql } from 'kysely'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test, vi } from 'vitest'
import { limits } from '../../limits.ts'
import { openSqlite } from './sqlite.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** A database in memory, and how often it prepared each statement. */
function openCounted() {
  const preparing = vi.spyOn(DatabaseSync.prototype, 'prepare')
  const db = new Kysely<unknown>({ dialect: openSqlite(':memory:') })
  const run = async (text: string): Promise<void> => void (await sql.raw(text).execute(db))
  return { db, run, count: (text: string) => preparing.mock.calls.filter(([prepared]) => prepared === text).length }
}

test('a statement is prepared once, until more are than are kept', async () => {
  const { db, run, count } = openCounted()
  for (let round = 0; round < 3; round++) await run('select 0')
  expect(count('select 0')).toBe(1)
  // With the one that rolls back.
  for (let i = 1; i < limits.state.preparedMax - 1; i++) await run(`select ${i}`)
  await run('select 0')
  expect(count('select 0')).toBe(1)
  await run('select -1')
  await run('select 0')
  expect([count('select 0'), count('select 1')]).toEqual([2, 1])
  await db.destroy()
})

test('a statement is prepared again after a change of a table, whose columns it names', async () => {
  const { db, run, count } = openCounted()
  await run('create table t (a)')
  await run('select * from t')
  await run('alter table t add column b')
  await run('select * from t')
  expect(count('select * from t')).toBe(2)
  await db.destroy()
})
