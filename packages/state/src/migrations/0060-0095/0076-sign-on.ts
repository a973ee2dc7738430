import type { Migration } from '../migrate.ts'

/** The identity provider of each tenant, the domains that lead to it, and what it stated of the user of a session. */
export const signOn: Migration = {
  name: 'sign-on',
  statements: [
    `create table sign_on (
      tenant_id text primary key references tenants (id),
      is_enabled bigint not null,
      is_enforced bigint not null,
      issuer text not null,
      client_id text not null,
      client_secret text not null,
      scopes text not null,
      break_glass_user_id text not null,
      last_test text not null,
      version bigint not null,
      updated_at bigint not null,
      row_checksum bigint
    )`,
    `create table sign_on_domains (
      domain text primary key,
      tenant_id text not null references tenants (id),
      row_checksum bigint
    )`,
    'create index sign_on_domains_by_tenant on sign_on_domains (tenant_id)',
    "alter table sessions add column claims text not null default ''",
  ],
}
