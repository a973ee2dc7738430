import type { Migration } from '../../src/state/migrations/migrate.ts'

/** A first shape of a database, and an upgrade of it that changes tables and rows. */
export const upgrade: readonly [first: Migration, second: Migration] = [
  { name: 'notes', statements: ['create table notes (text text primary key)', "insert into notes values ('one')"] },
  {
    name: 'labels',
    statements: [
      'create table labels (text text primary key, note text references notes (text))',
      "insert into notes values ('two')",
      "insert into labels values ('red', 'two')",
      'create index labels_by_note on labels (note)',
    ],
  },
]
