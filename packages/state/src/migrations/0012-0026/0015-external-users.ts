import type { Migration } from '../migrate.ts'

/** Users of an external issuer, and the time before which their tokens are refused. */
export const externalUsers: Migration = {
  name: 'external users',
  statements: [
    "alter table users add column external_issuer text not null default ''",
    'alter table users add column tokens_valid_from bigint not null default 0',
  ],
}
