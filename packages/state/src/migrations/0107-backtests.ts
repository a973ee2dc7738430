import type { Migration } from './migrate.ts'

/** Backtests that run beside requests, with what they found. */
export const backtests: Migration = {
  name: 'backtests',
  statements: [
    `create table backtests (
      tenant_id text not null references tenants (id),
      id text not null,
      rule_ids text not null,
      definition text not null,
      is_compared bigint not null,
      from_at bigint not null,
      to_at bigint not null,
      status text not null,
      is_unfinished bigint not null,
      requested_by text not null,
      requested_at bigint not null,
      finished_at bigint not null,
      result text not null,
      error text not null,
      row_checksum bigint,
      primary key (tenant_id, id)
    )`,
    'create index backtests_by_time on backtests (tenant_id, requested_at, id)',
    'create index backtests_unfinished on backtests (tenant_id, requested_at) where is_unfinished = 1',
  ],
}
