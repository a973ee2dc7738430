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
    `create table accounts (
      email text primary key,
      password_hash text,
      totp_secret text,
      totp_step_used bigint not null
    )`,
    // A user of an external issuer has no account, so none is referred to.
    `create table users (
      tenant_id text not null references tenants (id),
      id text not null,
      email text not null,
      account text not null,
      name text not null,
      roles text not null,
      is_active bigint not null,
      permissions_version bigint not null,
      version bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      primary key (tenant_id, id),
      unique (tenant_id, account)
    )`,
    'create index users_by_account on users (account)',
    `create table api_keys (
      tenant_id text not null references tenants (id),
      public_id text not null unique,
      name text not null,
      scope text not null,
      api_profile text not null,
      allowed_cidrs text not null,
      hash text not null,
      created_by text not null,
      created_at bigint not null,
      expires_at bigint,
      revoked_at bigint,
      last_used_at bigint,
      last_used_ip text,
      version bigint not null,
      updated_at bigint not null,
      primary key (tenant_id, public_id)
    )`,
    `create table sessions (
      tenant_id text not null,
      id text not null,
      user_id text not null,
      created_at bigint not null,
      refreshed_at bigint not null,
      generation bigint not null,
      revoked_at bigint,
      primary key (tenant_id, id),
      foreign key (tenant_id, user_id) references users (tenant_id, id)
    )`,
    'create index sessions_by_user on sessions (tenant_id, user_id)',
  ],
}
