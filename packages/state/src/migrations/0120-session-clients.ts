import type { Migration } from './migrate.ts'

/** Where sessions are used from, for their users; of sessions of earlier releases it is not known until their next refresh. */
export const sessionClients: Migration = {
  name: 'session clients',
  statements: ["alter table sessions add column client text not null default ''"],
}
