import type { Migration } from '../migrate.ts'

/**
 * The alert that a match belongs to is an open one, and was not found fast by all alerts of an hour; hosts and users are what
 * lists are narrowed by most, and without an index all alerts were looked at for one of few.
 */
export const alertIndexes: Migration = {
  name: 'alert indexes',
  statements: [
    'drop index alerts_by_dedup',
    'create index alerts_by_host on alerts (tenant_id, host, created_at, id)',
    'create index alerts_by_user on alerts (tenant_id, user_name, created_at, id)',
    `create index open_alerts_by_dedup on alerts (tenant_id, dedup_key, created_at, id) where status in ('open', 'in_progress')`,
  ],
}
