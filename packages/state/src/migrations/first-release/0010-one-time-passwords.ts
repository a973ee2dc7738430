import type { Migration } from '../migrate.ts'

export const oneTimePasswords: Migration = {
  name: 'one-time passwords',
  statements: ['alter table accounts add column has_one_time_password bigint not null default 0'],
}
