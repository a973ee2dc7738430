import { createHash } from 'node:crypto'
import { activityKinds } from '@tripline/model/assets/asset-history'
import type { ActivityEntry, AssetBinding, AssetRisk } from '@tripline/model/assets/asset-history'
import type { Sighting } from '@tripline/model/assets/sighting'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { limits } from '../../limits.ts'
import { splitIntoParts } from '../query/upsert.ts'
import type { AssetActivityRow, AssetBindingRow, AssetIdentifierRow, AssetRiskRow } from '../rows/asset-tables.ts'
import type { Tables } from '../rows/tables.ts'

/** A sighting, and the asset that it was of. */
type Seen = { readonly sighting: Sighting; readonly assetId: string }

const hourMs = 3_600_000

/** Extends the times for which assets had their addresses, interfaces, names and users. */
export async function recordBindings(db: Kysely<Tables>, tenant: string, seen: readonly Seen[]): Promise<void> {
  const rows = new Map<string, AssetBindingRow>()
  for (const { sighting: { at, source, facts, logons }, assetId } of seen) {
    const add = (kind: AssetBinding['kind'], value: string): void => {
      const key = `${assetId} ${kind} ${value}`
      const known = rows.get(key) ?? { tenantId: tenant, assetId, kind, value, source, firstSeenAt: at, lastSeenAt: at, seenCount: 0 }
      rows.set(key, {
        ...known, firstSeenAt: Math.min(known.firstSeenAt, at), lastSeenAt: Math.max(known.lastSeenAt, at), seenCount: known.seenCount + 1,
      })
    }
    for (const address of facts.ipAddresses ?? []) add('ip', address)
    for (const address of facts.macAddresses ?? []) add('mac', address)
    if (facts.hostname !== undefined && facts.hostname !== '') add('name', facts.hostname)
    for (const user of logons.keys()) add('user', user)
  }
  await writeBindings(db, [...rows.values()])
  await trimBindings(db, tenant, [...new Set(seen.map(({ assetId }) => assetId))])
}

/** Counts the logons of each user on each asset by the hour. */
export async function recordLogons(db: Kysely<Tables>, tenant: string, seen: readonly Seen[]): Promise<void> {
  const entries = seen.flatMap(({ sighting: { at, logons }, assetId }) => [...logons].map(([user, count]): ActivityEntry => {
    return { assetId, at: Math.floor(at / hourMs) * hourMs, kind: 'logon', title: user, severity: '', ref: '', count }
  }))
  await writeActivity(db, tenant, entries)
}

/** Adds entries; equal ones are counted. The oldest give way where an asset has too many. */
export async function writeActivity(db: Kysely<Tables>, tenant: string, entries: readonly ActivityEntry[]): Promise<void> {
  const rows = new Map<string, AssetActivityRow>()
  for (const { count, ...entry } of entries) {
    const key = JSON.stringify([entry.assetId, entry.at, entry.kind, entry.title, entry.ref])
    const id = createHash('sha256').update(key).digest('base64url').slice(0, 22)
    rows.set(id, { tenantId: tenant, id, ...entry, occurrences: (rows.get(id)?.occurrences ?? 0) + count })
  }
  for (const part of splitIntoParts([...rows.values()], limits.enrichment.rowsAtOnceMax)) {
    await db.insertInto('assetActivity').values(part).onConflict((conflict) => conflict.columns(['tenantId', 'id']).doUpdateSet({
      occurrences: sql`asset_activity.occurrences + excluded.occurrences`,
    })).execute()
  }
  for (const assetId of new Set(entries.map((entry) => entry.assetId))) {
    const over = await db.selectFrom('assetActivity').select('at').where('tenantId', '=', tenant).where('assetId', '=', assetId)
      .orderBy('at', 'desc').orderBy('id', 'desc').offset(limits.assets.activityMax).limit(1).executeTakeFirst()
    if (over === undefined) continue
    await db.deleteFrom('assetActivity').where('tenantId', '=', tenant).where('assetId', '=', assetId).where('at', '<=', over.at).execute()
  }
}

export async function readBindings(db: Kysely<Tables>, tenant: string, assetId: string): Promise<readonly AssetBinding[]> {
  const rows = await db.selectFrom('assetBindings').selectAll().where('tenantId', '=', tenant).where('assetId', '=', assetId)
    .orderBy('lastSeenAt', 'desc').orderBy('kind').orderBy('value').execute()
  return rows.map(({ kind, value, source, firstSeenAt, lastSeenAt, seenCount }) => {
    return { kind, value, source, firstSeenAt, lastSeenAt, seenCount }
  })
}

