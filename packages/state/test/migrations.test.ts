import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../src/migrations/migrate.ts'
import type { Migrations } from '../src/migrations/migrate.ts'
import { migrations } from '../src/migrations/migrations.ts'
import { openDatabase } from '../src/sqlite/query/database.ts'
import { first, labels, upgrade } from './upgrade.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tripline-migrations-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Runs migrations on the test database, and returns its tables and versions. */
async function shapeAfter(steps: Migrations): Promise<{ problem: string; tables: string[]; versions: string[]; notes: string[] }> {
  const database = openDatabase({ path: join(folder, 'state.db') })
  try {
    const problem = await migrate(database, steps).then(() => '', String)
    const tables = await sql<{ name: string }>`select name from sqlite_schema where type = 'table' order by name`.execute(database.db)
    const versions = await database.db.selectFrom('kyselyMigration').select('name').orderBy('name').execute()
    const names = tables.rows.map(({ name }) => name)
    const notes = names.includes('notes') ? await sql<{ text: string }>`select text from notes order by text`.execute(database.db) : { rows: [] }
    return { problem, tables: names, versions: versions.map(({ name }) => name), notes: notes.rows.map(({ text }) => text) }
  } finally {
    await database.db.destroy()
  }
}

/** Makes the test database as release 0.1.0 left it, which numbered its migrations. */
function makeNumbered(name: string, statements: readonly string[]): void {
  const database = new DatabaseSync(join(folder, 'state.db'))
  database.exec('create table schema_versions (version integer primary key, name text not null, checksum text not null) strict')
  for (const statement of statements) database.exec(statement)
  const checksum = createHash('sha256').update(JSON.stringify([name, ...statements])).digest('hex')
  database.prepare('insert into schema_versions values (1, ?, ?)').run(name, checksum)
  database.close()
}

const { name: firstName, statements: firstStatements } = first['0001-notes']!

const records = ['kysely_migration', 'kysely_migration_lock', 'migration_checksums', 'notes']
const old = { tables: records, versions: ['0001-notes'], notes: ['one'] }
const whole = { tables: [...records, 'labels'].sort(), versions: ['0001-notes', '0002-labels'], notes: ['one', 'two'] }

test('all migrations run, and again change nothing', async () => {
  const once = await shapeAfter(migrations)
  expect(once).toMatchObject({ problem: '', versions: Object.keys(migrations) })
  expect(await shapeAfter(migrations)).toEqual(once)
})

test('a statement that fails in the middle leaves the shape before', async () => {
  await shapeAfter(first)
  const statements = [...labels.slice(0, 2), 'insert into nowhere values (1)', ...labels.slice(2)]
  const { problem, ...shape } = await shapeAfter({ ...first, '0002-labels': { name: 'labels', statements } })
  expect(problem).toContain('the migration 0002-labels failed and changed nothing')
  expect(shape).toEqual(old)
  expect(await shapeAfter(upgrade)).toEqual({ problem: '', ...whole })
})

const numbered = { ...whole, tables: [...whole.tables, 'schema_versions'].sort() }

test.for<[records: string, make: () => unknown, before: typeof old, after: typeof whole]>([
  ['names', () => shapeAfter(first), old, whole],
  ['numbers', () => makeNumbered(firstName, firstStatements), { ...old, tables: [...old.tables, 'schema_versions'] }, numbered],
])('a process that is killed after any statement leaves the shape before or after, where %s are recorded', async ([, make, before, after]) => {
  const shapes: string[] = []
  // Until a process survives because it ran fewer statements.
  for (let count = 1; ; count++) {
    await rm(join(folder, 'state.db'), { force: true })
    await rm(join(folder, 'state.db-wal'), { force: true })
    await rm(join(folder, 'state.db-shm'), { force: true })
    await make()
    const main = join(import.meta.dirname, 'upgrade-main.ts')
    const { signal, status, stderr } = spawnSync(process.execPath, [main, join(folder, 'state.db'), String(count)], { encoding: 'utf8' })
    const { problem, ...shape } = await shapeAfter(first)
    const isWhole = problem.includes('which this program does not know')
    expect(shape).toEqual(isWhole ? after : before)
    shapes.push(isWhole ? 'after' : 'before')
    expect(await shapeAfter(upgrade)).toEqual({ problem: '', ...after })
    if (signal === null) {
      expect(status, stderr).toBe(0)
      break
    }
  }
  expect(new Set(shapes)).toEqual(new Set(['before', 'after']))
  expect(shapes.length).toBeGreaterThan(labels.length)
  expect(shapes.join()).toMatch(/^(before,)+after(,after)*$/)
})

test('a database of a newer program is refused, with the version that it has', async () => {
  await shapeAfter({ ...upgrade, '0003-last': { name: 'last', statements: [] } })
  expect((await shapeAfter(first)).problem).toContain('the database has schema version 0003-last, which this program does not know')
})

test('a migration that is not the one that was numbered is refused', async () => {
  makeNumbered(firstName, ['create table notes (text text)'])
  const database = openDatabase({ path: join(folder, 'state.db') })
  await expect(migrate(database, upgrade)).rejects.toThrow('the migration 0001-notes differs from the one that was applied')
  await database.db.destroy()
})

test('the program that numbers migrations finds a newer database', async () => {
  makeNumbered(firstName, firstStatements)
  await shapeAfter(upgrade)
  const database = new DatabaseSync(join(folder, 'state.db'))
  expect(database.prepare('select version from schema_versions').all()).toEqual([{ version: 1_000_000 }])
  database.close()
})

test('a migration that is not the one that was run is refused', async () => {
  await shapeAfter(first)
  const other = { '0001-notes': { name: 'notes', statements: ['create table notes (text text)'] } }
  expect((await shapeAfter(other)).problem).toContain('the migration 0001-notes differs from the one that was applied')
})

test('of two processes that migrate at once each finds it done', async () => {
  await shapeAfter(first)
  const main = join(import.meta.dirname, 'upgrade-main.ts')
  const ended = Array.from({ length: 2 }, async () => {
    const child = spawn(process.execPath, [main, join(folder, 'state.db'), '1000'], { stdio: ['ignore', 'inherit', 'inherit'] })
    return await new Promise<number | null>((resolve) => child.once('close', resolve))
  })
  expect(await Promise.all(ended)).toEqual([0, 0])
  expect(await shapeAfter(upgrade)).toEqual({ problem: '', ...whole })
})
