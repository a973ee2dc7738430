import type { Migration } from '../migrate.ts'

/** The alerts of an asset are found by its names, in whatever letters events write them. */
export const alertsByFoldedHost: Migration = {
  name: 'alerts by folded host',
  statements: ['create index alerts_by_folded_host on alerts (tenant_id, lower(host), created_at, id)'],
}
