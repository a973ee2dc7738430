import type { Clock, Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import type { Alert } from '@tripline/model/alert'
import { assetTimelineFields } from '@tripline/model/assets/asset-fields'
import type { ActivityEntry, AssetBinding, AssetRisk } from '@tripline/model/assets/asset-history'
import { createUuidV7 } from '@tripline/model/ids'
import type { Filter } from '@tripline/model/lists/filter'
import type { TenantId } from '@tripline/model/tenant'
import type { AssetPart, AssetWithAlerts } from '@tripline/state/ports/assets/asset-store'
import { createMemoryList } from '@tripline/state/ports/memory-list'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import { checkVersion, notFound, requireFound } from '@tripline/state/ports/version-conflict'
import type { ExpectedVersions } from '@tripline/state/ports/version-conflict'
import { recordAudit } from '../../audit/record-audit.ts'
import type { CursorDeps } from '../../http/lists/cursor.ts'
import { readListPage } from '../../http/lists/list-page.ts'
import type { ListPage, ListRequest } from '../../http/lists/list-page.ts'
import { limits } from '../../limits.ts'

/** What the activity of assets needs of the server. */
export type AssetActivityDeps = CursorDeps & {
  readonly state: Pick<StateStore, 'alerts' | 'assets' | 'transaction'>
  /** Forgets what it looked up of a tenant. */
  readonly enricher: { readonly invalidate: (tenant: TenantId) => void }
  readonly clock: Clock
  readonly randomBytes: Runtime['randomBytes']
}

/** An asset to change, and its expected versions. */
type Target = { readonly id: string; readonly versions: ExpectedVersions }

/** An interval from inclusive to exclusive; open where undefined. */
type Interval = { readonly from?: number | undefined; readonly to?: number | undefined }

/** Lists the alerts of an asset, page by page. @throws AppError NOT_FOUND. */
export async function listAssetAlerts(
  deps: AssetActivityDeps, tenant: TenantId, id: string, request: ListRequest,
): Promise<ListPage<Alert>> {
  const where = [...request.where, await buildHostFilter(deps, tenant, id)]
  return await readListPage(deps, { tenant, endpoint: `alerts of asset ${id}` }, { ...request, where }, deps.state.alerts)
}

/**
 * Lists what happened to an asset, page by page: what the store keeps of it, and its newest alerts of the interval.
 *
 * @throws AppError NOT_FOUND.
 */
export async function listAssetTimeline(
  deps: AssetActivityDeps, tenant: TenantId, { id, from = 0, to = Number.MAX_SAFE_INTEGER }: Interval & { readonly id: string },
  request: ListRequest,
): Promise<ListPage<ActivityEntry>> {
  const host = await buildHostFilter(deps, tenant, id)
  const list = createMemoryList(async (tenant) => {
    const created: Filter = { field: 'created_at', operator: 'between', value: [from, to - 1] }
    const { entries: alerts } = await deps.state.alerts.list(tenant, {
      where: [host, created], order: [{ field: 'created_at', direction: 'desc' }], limit: limits.assetTimeline.alertsMax,
    })
    return [...alerts.map((alert) => describeAlert(id, alert)), ...await deps.state.assets.getActivity(tenant, id, { from, to })]
  }, {
    fields: assetTimelineFields,
    read: (entry, field) => (field === 'at' || field === 'kind' || field === 'title' || field === 'severity' ? entry[field] : ''),
    getId: ({ kind, title, ref }) => `${kind} ${ref} ${title}`,
    getTexts: ({ title }) => [title],
  })
  return await readListPage(deps, { tenant, endpoint: `timeline of asset ${id}` }, request, list)
}

/** What an asset had over time, newest first. @throws AppError NOT_FOUND. */
export async function getAssetBindings({ state }: AssetActivityDeps, tenant: TenantId, id: string): Promise<readonly AssetBinding[]> {
  requireFound(await state.assets.get(tenant, id), 'asset')
  return await state.assets.getBindings(tenant, id)
}

/** The risk scores that an asset had, oldest first. @throws AppError NOT_FOUND. */
export async function getAssetRisks(
  { state }: AssetActivityDeps, tenant: TenantId, { id, from = 0, to = Number.MAX_SAFE_INTEGER }: Interval & { readonly id: string },
): Promise<readonly AssetRisk[]> {
  requireFound(await state.assets.get(tenant, id), 'asset')
  return await state.assets.getRisks(tenant, id, { from, to })
}

/** Merges other assets into one that is the same machine. @throws AppError NOT_FOUND, PRECONDITION_FAILED, INVALID_BODY. */
export async function joinAssets(
  deps: AssetActivityDeps, caller: Principal, { id, versions, otherIds }: Target & { readonly otherIds: readonly string[] },
): Promise<AssetWithAlerts> {
  const ids = [...new Set(otherIds)]
  if (ids.includes(id)) throw new AppError('INVALID_BODY', 'an asset cannot be merged into itself')
  return await changeAsset(deps, caller, { id, versions }, async (stores, at) => {
    const merged = await stores.assets.merge(caller.tenant, id, ids, { expectedVersion: undefined, at })
    if (merged === undefined) throw notFound('asset')
    await recordAudit(stores, caller, { at, action: 'asset.merge', target: { type: 'asset', id }, diff: { asset_ids: ids } })
    return id
  })
}

/** Moves a name or addresses of an asset to a new one, and returns that. @throws AppError NOT_FOUND, CONFLICT, INVALID_BODY. */
export async function separateAsset(
  deps: AssetActivityDeps, caller: Principal, { id, versions, part }: Target & { readonly part: Omit<AssetPart, 'id'> },
): Promise<AssetWithAlerts> {
  return await changeAsset(deps, caller, { id, versions }, async (stores, at) => {
    await checkPart(stores, caller.tenant, id, part)
    const newId = createUuidV7(at, deps.randomBytes)
    const split = await stores.assets.split(caller.tenant, id, { id: newId, ...part }, { expectedVersion: undefined, at })
    if (split.outcome === 'missing') throw notFound('asset')
    if (split.outcome === 'taken') throw new AppError('CONFLICT', 'another asset already has this name')
    if (split.outcome === 'keyless') throw new AppError('INVALID_BODY', 'both assets must have a name or an address')
    await recordAudit(stores, caller, { at, action: 'asset.split', target: { type: 'asset', id }, diff: { into: newId } })
    return newId
  })
}

async function changeAsset(
  deps: AssetActivityDeps, { tenant }: Principal, { id, versions }: Target, change: (stores: Stores, at: number) => Promise<string>,
): Promise<AssetWithAlerts> {
  const changedId = await deps.state.transaction(async (stores) => {
    checkVersion(requireFound(await stores.assets.get(tenant, id), 'asset'), versions, 'asset')
    return await change(stores, deps.clock.now())
  })
  deps.enricher.invalidate(tenant)
  return requireFound(await deps.state.assets.get(tenant, changedId), 'asset')
}

/** @throws AppError INVALID_BODY for a name or address that the asset does not have. */
async function checkPart({ assets }: Stores, tenant: TenantId, id: string, part: Omit<AssetPart, 'id'>): Promise<void> {
  const { hostname, ipAddresses, macAddresses } = requireFound(await assets.get(tenant, id), 'asset')
  const names = (await assets.getBindings(tenant, id)).filter(({ kind }) => kind === 'name').map(({ value }) => value)
  const foreign = [
    ...[part.hostname].filter((name) => name !== '' && name !== hostname && !names.includes(name)),
    ...part.ipAddresses.filter((address) => !ipAddresses.includes(address)),
    ...part.macAddresses.filter((address) => !macAddresses.includes(address)),
  ]
  if (foreign.length > 0) throw new AppError('INVALID_BODY', `the asset has no '${foreign[0]}'; name what it has`)
}

/** The hosts of an asset's alerts: its names of now and before; of one without a name, its addresses. */
async function buildHostFilter({ state }: AssetActivityDeps, tenant: TenantId, id: string): Promise<Filter> {
  const { hostname, ipAddresses } = requireFound(await state.assets.get(tenant, id), 'asset')
  const before = (await state.assets.getBindings(tenant, id)).filter(({ kind }) => kind === 'name').map(({ value }) => value)
  const names = hostname === '' ? ipAddresses : [hostname, ...before]
  return { field: 'host_folded', operator: 'in', value: [...new Set(names)].slice(0, limits.assetTimeline.namesMax) }
}

function describeAlert(assetId: string, { id, createdAt, ruleTitle, level, eventCount }: Alert): ActivityEntry {
  return { assetId, at: createdAt, kind: 'alert', title: ruleTitle, severity: level, ref: id, count: eventCount }
}
