import type { Migration } from '../migrate.ts'

export const requests: Migration = {
  name: 'requests',
  statements: [
    `create table requests (
      tenant_id text not null references tenants (id),
      route text not null,
      key text not null,
      body_hash text not null,
      begun_at bigint not null,
      status bigint,
      headers text,
      body text,
      primary key (tenant_id, route, key)
    )`,
    'create index requests_by_time on requests (tenant_id, begun_at)',
  ],
}
