import type { Migration } from '../migrate.ts'

export const rules: Migration = {
  name: 'rules',
  statements: [
    `create table rules (
      tenant_id text not null references tenants (id),
      id text not null,
      definition text not null,
      facts text not null,
      is_enabled bigint not null,
      lifecycle text not null,
      origin text not null,
      version bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      primary key (tenant_id, id)
    )`,
  ],
}
