import type { Migration } from '../migrate.ts'

export const checkpoints: Migration = {
  name: 'checkpoints',
  statements: [
    `create table checkpoints (
      tenant_id text not null references tenants (id),
      stage text not null,
      part text not null,
      bytes bytea not null,
      primary key (tenant_id, stage, part)
    )`,
  ],
}
