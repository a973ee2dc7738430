import type { Migration } from './migrate.ts'

/**
 * Finds the open findings of an asset. Without this index SQLite takes that of the due dates, which leads to all that are open of
 * the tenant, for each asset of a scan.
 */
export const findingsOfAssets: Migration = {
  name: 'findings of assets',
  statements: ['create index asset_findings_by_asset_status on asset_findings (tenant_id, asset_id, status, severity)'],
}
