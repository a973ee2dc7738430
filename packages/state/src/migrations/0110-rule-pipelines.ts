import type { Migration } from './migrate.ts'

/** The processing pipelines of tenants, which rewrite their rules. */
export const rulePipelines: Migration = {
  name: 'rule pipelines',
  statements: [
    `create table rule_pipelines (
      tenant_id text not null references tenants (id),
      id text not null,
      name text not null,
      text text not null,
      priority bigint not null,
      is_enabled bigint not null,
      version bigint not null,
      created_by text not null,
      updated_by text not null,
      created_at bigint not null,
      updated_at bigint not null,
      row_checksum bigint,
      primary key (tenant_id, id),
      unique (tenant_id, name)
    )`,
  ],
}
