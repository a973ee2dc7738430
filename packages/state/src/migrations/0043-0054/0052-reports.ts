import type { Migration } from '../migrate.ts'

/** The history of reports, and what each holds. */
export const reports: Migration = {
  name: 'reports',
  statements: [
    `create table reports (
      tenant_id text not null references tenants (id),
      id text not null,
      kind text not null,
      framework text not null,
      format text not null,
      language text not null,
      from_at bigint,
      to_at bigint,
      status text not null,
      is_unfinished bigint not null,
      title text not null,
      requested_by text not null,
      requested_at bigint not null,
      finished_at bigint not null,
      size bigint not null,
      sha256 text not null,
      error text not null,
      row_checksum bigint,
      primary key (tenant_id, id)
    )`,
    'create index reports_by_time on reports (tenant_id, requested_at, id)',
    'create index reports_unfinished on reports (tenant_id, requested_at) where is_unfinished = 1',
    `create table report_contents (
      tenant_id text not null,
      id text not null,
      definition text not null,
      file bytea not null,
      row_checksum bigint,
      primary key (tenant_id, id)
    )`,
  ],
}
