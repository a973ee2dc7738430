import type { Clock, Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import { addSourceTotals, assessReport } from '@tripline/model/collectors/collector'
import type { Collector, CollectorHeartbeat, CollectorReport } from '@tripline/model/collectors/collector'
import { createUuidV7 } from '@tripline/model/ids'
import { hasSourceType, resolveSettings } from '@tripline/model/tenant-settings'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import { checkVersion, notFound, requireFound, unwrapChange } from '@tripline/state/ports/version-conflict'
import type { ExpectedVersions, VersionedPatch } from '@tripline/state/ports/version-conflict'
import { collectorCredentialPrefix, createToken, enrolmentTokenPrefix, hashToken } from '../access/keys/connector-token.ts'
import { unauthorized } from '../access/tokens/token-principal.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { limits } from '../limits.ts'
import type { CollectorTraffic, CollectorWatch } from './collector-watch.ts'

/** What collectors need of the server. */
export type CollectorDeps = {
  readonly state: StateStore
  readonly watch: CollectorWatch
  readonly settingDefaults: TenantSettings
  readonly clock: Clock
  readonly randomBytes: Runtime['randomBytes']
}

/** A collector with what it sent. */
export type CollectorWithTraffic = { readonly collector: Collector; readonly traffic: CollectorTraffic }

/** Lists all collectors of a tenant, oldest first. */
export async function listCollectors(deps: CollectorDeps, tenant: TenantId): Promise<readonly CollectorWithTraffic[]> {
  const collectors = await deps.state.collectors.list(tenant)
  return await Promise.all(collectors.map((collector) => withTraffic(deps, tenant, collector)))
}

/** @throws StoreError NOT_FOUND. */
export async function getCollector(deps: CollectorDeps, tenant: TenantId, id: string): Promise<CollectorWithTraffic> {
  return await withTraffic(deps, tenant, requireFound(await deps.state.collectors.get(tenant, id), 'collector'))
}

async function withTraffic({ watch }: CollectorDeps, tenant: TenantId, collector: Collector): Promise<CollectorWithTraffic> {
  return { collector, traffic: await watch.getTraffic(tenant, collector.id) }
}

type StatedName = { readonly name: string }

/** Renames a collector. @throws StoreError NOT_FOUND, VERSION_CONFLICT. */
export async function renameCollector(
  deps: CollectorDeps, caller: Principal, id: string, { patch: { name }, versions }: VersionedPatch<StatedName>,
): Promise<CollectorWithTraffic> {
  const { tenant } = caller
  const at = deps.clock.now()
  return await withTraffic(deps, tenant, await deps.state.transaction(async (stores) => {
    const before = requireFound(await stores.collectors.get(tenant, id), 'collector')
    checkVersion(before, versions, 'collector')
    const change = await stores.collectors.update(tenant, id, { name }, { expectedVersion: before.version, at })
    const diff = { name: [before.name, name] }
    if (change.outcome === 'changed') {
      await recordAudit(stores, caller, { at, action: 'collector.update', target: { type: 'collector', id }, diff })
    }
    return unwrapChange(change, 'collector')
  }))
}

/** Retires a collector: its credential opens nothing from now on. @throws StoreError NOT_FOUND, VERSION_CONFLICT. */
export async function retireCollector(deps: CollectorDeps, caller: Principal, id: string, versions: ExpectedVersions): Promise<void> {
  const { tenant } = caller
  const at = deps.clock.now()
  await deps.state.transaction(async (stores) => {
    const before = requireFound(await stores.collectors.get(tenant, id), 'collector')
    checkVersion(before, versions, 'collector')
    if (before.status === 'retired') throw notFound('collector')
    unwrapChange(await stores.collectors.retire(tenant, id, { expectedVersion: before.version, at }), 'collector')
    const diff = { name: [before.name, null] }
    await recordAudit(stores, caller, { at, action: 'collector.retire', target: { type: 'collector', id }, diff })
  })
  await deps.watch.save()
  deps.watch.forget(tenant, id)
}

/** Creates a token with which one collector enrols; it is shown only now. @throws AppError CONFLICT for too many. */
export async function createEnrolmentToken(
  deps: CollectorDeps, caller: Principal, name: string,
): Promise<{ readonly token: string; readonly expiresAt: number }> {
  const { tenant } = caller
  const at = deps.clock.now()
  const { text, hash } = createToken(enrolmentTokenPrefix, deps)
  const { tokenMs, tokensMax } = limits.collectors
  const expiresAt = at + tokenMs
  await deps.state.transaction(async (stores) => {
    await stores.collectors.removeOldTokens(tenant, at)
    if ((await stores.collectors.listTokens(tenant)).length >= tokensMax) {
      const message = `${tokensMax} tokens wait for their collectors; use one of them, or wait until they end`
      throw new AppError('CONFLICT', message, { limit: tokensMax })
    }
    await stores.collectors.insertToken(tenant, { hash, name, createdAt: at, expiresAt })
    const target = { type: 'collector', id: text.split('_')[1] ?? '' }
    await recordAudit(stores, caller, { at, action: 'collector.create_token', target, diff: { name: [null, name] } })
  })
  return { token: text, expiresAt }
}

type Enrolling = Pick<Collector, 'hostname' | 'release' | 'os' | 'osFamily'>
type Circumstances = Pick<Principal, 'ip' | 'userAgent' | 'requestId'>
type Enrolled = { readonly collector: Collector; readonly credential: string }

/**
 * Enrols a collector with a token, which then is used up; its credential is returned only now.
 *
 * @throws AppError UNAUTHORIZED, the same for every problem of the token; CONFLICT for a tenant with too many collectors.
 */
export async function enrolCollector(
  deps: CollectorDeps, token: string, enrolling: Enrolling, circumstances: Circumstances,
): Promise<Enrolled> {
  const at = deps.clock.now()
  const id = createUuidV7(at, deps.randomBytes)
  const { text: credential, hash } = createToken(collectorCredentialPrefix, deps)
  const { tenant, collector } = await deps.state.transaction(async (stores) => {
    const taken = await stores.collectors.takeToken(hashToken(token))
    const isOpen = taken !== undefined && taken.token.expiresAt > at && (await stores.tenants.get(taken.tenant))?.isActive === true
    if (!isOpen) throw unauthorized()
    const { tenant, token: { name } } = taken
    await makeRoom(stores, tenant)
    const collector: Collector = {
      id, ...enrolling, name: name === '' ? enrolling.hostname : name, status: 'pending', lastSeenAt: undefined, report: undefined,
      version: 1, createdAt: at, updatedAt: at,
    }
    await stores.collectors.insert(tenant, collector, hash)
    const principal: Principal = { ...circumstances, tenant, actor: { type: 'collector', id }, grants: [] }
    const diff = { name: [null, collector.name], hostname: [null, enrolling.hostname] }
    await recordAudit(stores, principal, { at, action: 'collector.enrol', target: { type: 'collector', id }, diff })
    return { tenant, collector }
  })
  deps.watch.watch(tenant, id)
  return { collector, credential }
}

/** Retired collectors give way to new ones, the oldest first. @throws AppError CONFLICT where there are none. */
async function makeRoom({ collectors }: Pick<Stores, 'collectors'>, tenant: TenantId): Promise<void> {
  const { perTenantMax } = limits.collectors
  const all = await collectors.list(tenant)
  if (all.length < perTenantMax) return
  const oldest = all.filter(({ status }) => status === 'retired').toSorted((a, b) => a.updatedAt - b.updatedAt)[0]
  if (oldest === undefined) {
    const message = `the tenant has reached its limit of ${perTenantMax} collectors; retire one first`
    throw new AppError('CONFLICT', message, { limit: perTenantMax })
  }
  await collectors.removeRetired(tenant, oldest.id)
}

type Heard = Pick<CollectorHeartbeat, 'hostname' | 'release' | 'os' | 'osFamily'> & {
  readonly report: Omit<CollectorReport, 'clockSkewMs'>
  /** The collector's clock. */
  readonly sentAt: number | null
}

/** What the server answers to a heartbeat. */
type HeartbeatReply = { readonly status: Collector['status']; readonly at: number; readonly refusedSources: readonly string[] }

/** Notes a heartbeat of a collector. @throws StoreError NOT_FOUND for the id of another one, AppError RATE_LIMITED. */
export async function noteHeartbeat(
  { state, watch, clock, settingDefaults }: CollectorDeps, { tenant, actor }: Principal, id: string, { sentAt, report, ...told }: Heard,
): Promise<HeartbeatReply> {
  if (actor.id !== id) throw notFound('collector')
  const silenceMs = watch.getSilenceMs(tenant, id)
  if (silenceMs !== undefined && silenceMs < limits.collectors.heartbeatMsMin) {
    throw new AppError('RATE_LIMITED', `heartbeats must be ${limits.collectors.heartbeatMsMin} ms apart; retry later`)
  }
  const at = clock.now()
  const status = assessReport(report)
  const clockSkewMs = sentAt === null ? null : sentAt - at
  const before = await state.collectors.get(tenant, id)
  const sources = addSourceTotals(report.sources, before?.report?.sources ?? [])
  const isNoted = await state.collectors.noteHeartbeat(tenant, id, { ...told, at, status, report: { ...report, sources, clockSkewMs } })
  if (!isNoted) throw notFound('collector')
  watch.hear(tenant, id)
  const { plan } = resolveSettings(requireFound(await state.tenants.get(tenant), 'tenant'), settingDefaults)
  const refused = report.sources.filter(({ type }) => !hasSourceType(plan, type))
  return { status, at, refusedSources: refused.map(({ name }) => name) }
}
