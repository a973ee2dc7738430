import type { Migration } from './migrate.ts'

/** Identity providers that speak SAML, and the assertions that were used, so that each does once whatever restarts. */
export const saml: Migration = {
  name: 'saml',
  statements: [
    "alter table sign_on add column protocol text not null default 'oidc'",
    "alter table sign_on add column login_url text not null default ''",
    "alter table sign_on add column certificates text not null default '[]'",
    `create table used_assertions (
      tenant_id text not null references tenants (id),
      hash text not null,
      expires_at bigint not null,
      row_checksum bigint,
      primary key (tenant_id, hash)
    )`,
    'create index used_assertions_by_expiry on used_assertions (tenant_id, expires_at)',
  ],
}
