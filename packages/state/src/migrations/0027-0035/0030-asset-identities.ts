import type { Migration } from '../migrate.ts'

/**
 * What assets are recognised by, what they were bound to over time, and what happened to them. `is_inferred` marks assets
 * that only events tell of: those make room for others.
 */
export const assetIdentities: Migration = {
  name: 'asset identities',
  statements: [
    'alter table assets add column first_seen_at bigint not null default 0',
    'alter table assets add column last_log_at bigint not null default 0',
    'alter table assets add column is_inferred bigint not null default 0',
    'create index assets_inferred on assets (tenant_id, is_inferred, last_seen_at, id)',
    `create table asset_identifiers (
      tenant_id text not null,
      kind text not null,
      value text not null,
      asset_id text not null,
      row_checksum bigint,
      primary key (tenant_id, kind, value, asset_id),
      foreign key (tenant_id, asset_id) references assets (tenant_id, id)
    )`,
    'create index asset_identifiers_by_asset on asset_identifiers (tenant_id, asset_id)',
    `create table asset_bindings (
      tenant_id text not null,
      asset_id text not null,
      kind text not null,
      value text not null,
      source text not null,
      first_seen_at bigint not null,
      last_seen_at bigint not null,
      seen_count bigint not null,
      row_checksum bigint,
      primary key (tenant_id, asset_id, kind, value),
      foreign key (tenant_id, asset_id) references assets (tenant_id, id)
    )`,
    'create index asset_bindings_by_value on asset_bindings (tenant_id, kind, value, last_seen_at)',
    `create table asset_activity (
      tenant_id text not null,
      id text not null,
      asset_id text not null,
      at bigint not null,
      kind text not null,
      title text not null,
      severity text not null,
      ref text not null,
      occurrences bigint not null,
      row_checksum bigint,
      primary key (tenant_id, id),
      foreign key (tenant_id, asset_id) references assets (tenant_id, id)
    )`,
    'create index asset_activity_by_asset on asset_activity (tenant_id, asset_id, at, id)',
    `insert into asset_identifiers (tenant_id, kind, value, asset_id)
      select tenant_id, 'name', hostname, id from assets where hostname <> ''`,
    `insert into asset_identifiers (tenant_id, kind, value, asset_id)
      select tenant_id, 'label', substr(hostname, 1, instr(hostname, '.') - 1), id from assets where instr(hostname, '.') > 1`,
    `insert or ignore into asset_identifiers (tenant_id, kind, value, asset_id)
      select assets.tenant_id, 'mac', macs.value, assets.id from assets, json_each(assets.mac_addresses) as macs`,
  ],
}
