import { AppError, createBodyError, createNameConflict } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import type { ChannelRoute, ChannelRouteChange } from '@tripline/model/delivery/channel'
import { createUuidV7 } from '@tripline/model/ids'
import type { TenantId } from '@tripline/model/tenant'
import type { Stores } from '@tripline/state/ports/state-store'
import { checkVersion, requireFound, unwrapChange } from '@tripline/state/ports/version-conflict'
import type { ExpectedVersions, VersionedPatch } from '@tripline/state/ports/version-conflict'
import { recordAudit } from '../../audit/record-audit.ts'
import { findFilteredKind, readRouteFilter } from '../../channels/route-filter.ts'
import { limits } from '../../limits.ts'
import type { ChannelDeps } from './channels.ts'

type Stated = Omit<ChannelRoute, 'id' | 'version' | 'createdAt' | 'updatedAt'>

const kind = 'channel_route'

/** @throws AppError NOT_FOUND. */
export async function getRoute({ state }: Pick<ChannelDeps, 'state'>, tenant: TenantId, id: string): Promise<ChannelRoute> {
  return requireFound(await state.channelRoutes.get(tenant, id), kind)
}

/** @throws AppError INVALID_BODY, CONFLICT for a name that is taken and at the limit, and errors of its filter. */
export async function createRoute({ state, clock, randomBytes }: ChannelDeps, caller: Principal, stated: Stated): Promise<ChannelRoute> {
  const { tenant } = caller
  const at = clock.now()
  return await state.transaction(async (stores) => {
    await checkRoute(stores, tenant, stated)
    const { routesMax } = limits.channels
    if ((await stores.channelRoutes.list(tenant)).length >= routesMax) {
      throw new AppError('CONFLICT', `the tenant has ${routesMax} routes, which is the limit; delete one first`, { limit: routesMax })
    }
    const route: ChannelRoute = { ...stated, id: createUuidV7(at, randomBytes), version: 1, createdAt: at, updatedAt: at }
    if (await stores.channelRoutes.insert(tenant, route) === 'taken') throw createNameConflict('a route', route.name)
    await recordAudit(stores, caller, {
      at, action: 'channel_route.create', target: { type: kind, id: route.id }, diff: diffRoutes(undefined, route),
    })
    return route
  })
}

/** Changes a route; one that is enabled gets the events from now on. @throws AppError as `createRoute`, NOT_FOUND, PRECONDITION_FAILED. */
export async function changeRoute(
  { state, clock }: ChannelDeps, caller: Principal, id: string, { patch, versions }: VersionedPatch<ChannelRouteChange>,
): Promise<ChannelRoute> {
  const { tenant } = caller
  const at = clock.now()
  return await state.transaction(async (stores) => {
    const before = requireFound(await stores.channelRoutes.get(tenant, id), kind)
    checkVersion(before, versions, kind)
    await checkRoute(stores, tenant, { ...before, ...patch })
    const changed = await stores.channelRoutes.update(tenant, id, patch, { expectedVersion: before.version, at })
    if (changed.outcome === 'taken') throw createNameConflict('a route', patch.name ?? before.name)
    const route = unwrapChange(changed, kind)
    if (changed.outcome === 'unchanged') return route
    await recordAudit(stores, caller, { at, action: 'channel_route.update', target: { type: kind, id }, diff: diffRoutes(before, route) })
    return route
  })
}

/** Removes a route; messages that it made are sent. @throws AppError NOT_FOUND, PRECONDITION_FAILED. */
export async function removeRoute(
  { state, clock }: ChannelDeps, caller: Principal, id: string, versions: ExpectedVersions,
): Promise<void> {
  const { tenant } = caller
  const at = clock.now()
  await state.transaction(async (stores) => {
    const route = requireFound(await stores.channelRoutes.get(tenant, id), kind)
    checkVersion(route, versions, kind)
    await stores.channelRoutes.remove(tenant, id)
    const diff = { name: [route.name, null] }
    await recordAudit(stores, caller, { at, action: 'channel_route.delete', target: { type: kind, id }, diff })
  })
}

/** Checks what a schema cannot: the filter against the fields of its list, and that the channels exist. */
async function checkRoute({ channels }: Stores, tenant: TenantId, route: Stated): Promise<void> {
  if (route.filter !== '' && findFilteredKind(route.events) === undefined) {
    throw createBodyError('filter', 'a route with a filter has events of alerts only, or of incidents only')
  }
  readRouteFilter(route)
  const { escalation } = route
  if (escalation !== undefined && !route.events.some((event) => event === 'alert.created' || event === 'incident.created')) {
    throw createBodyError('escalation', 'only new alerts and incidents are escalated; add alert.created or incident.created to the events')
  }
  const known = new Set((await channels.list(tenant)).map(({ id }) => id))
  const named = [
    ...route.channelIds.map((id, index) => [`channel_ids.${index}`, id] as const),
    ...escalation?.channelIds.map((id, index) => [`escalation.channel_ids.${index}`, id] as const) ?? [],
  ]
  const unknown = named.find(([, id]) => !known.has(id))
  if (unknown !== undefined) throw createBodyError(unknown[0], `there is no channel '${unknown[1]}'`)
}

function diffRoutes(before: ChannelRoute | undefined, after: ChannelRoute): { readonly [name: string]: readonly unknown[] } {
  const facts = (route: ChannelRoute | undefined): { readonly [name: string]: unknown } => (route === undefined ? {} : {
    name: route.name, events: route.events, filter: route.filter, channel_ids: route.channelIds, quiet_hours: route.quietHours ?? null,
    throttle_minutes: route.throttleMinutes, digest_minutes: route.digestMinutes, escalation: route.escalation ?? null,
    enabled: route.isEnabled,
  })
  const old = facts(before)
  const pairs = Object.entries(facts(after)).map(([name, value]) => [name, [old[name] ?? null, value]] as const)
  return Object.fromEntries(pairs.filter(([, [from, to]]) => JSON.stringify(from) !== JSON.stringify(to)))
}
