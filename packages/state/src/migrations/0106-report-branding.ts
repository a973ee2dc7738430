import type { Migration } from './migrate.ts'

/** What stands at the head of a tenant's reports. */
export const reportBranding: Migration = {
  name: 'report branding',
  statements: [
    `create table report_branding (
      tenant_id text primary key references tenants (id),
      name text not null,
      logo blob,
      width bigint not null,
      height bigint not null,
      version bigint not null,
      updated_at bigint not null,
      row_checksum bigint
    )`,
  ],
}
