import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { checkDatabase } from '../src/check-database.ts'

test('reports the offset of the corrupted page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tripline-check-'))
  const path = join(folder, 'state.db')
  const database = new DatabaseSync(path)
  database.exec(`create table kysely_migration (name text); insert into kysely_migration values ('1'), ('2')`)
  const page = Number(database.prepare(`select rootpage from sqlite_schema where name = 'kysely_migration'`).get()?.['rootpage'])
  const size = Number(database.prepare('pragma page_size').get()?.['page_size'])
  database.close()
  expect(checkDatabase(path)).toEqual({ version: '2', problems: [] })
  const bytes = readFileSync(path)
  // The first entry of the page has an offset beyond its end; the second is valid.
  bytes.fill(0xff, (page - 1) * size + 8, (page - 1) * size + 10)
  writeFileSync(path, bytes)
  const { problems: [first] } = checkDatabase(path)
  expect(first).toEqual({ offset: (page - 1) * size, problem: expect.stringMatching(new RegExp(`^Tree ${page} page ${page} cell 0: `)) })
  rmSync(folder, { recursive: true })
})
