import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../src/state/migrations/migrate.ts'
import type { Migration } from '../../src/state/migrations/migrate.ts'
import { migrations } from '../../src/state/migrations/migrations.ts'
import { openDatabase } from '../../src/state/sqlite/query/database.ts'
import { upgrade } from './upgrade.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tripline-migrations-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Runs migrations on the test database, and returns its tables and versions. */
async function shapeAfter(steps: readonly Migration[]): Promise<{ problem: string; tables: string[]; versions: string[]; notes: string[] }> {
  const database = openDatabase({ path: join(folder, 'state.db') })
  try {
    const problem = await migrate(database, steps).then(() => '', String)
    const tables = await sql<{ name: string }>`select name from sqlite_schema where type = 'table' order by name`.execute(database.db)
    const versions = await database.db.selectFrom('schemaVersions').select('name').orderBy('version').execute()
    const names = tables.rows.map(({ name }) => name)
    const notes = names.includes('notes') ? await sql<{ text: string }>`select text from notes order by text`.execute(database.db) : { rows: [] }
    return { problem, tables: names, versions: versions.map(({ name }) => name), notes: notes.rows.map(({ text }) => text) }
  } finally {
    await database.db.destroy()
  }
}

const [first, second] = upgrade
const old = { tables: ['notes', 'schema_versions'], versions: ['notes'], notes: ['one'] }
const whole = { tables: ['labels', 'schema_versions', 'notes'].sort(), versions: ['notes', 'labels'], notes: ['one', 'two'] }

test('all migrations run, and again change nothing', async () => {
  const once = await shapeAfter(migrations)
  expect(once).toMatchObject({ problem: '', versions: migrations.map(({ name }) => name) })
  expect(await shapeAfter(migrations)).toEqual(once)
})

test('a statement that fails in the middle leaves the shape before', async () => {
  await shapeAfter([first])
  const failing = { ...second, statements: [...second.statements.slice(0, 2), 'insert into nowhere values (1)', ...second.statements.slice(2)] }
  const { problem, ...shape } = await shapeAfter([first, failing])
  expect(problem).toContain("migration 2 'labels' failed and changed nothing")
  expect(shape).toEqual(old)
  expect(await shapeAfter(upgrade)).toEqual({ problem: '', ...whole })
})

test('a process that is killed after any statement leaves the shape before or after', async () => {
  const shapes: string[] = []
  // Until a process survives because it ran fewer statements.
  for (let count = 1; ; count++) {
    await rm(join(folder, 'state.db'), { force: true })
    await rm(join(folder, 'state.db-wal'), { force: true })
    await rm(join(folder, 'state.db-shm'), { force: true })
    await shapeAfter([first])
    const main = join(import.meta.dirname, 'upgrade-main.ts')
    const { signal, status, stderr } = spawnSync(process.execPath, [main, join(folder, 'state.db'), String(count)], { encoding: 'utf8' })
    const { problem, ...shape } = await shapeAfter([first])
    const isWhole = problem.includes('this program supports versions up to 1')
    expect(shape).toEqual(isWhole ? whole : old)
    shapes.push(isWhole ? 'after' : 'before')
    expect(await shapeAfter(upgrade)).toEqual({ problem: '', ...whole })
    if (signal === null) {
      expect(status, stderr).toBe(0)
      break
    }
  }
  expect(new Set(shapes)).toEqual(new Set(['before', 'after']))
  expect(shapes.length).toBeGreaterThan(second.statements.length)
  expect(shapes.join()).toMatch(/^(before,)+after(,after)*$/)
})

test('a database of a newer program is refused', async () => {
  await shapeAfter(upgrade)
  expect((await shapeAfter([first])).problem).toContain("the database has schema version 2 'labels', but this program supports versions up to 1")
})

test('a migration that is not the one that was run is refused', async () => {
  await shapeAfter([first])
  const other = { ...first, statements: [...first.statements, "insert into notes values ('three')"] }
  expect((await shapeAfter([other])).problem).toContain("migration 1 'notes' differs from the one that was applied")
})

test('of two processes that migrate at once each finds it done', async () => {
  await shapeAfter([first])
  const main = join(import.meta.dirname, 'upgrade-main.ts')
  const ended = Array.from({ length: 2 }, async () => {
    const child = spawn(process.execPath, [main, join(folder, 'state.db'), '1000'], { stdio: ['ignore', 'inherit', 'inherit'] })
    return await new Promise<number | null>((resolve) => child.once('close', resolve))
  })
  expect(await Promise.all(ended)).toEqual([0, 0])
  expect(await shapeAfter(upgrade)).toEqual({ problem: '', ...whole })
})
