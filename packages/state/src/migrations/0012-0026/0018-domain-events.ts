import type { Migration } from '../migrate.ts'

/** The outbox of domain events, and how far each consumer has read it. */
export const domainEvents: Migration = {
  name: 'domain events',
  statements: [
    `create table domain_events (
      tenant_id text not null references tenants (id),
      seq bigint not null,
      type text not null,
      subject_id text not null,
      at bigint not null,
      data text not null,
      row_checksum bigint,
      primary key (tenant_id, seq)
    )`,
    `create table domain_event_positions (
      tenant_id text not null references tenants (id),
      consumer text not null,
      seq bigint not null,
      row_checksum bigint,
      primary key (tenant_id, consumer)
    )`,
  ],
}
