import type { Migration } from '../migrate.ts'

export const connectors: Migration = {
  name: 'connectors',
  statements: [
    `create table connectors (
      tenant_id text not null references tenants (id),
      id text not null,
      name text not null,
      type text not null,
      is_enabled bigint not null,
      config text not null,
      sealed_secrets text not null,
      token_hash text unique,
      status text not null,
      message text not null,
      consecutive_failures bigint not null,
      checked_at bigint,
      checks text not null,
      poll_cursor text,
      received_count bigint not null,
      failed_count bigint not null,
      byte_count bigint not null,
      last_event_at bigint,
      version bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      primary key (tenant_id, id),
      unique (tenant_id, name)
    )`,
    `create table connector_moments (
      tenant_id text not null,
      connector_id text not null,
      seq bigint not null,
      at bigint not null,
      status text not null,
      message text not null,
      primary key (tenant_id, connector_id, seq),
      foreign key (tenant_id, connector_id) references connectors (tenant_id, id) on delete cascade
    )`,
    'create index connector_moments_by_time on connector_moments (tenant_id, at)',
  ],
}
