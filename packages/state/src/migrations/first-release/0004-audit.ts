import type { Migration } from '../migrate.ts'

export const audit: Migration = {
  name: 'audit',
  statements: [
    `create table audit_entries (
      tenant_id text not null references tenants (id),
      seq bigint not null,
      at bigint not null,
      actor_type text not null,
      actor_id text not null,
      actor_email text,
      action text not null,
      target_type text not null,
      target_id text not null,
      ip text,
      user_agent text,
      request_id text,
      outcome text not null,
      diff text,
      prev_hash text not null,
      hash text not null,
      primary key (tenant_id, seq)
    )`,
    'create index audit_entries_by_time on audit_entries (tenant_id, at, seq)',
    'create index audit_entries_by_target on audit_entries (tenant_id, target_type, target_id, seq)',
    `create table audit_ends (
      tenant_id text not null primary key references tenants (id),
      first_seq bigint not null,
      first_hash text not null,
      last_seq bigint not null,
      last_hash text not null,
      seal text not null
    )`,
  ],
}
