import type { Migration } from '../migrate.ts'

/** The server's jobs: when each is due, which process runs it, and how its last runs ended. */
export const jobs: Migration = {
  name: 'jobs',
  statements: [
    `create table jobs (
      name text primary key,
      due_at bigint not null,
      owner text,
      leased_until bigint not null,
      attempts bigint not null,
      last_success_at bigint,
      last_error text,
      row_checksum bigint
    )`,
  ],
}
