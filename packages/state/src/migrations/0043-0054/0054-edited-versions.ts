import type { Migration } from '../migrate.ts'

const tables = ['alerts', 'incidents', 'assets']

/** The version that the last edit made: what the system adds afterwards is no conflict for who saw that one. */
export const editedVersions: Migration = {
  name: 'edited versions',
  statements: tables.flatMap((table) => [
    `alter table ${table} add column edited_version bigint not null default 0`,
    `update ${table} set edited_version = version`,
  ]),
}
