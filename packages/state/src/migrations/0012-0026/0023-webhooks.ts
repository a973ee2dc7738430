import type { Migration } from '../migrate.ts'

/** Webhooks, the events that they are sent, and what became of each delivery. */
export const webhooks: Migration = {
  name: 'webhooks',
  statements: [
    `create table webhooks (
      tenant_id text not null references tenants (id),
      id text not null,
      name text not null,
      url text not null,
      events text not null,
      severities text not null,
      profile text not null,
      status text not null,
      sealed_secret text not null,
      previous_sealed_secret text,
      previous_secret_until bigint,
      since_seq bigint not null,
      failure_count bigint not null,
      skipped_count bigint not null,
      last_delivery_at bigint,
      version bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      row_checksum bigint,
      primary key (tenant_id, id),
      unique (tenant_id, name)
    )`,
    `create table webhook_events (
      tenant_id text not null references tenants (id),
      id text not null,
      type text not null,
      at bigint not null,
      subject_id text not null,
      title text not null,
      severity text,
      details text not null,
      row_checksum bigint,
      primary key (tenant_id, id)
    )`,
    'create index webhook_events_by_time on webhook_events (tenant_id, at)',
    `create table webhook_deliveries (
      tenant_id text not null,
      id text not null,
      webhook_id text not null,
      event_id text not null,
      reason text not null,
      status text not null,
      attempt bigint not null,
      due_at bigint,
      last_at bigint,
      duration_ms bigint,
      http_status bigint,
      error text not null,
      snippet text not null,
      created_at bigint not null,
      row_checksum bigint,
      primary key (tenant_id, id),
      foreign key (tenant_id, webhook_id) references webhooks (tenant_id, id) on delete cascade
    )`,
    // An event that comes again after a kill is queued once.
    `create unique index webhook_deliveries_by_event on webhook_deliveries (tenant_id, webhook_id, event_id) where reason = 'event'`,
    `create index webhook_deliveries_due on webhook_deliveries (tenant_id, webhook_id, due_at) where status = 'pending'`,
    'create index webhook_deliveries_by_time on webhook_deliveries (tenant_id, webhook_id, created_at, id)',
    'create index webhook_deliveries_by_age on webhook_deliveries (tenant_id, created_at)',
  ],
}
