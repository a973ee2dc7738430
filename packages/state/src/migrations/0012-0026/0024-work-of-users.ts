import type { Migration } from '../migrate.ts'

/** What users prefer, and what their changes of many alerts replaced. */
export const workOfUsers: Migration = {
  name: 'work of users',
  statements: [
    `create table user_preferences (
      tenant_id text not null,
      user_id text not null,
      content text not null,
      version bigint not null,
      updated_at bigint not null,
      row_checksum bigint,
      primary key (tenant_id, user_id),
      foreign key (tenant_id, user_id) references users (tenant_id, id)
    )`,
    `create table bulk_changes (
      tenant_id text not null references tenants (id),
      id text not null,
      part bigint not null,
      user_id text not null,
      expires_at bigint not null,
      before text not null,
      row_checksum bigint,
      primary key (tenant_id, id, part)
    )`,
  ],
}
