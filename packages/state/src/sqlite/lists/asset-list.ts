import { riskLevels, riskScoreMin } from '@tripline/model/enrichment/asset'
import { assetFields } from '@tripline/model/enrichment/enrichment-fields'
import { sql } from 'kysely'
import type { AssetWithAlerts } from '../../ports/assets/asset-store.ts'
import { buildOpenAlertCount } from './open-alerts.ts'
import type { FieldColumn } from './filter-condition.ts'
import type { SqlList } from './list-page.ts'
import { parseAssetRow, parseStoredInstant } from '../rows/asset-row.ts'
import type { AssetRow } from '../rows/enrichment-tables.ts'

export const openAlertsOfAsset = buildOpenAlertCount('host', { tenant: sql`assets.tenant_id`, name: sql`assets.hostname` })

/** 0 where nothing that is open has a date. */
export const findingsDueAtOfAsset = sql<number>`coalesce((
  select min(due.due_at) from asset_findings as due
  where due.tenant_id = assets.tenant_id and due.asset_id = assets.id and due.status = 'open' and due.due_at > 0), 0)`

const riskCases = [...riskLevels].reverse().map((level) => sql`when assets.risk_score >= ${riskScoreMin[level]} then ${level}`)

const columns: { readonly [field in keyof typeof assetFields]: FieldColumn } = {
  hostname: 'assets.hostname',
  risk_score: 'assets.riskScore',
  last_seen: 'assets.lastSeenAt',
  criticality: 'assets.criticality',
  open_alerts: { expression: openAlertsOfAsset, name: 'openAlertCount' },
  type: 'assets.type',
  os: 'assets.os',
  os_folded: { expression: sql`lower(assets.os)` },
  os_family_folded: { expression: sql`lower(assets.os_family)` },
  tag: 'assets.tags',
  risk_level: { expression: sql`case ${sql.join(riskCases, sql` `)} end` },
  ip: {
    expression: sql`assets.ip_addresses`,
    holds: (address) => sql`exists (
      select 1 from asset_addresses as held
      where held.tenant_id = assets.tenant_id and held.asset_id = assets.id and held.address = ${address})`,
  },
  last_scan_at: 'assets.lastScanAt',
  last_log_at: 'assets.lastLogAt',
  exploitable: { expression: sql`case when assets.exploitable_count > 0 then 1 else 0 end` },
  findings_due_at: { expression: findingsDueAtOfAsset, name: 'findingsDueAt' },
}

type CountedAssetRow = AssetRow & { readonly openAlertCount: number; readonly findingsDueAt: number }

export function parseCountedAsset({ openAlertCount, findingsDueAt, ...row }: CountedAssetRow): AssetWithAlerts {
  return { ...parseAssetRow(row), openAlertCount, findingsDueAt: parseStoredInstant(findingsDueAt) }
}

/** The assets of a tenant. */
export const assetList: SqlList<CountedAssetRow, AssetWithAlerts> = {
  entries: 'assets', fields: assetFields, columns, texts: ['assets.hostname', 'assets.ipAddresses', 'assets.owner'],
  from: sql`assets`, select: sql`*, ${openAlertsOfAsset} as open_alert_count, ${findingsDueAtOfAsset} as findings_due_at`,
  tenant: 'assets.tenantId', id: 'assets.id',
  parse: parseCountedAsset,
}
