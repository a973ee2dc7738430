import type { Migration } from '../migrate.ts'

/** Users and groups that identity providers provision by SCIM, and the tokens with which they do. */
export const provisioning: Migration = {
  name: 'provisioning',
  statements: [
    `create table provisioning_tokens (
      tenant_id text not null references tenants (id),
      id text not null,
      hash text not null unique,
      created_by text not null,
      created_at bigint not null,
      expires_at bigint not null,
      last_used_at bigint not null,
      last_used_ip text not null,
      row_checksum bigint,
      primary key (tenant_id, id)
    )`,
    `create table provisioned_users (
      tenant_id text not null,
      user_id text not null,
      user_name text not null,
      folded_name text not null,
      external_id text not null,
      attributes text not null,
      login_id text not null,
      is_removed bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      row_checksum bigint,
      primary key (tenant_id, user_id),
      unique (tenant_id, folded_name),
      foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
    )`,
    `create table provisioned_groups (
      tenant_id text not null references tenants (id),
      id text not null,
      display_name text not null,
      folded_name text not null,
      external_id text not null,
      created_at bigint not null,
      updated_at bigint not null,
      row_checksum bigint,
      primary key (tenant_id, id),
      unique (tenant_id, folded_name)
    )`,
    `create table provisioned_members (
      tenant_id text not null,
      group_id text not null,
      user_id text not null,
      row_checksum bigint,
      primary key (tenant_id, group_id, user_id),
      foreign key (tenant_id, group_id) references provisioned_groups (tenant_id, id) on delete cascade,
      foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
    )`,
    'create index provisioned_members_by_user on provisioned_members (tenant_id, user_id)',
  ],
}
