import type { Migration } from '../migrate.ts'

/** A checksum for each row; audit trails have their hash chain instead. The connection that migrates fills them. */
export const rowChecksums: Migration = {
  name: 'row checksums',
  statements: [
    ...[
      'tenants', 'accounts', 'users', 'api_keys', 'sessions', 'rules', 'alerts', 'alert_matches', 'alert_comments', 'alert_counts',
      'verdict_counts', 'requests', 'checkpoints', 'connectors', 'connector_moments', 'metric_points', 'metric_totals', 'assets',
      'asset_addresses', 'persons', 'person_names', 'indicators', 'saved_views',
    ].map((table) => `alter table ${table} add column row_checksum bigint`),
    'create table checksum_columns (table_name text primary key, columns text not null)',
  ],
}
