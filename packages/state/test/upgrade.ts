import type { Migrations } from '../src/migrations/migrate.ts'

/** A first shape of a database. */
export const first: Migrations = {
  '0001-notes': { name: 'notes', statements: ['create table notes (text text primary key)', "insert into notes values ('one')"] },
}

/** An upgrade of it that changes tables and rows. */
export const labels = [
  'create table labels (text text primary key, note text references notes (text))',
  "insert into notes values ('two')",
  "insert into labels values ('red', 'two')",
  'create index labels_by_note on labels (note)',
]
export const upgrade: Migrations = { ...first, '0002-labels': { name: 'labels', statements: labels } }
