import type { Migration } from '../migrate.ts'

export const savedViews: Migration = {
  name: 'saved views',
  statements: [
    `create table saved_views (
      tenant_id text not null references tenants (id),
      id text not null,
      page text not null,
      name text not null,
      query text not null,
      is_shared bigint not null,
      owner_id text not null,
      version bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      primary key (tenant_id, id)
    )`,
    'create index saved_views_by_owner on saved_views (tenant_id, owner_id)',
  ],
}
