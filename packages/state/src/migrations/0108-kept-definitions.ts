import type { Migration } from './migrate.ts'

/** What still names the person after an erasure. */
export const keptDefinitions: Migration = {
  name: 'kept definitions',
  statements: ["alter table erasures add column kept text not null default '[]'"],
}
