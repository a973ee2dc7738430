import type { Migration } from '../migrate.ts'

export const tenantsAndUsers: Migration = {
  name: 'tenants and users',
  statements: [
    `create table tenants (
      id text primary key,
      name text not null,
      is_active bigint not null,
      settings text not null,
      version bigint not null,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    `create table users (
      tenant_id text not null references tenants (id),
      id text not null,
      email text not null,
      email_folded text not null,
      name text not null,
      roles text not null,
      is_active bigint not null,
      password_hash text,
      version bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      primary key (tenant_id, id),
      unique (tenant_id, email_folded)
    )`,
    'create index users_by_email on users (email_folded)',
    `create table api_keys (
      tenant_id text not null references tenants (id),
      id text not null,
      name text not null,
      hash text not null unique,
      access text not null,
      created_by text not null,
      created_at bigint not null,
      expires_at bigint,
      last_used_at bigint,
      revoked_at bigint,
      primary key (tenant_id, id)
    )`,
    `create table sessions (
      tenant_id text not null,
      id text not null,
      user_id text not null,
      created_at bigint not null,
      idle_until bigint not null,
      ends_at bigint not null,
      ended_at bigint,
      ended_because text,
      primary key (tenant_id, id),
      foreign key (tenant_id, user_id) references users (tenant_id, id)
    )`,
    'create index sessions_by_user on sessions (tenant_id, user_id)',
    `create table refresh_tokens (
      tenant_id text not null,
      hash text not null primary key,
      session_id text not null,
      issued_at bigint not null,
      used_at bigint,
      foreign key (tenant_id, session_id) references sessions (tenant_id, id)
    )`,
    'create index refresh_tokens_by_session on refresh_tokens (tenant_id, session_id)',
  ],
}
