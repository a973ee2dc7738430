import type { Migration } from '../migrate.ts'

export const metrics: Migration = {
  name: 'metrics',
  statements: [
    `create table metric_points (
      tenant_id text not null references tenants (id),
      resolution text not null,
      name text not null,
      starts_at bigint not null,
      label text not null,
      value bigint not null,
      histogram text,
      primary key (tenant_id, resolution, name, starts_at, label)
    )`,
    'create index metric_points_by_time on metric_points (tenant_id, resolution, starts_at)',
    `create table metric_totals (
      tenant_id text not null references tenants (id),
      name text not null,
      label text not null,
      value bigint not null,
      primary key (tenant_id, name, label)
    )`,
    `create table write_checks (
      id bigint primary key,
      count bigint not null
    )`,
  ],
}
