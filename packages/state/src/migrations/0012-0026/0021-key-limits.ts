import type { Migration } from '../migrate.ts'

/** The resources that an API key is restricted to, and its own rate limit; earlier keys have neither. */
export const keyLimits: Migration = {
  name: 'key limits',
  statements: [
    "alter table api_keys add column resources text not null default '[]'",
    'alter table api_keys add column requests_per_minute bigint',
  ],
}
