import { sql } from 'kysely'
import type { Expression, Kysely, SqlBool } from 'kysely'
import { limits } from '../../limits.ts'
import { getAssetKey, criticalities, mergeAsset, riskLevels, riskScoreMin, unknownAsset } from '../../model/enrichment/asset.ts'
import type { Asset } from '../../model/enrichment/asset.ts'
import { assetFields } from '../../model/enrichment/enrichment-fields.ts'
import type { AssetQuery, AssetSortField, AssetStore, AssetWithAlerts, NewAsset, Span } from '../ports/asset-store.ts'
import { buildOpenAlertCount } from './open-alerts.ts'
import { compareAndSet } from './query/compare-and-set.ts'
import { inTransaction } from './query/database.ts'
import { containsText } from './query/dialect.ts'
import { readPage } from './query/enrichment-page.ts'
import type { ListSource } from './query/enrichment-page.ts'
import type { ListColumns } from './query/filter-condition.ts'
import { splitIntoParts, upsertAll } from './query/upsert.ts'
import { parseAssetRow, toAssetRow, getCriticalityRank } from './rows/asset-row.ts'
import type { AssetRow } from './rows/enrichment-tables.ts'
import type { Tables } from './rows/tables.ts'

/** Stores the assets of tenants. */
export function assetStore(db: Kysely<Tables>): AssetStore {
  const rowsOf = (db: Kysely<Tables>, tenant: string) => db.selectFrom('assets').selectAll('assets').where('assets.tenantId', '=', tenant)
  const get = async (db: Kysely<Tables>, tenant: string, id: string) => {
    const row = await rowsOf(db, tenant).where('id', '=', id).executeTakeFirst()
    return row && parseAssetRow(row)
  }
  return {
    upsert: (tenant, stated, at) =>
      upsertAll<NewAsset, Asset>(db, stated, {
        keyOf,
        make: ({ id, facts }) => ({ id, ...unknownAsset, ...facts, version: 1, createdAt: at, updatedAt: at }),
        merge: mergeAsset,
        nextVersion: (next) => ({ ...next, version: next.version + 1, updatedAt: at }),
        async find(db, keys) {
          const found: AssetRow[] = []
          for (const part of splitIntoParts(keys, limits.enrichment.soughtAtOnceMax)) {
            found.push(...(await rowsOf(db, tenant).where('naturalKey', 'in', part).execute()))
          }
          return found.map((row) => [row.naturalKey, parseAssetRow(row)])
        },
        insert: (db, assets) => insertAssets(db, tenant, assets),
        replace: (db, asset) => replaceAsset(db, tenant, asset).then(() => undefined),
      }),
    async get(tenant, id) {
      const row = await rowsOf(db, tenant).select(openCount.as('openAlertCount')).where('id', '=', id).executeTakeFirst()
      return row && withAlerts(row)
    },
    async list(tenant, query) {
      const source: ListSource<AssetSortField> = {
        from: sql`assets`,
        columns: sql`*, ${openCount} as open_alert_count`,
        conditions: [sql<SqlBool>`assets.tenant_id = ${tenant}`, ...conditionsOf(query)],
        list: assetColumns,
        key: (field) => sortKeys[field],
      }
      const { entries, ...page } = await readPage<CountedRow, AssetSortField>(db, source, query)
      return { ...page, entries: entries.map(withAlerts) }
    },
    async findByHostname(tenant, hostname) {
      const row = await rowsOf(db, tenant).where('hostname', '=', hostname).where('hostname', '<>', '').executeTakeFirst()
      return row && parseAssetRow(row)
    },
    async findByAddress(tenant, address) {
      const row = await rowsOf(db, tenant)
        .innerJoin('assetAddresses', (join) => join.onRef('assetAddresses.tenantId', '=', 'assets.tenantId').onRef('assetId', '=', 'id'))
        .where('address', '=', address)
        .orderBy('lastSeenAt', 'desc')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      return row && parseAssetRow(row)
    },
    update: (tenant, id, change, terms) =>
      inTransaction(db, async (db) => {
        const current = await get(db, tenant, id)
        const key = current && getAssetKey({ ...current, ...change })
        if (current !== undefined && key === undefined) return { outcome: 'keyless' }
        const holder = key === undefined ? undefined : await rowsOf(db, tenant).where('naturalKey', '=', key).executeTakeFirst()
        if (holder !== undefined && holder.id !== id) return { outcome: 'taken' }
        return await compareAndSet(terms, {
          read: () => get(db, tenant, id),
          next: (asset) => ({ ...asset, ...change, version: asset.version + 1, updatedAt: terms.at }),
          write: (next, { version }) => replaceAsset(db, tenant, next, version),
        })
      }),
    remove: (tenant, id) =>
      inTransaction(db, async (db) => {
        await db.deleteFrom('assetAddresses').where('tenantId', '=', tenant).where('assetId', '=', id).execute()
        const removing = db.deleteFrom('assets').where('tenantId', '=', tenant).where('id', '=', id)
        return (await removing.executeTakeFirst()).numDeletedRows === 1n
      }),
  }
}

type CountedRow = AssetRow & { readonly openAlertCount: number }

function withAlerts({ openAlertCount, ...row }: CountedRow): AssetWithAlerts {
  return { ...parseAssetRow(row), openAlertCount }
}

const openCount = buildOpenAlertCount('host', { tenant: sql`assets.tenant_id`, name: sql`assets.hostname` })

