import type { Migration } from '../migrate.ts'

/** Erasures of persons' data, and what became of them. */
export const erasures: Migration = {
  name: 'erasures',
  statements: [
    `create table erasures (
      tenant_id text not null references tenants (id),
      request_id text not null,
      status text not null,
      is_unfinished bigint not null,
      sealed_identifiers text not null,
      requested_by text not null,
      requested_at bigint not null,
      finished_at bigint not null,
      event_count bigint not null,
      row_count bigint not null,
      error text not null,
      row_checksum bigint,
      primary key (tenant_id, request_id)
    )`,
    'create index erasures_unfinished on erasures (tenant_id, requested_at) where is_unfinished = 1',
  ],
}