export async function readActivity(
  db: Kysely<Tables>, tenant: string, assetId: string, { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly ActivityEntry[]> {
  const rows = await db.selectFrom('assetActivity').selectAll().where('tenantId', '=', tenant).where('assetId', '=', assetId)
    .where('at', '>=', from).where('at', '<', to).orderBy('at', 'desc').orderBy('id', 'desc').limit(limits.assets.activityMax).execute()
  return rows.map(({ at, kind, title, severity, ref, occurrences }) => {
    return { assetId, at, kind: activityKinds.find((known) => known === kind) ?? 'seen', title, severity, ref, count: occurrences }
  })
}

export async function readRisks(
  db: Kysely<Tables>, tenant: string, assetId: string, { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly AssetRisk[]> {
  const ofAsset = db.selectFrom('assetRisks').where('tenantId', '=', tenant).where('assetId', '=', assetId)
  const first = await ofAsset.select('at').where('at', '<=', from).orderBy('at', 'desc').limit(1).executeTakeFirst()
  return await ofAsset.select(['at', 'score']).where('at', '>=', first?.at ?? from).where('at', '<', to).orderBy('at').execute()
}

/** What an asset was bound to and recognised by, what happened to it, and its risk over time. */
export type AssetHistory = {
  readonly bindings: readonly AssetBindingRow[]
  readonly activity: readonly ActivityEntry[]
  readonly identifiers: readonly AssetIdentifierRow[]
  readonly risks: readonly AssetRiskRow[]
}

/** Reads the history of an asset that becomes part of another. */
export async function readHistory(db: Kysely<Tables>, tenant: string, assetId: string): Promise<AssetHistory> {
  const activity = await readActivity(db, tenant, assetId, { from: 0, to: Number.MAX_SAFE_INTEGER })
  const bindings = await db.selectFrom('assetBindings').selectAll().where('tenantId', '=', tenant).where('assetId', '=', assetId).execute()
  const identifiers = await db.selectFrom('assetIdentifiers').selectAll().where('tenantId', '=', tenant)
    .where('assetId', '=', assetId).execute()
  const risks = await db.selectFrom('assetRisks').selectAll().where('tenantId', '=', tenant).where('assetId', '=', assetId).execute()
  return { activity, bindings, identifiers, risks }
}

/** Adds the history of another asset to that of one. */
export async function addHistory(
  db: Kysely<Tables>, tenant: string, assetId: string, { bindings, activity, identifiers, risks }: AssetHistory,
): Promise<void> {
  await writeBindings(db, bindings.map((binding) => ({ ...binding, assetId })))
  await writeActivity(db, tenant, activity.map((entry) => ({ ...entry, assetId })))
  for (const part of splitIntoParts(risks, limits.enrichment.rowsAtOnceMax)) {
    await db.insertInto('assetRisks').values(part.map((row) => ({ ...row, assetId })))
      .onConflict((conflict) => conflict.doNothing()).execute()
  }
  for (const part of splitIntoParts(identifiers, limits.enrichment.rowsAtOnceMax)) {
    await db.insertInto('assetIdentifiers').values(part.map((row) => ({ ...row, assetId })))
      .onConflict((conflict) => conflict.doNothing()).execute()
  }
}

async function writeBindings(db: Kysely<Tables>, rows: readonly AssetBindingRow[]): Promise<void> {
  for (const part of splitIntoParts(rows, limits.enrichment.rowsAtOnceMax)) {
    await db.insertInto('assetBindings').values(part).onConflict((conflict) => conflict.columns(['tenantId', 'assetId', 'kind', 'value'])
      .doUpdateSet({
        source: sql`excluded.source`,
        firstSeenAt: sql`min(asset_bindings.first_seen_at, excluded.first_seen_at)`,
        lastSeenAt: sql`max(asset_bindings.last_seen_at, excluded.last_seen_at)`,
        seenCount: sql`asset_bindings.seen_count + excluded.seen_count`,
      })).execute()
  }
}

/** Drops the oldest bindings of assets that have too many. */
async function trimBindings(db: Kysely<Tables>, tenant: string, assetIds: readonly string[]): Promise<void> {
  for (const part of splitIntoParts(assetIds, limits.enrichment.rowsAtOnceMax)) {
    const over = await db.selectFrom('assetBindings').select('assetId').where('tenantId', '=', tenant).where('assetId', 'in', part)
      .groupBy('assetId').having(sql`count(*)`, '>', limits.assets.bindingsMax).execute()
    for (const { assetId } of over) {
      const rows = await db.selectFrom('assetBindings').select(['kind', 'value']).where('tenantId', '=', tenant)
        .where('assetId', '=', assetId).orderBy('lastSeenAt', 'desc')
        .offset(limits.assets.bindingsMax).limit(limits.enrichment.rowsAtOnceMax).execute()
      for (const { kind, value } of rows) {
        await db.deleteFrom('assetBindings').where('tenantId', '=', tenant).where('assetId', '=', assetId)
          .where('kind', '=', kind).where('value', '=', value).execute()
      }
    }
  }
}