const sortKeys: { readonly [field in AssetSortField | 'id']: { name: string; expression: Expression<unknown> } } = {
  id: { name: 'id', expression: sql`assets.id` },
  hostname: { name: 'hostname', expression: sql`assets.hostname` },
  risk_score: { name: 'riskScore', expression: sql`assets.risk_score` },
  last_seen: { name: 'lastSeenAt', expression: sql`assets.last_seen_at` },
  criticality: { name: 'criticality', expression: sql`assets.criticality` },
  open_alerts: { name: 'openAlertCount', expression: openCount },
}

const criticalityCases = criticalities.map((name) => sql`when ${getCriticalityRank(name)} then ${name}`)
const riskCases = [...riskLevels].reverse().map((level) => sql`when assets.risk_score >= ${riskScoreMin[level]} then ${level}`)

const assetColumns: ListColumns<typeof assetFields> = {
  entries: 'assets',
  fields: assetFields,
  columns: {
    hostname: 'assets.hostname',
    risk_score: 'assets.riskScore',
    last_seen: 'assets.lastSeenAt',
    criticality: sql`case assets.criticality ${sql.join(criticalityCases, sql` `)} end`,
    open_alerts: openCount,
    type: 'assets.type',
    os: 'assets.os',
    tag: 'assets.tags',
    risk_level: sql`case ${sql.join(riskCases, sql` `)} end`,
    ip: 'assets.ipAddresses',
    last_scan_at: 'assets.lastScanAt',
    exploitable: sql`case when assets.exploitable_count > 0 then 1 else 0 end`,
  },
}

function conditionsOf({ filter, text = '' }: AssetQuery): Expression<SqlBool>[] {
  const any = (conditions: readonly Expression<SqlBool>[] | undefined): Expression<SqlBool>[] =>
    conditions === undefined ? [] : [sql<SqlBool>`(${sql.join(conditions, sql` or `)})`]
  const { isExploitable } = filter
  return [
    ...any(filter.types?.map((type) => sql`assets.type = ${type}`)),
    ...any(filter.oses?.map((os) => sql`(lower(assets.os) = lower(${os}) or lower(assets.os_family) = lower(${os}))`)),
    ...any(filter.criticalities?.map((criticality) => sql`assets.criticality = ${getCriticalityRank(criticality)}`)),
    ...any(filter.tags?.map((tag) => containsText(sql`assets.tags`, JSON.stringify(tag)))),
    ...any(filter.riskLevels?.map((level) => {
      const next = riskLevels[riskLevels.indexOf(level) + 1]
      const end = next === undefined ? Number.MAX_SAFE_INTEGER : riskScoreMin[next]
      return sql`(assets.risk_score >= ${riskScoreMin[level]} and assets.risk_score < ${end})`
    })),
    ...any(filter.addresses?.map((address) => sql`exists (
      select 1 from asset_addresses as held
      where held.tenant_id = assets.tenant_id and held.asset_id = assets.id and held.address = ${address})`)),
    ...(isExploitable === undefined ? [] : [sql<SqlBool>`assets.exploitable_count ${sql.raw(isExploitable ? '>' : '=')} 0`]),
    ...buildSpanCondition(sql`assets.last_seen_at`, filter.lastSeen),
    ...buildSpanCondition(sql`assets.last_scan_at`, filter.lastScan),
    ...(text === '' ? [] : any(['hostname', 'ip_addresses', 'owner'].map((column) => containsText(sql.ref(`assets.${column}`), text)))),
  ]
}

function buildSpanCondition(column: Expression<unknown>, span: Span | undefined): Expression<SqlBool>[] {
  const { from, to } = span ?? {}
  if (from === undefined && to === undefined) return []
  return [sql<SqlBool>`(${column} > 0 and ${column} >= ${from ?? 0} and ${column} < ${to ?? Number.MAX_SAFE_INTEGER})`]
}

function keyOf(facts: NewAsset): string {
  const key = getAssetKey(facts)
  if (key === undefined) throw new Error('an asset has neither a name nor an address')
  return key
}

async function insertAssets(db: Kysely<Tables>, tenant: string, assets: readonly Asset[]): Promise<void> {
  for (const part of splitIntoParts(assets, limits.enrichment.rowsAtOnceMax)) {
    await db.insertInto('assets').values(part.map((asset) => toAssetRow(tenant, keyOf(asset), asset))).execute()
  }
  await insertAddresses(db, tenant, assets)
}

async function insertAddresses(db: Kysely<Tables>, tenant: string, assets: readonly Asset[]): Promise<void> {
  const rows = assets.flatMap(({ id, ipAddresses }) =>
    [...new Set(ipAddresses)].map((address) => ({ tenantId: tenant, address, assetId: id })))
  for (const part of splitIntoParts(rows, limits.enrichment.soughtAtOnceMax)) await db.insertInto('assetAddresses').values(part).execute()
}

/** Returns whether it had the expected version, if one is given. */
async function replaceAsset(db: Kysely<Tables>, tenant: string, asset: Asset, expectedVersion?: number): Promise<boolean> {
  let writing = db.updateTable('assets').set(toAssetRow(tenant, keyOf(asset), asset))
    .where('tenantId', '=', tenant).where('id', '=', asset.id)
  if (expectedVersion !== undefined) writing = writing.where('version', '=', expectedVersion)
  if ((await writing.executeTakeFirst()).numUpdatedRows !== 1n) return false
  await db.deleteFrom('assetAddresses').where('tenantId', '=', tenant).where('assetId', '=', asset.id).execute()
  await insertAddresses(db, tenant, [asset])
  return true
}
