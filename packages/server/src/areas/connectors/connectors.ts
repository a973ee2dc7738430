import type { Clock, Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import { findRunProblem } from '@tripline/contract/console/sources/connector'
import type { Principal } from '@tripline/model/access/principal'
import { isPushType, newConnectorHealth, computeNextHealth } from '@tripline/model/connector'
import type { Connector, ConnectorConfig, ConnectorType } from '@tripline/model/connector'
import { createUuidV7 } from '@tripline/model/ids'
import type { TenantId } from '@tripline/model/tenant'
import type { ConnectorMoment, ConnectorTotals } from '@tripline/state/ports/connector-store'
import type { StateStore } from '@tripline/state/ports/state-store'
import { unwrapChange, checkVersion, requireFound } from '@tripline/state/ports/version-conflict'
import type { VersionedPatch, ExpectedVersions } from '@tripline/state/ports/version-conflict'
import { connectorTokenPrefix, createToken } from '../../access/keys/connector-token.ts'
import { mergeSettings, sealSettings } from '../../ingestion/connectors/connector-settings.ts'
import type { SettingsPatch } from '../../ingestion/connectors/connector-settings.ts'
import { addTotals } from '../../ingestion/connectors/connector-counters.ts'
import { findSourceConnector, listSourceConnectors } from '../../collectors/source-connectors.ts'
import { limits } from '../../limits.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Connectors } from '../../ingestion/connectors/open-connectors.ts'

/** Dependencies of the connector use cases. */
export type ConnectorUseCaseDeps = {
  readonly state: StateStore
  readonly connectors: Connectors
  readonly clock: Clock
  readonly randomBytes: Runtime['randomBytes']
}

/** A connector with its current counters. */
export type ConnectorWithStats = {
  readonly connector: Connector
  readonly totals: ConnectorTotals
  readonly eventsInLastMinute: number
  /** What came in each half minute of the last 15 minutes, oldest first; undefined for a source that a collector runs. */
  readonly spans?: ConnectorSpans
  /** Milliseconds since a poll last read all that its source had; undefined where none did, or nothing is polled. */
  readonly lagMs?: number | undefined
  /** Milliseconds from the time that its newest event states to the arrival of that; undefined where none tells it. */
  readonly delayMs?: number | undefined
  /** The collector that runs it; undefined for one that the server runs. */
  readonly collectorId?: string
}

type ConnectorSpans = readonly { readonly receivedCount: number; readonly refusedCount: number }[]

type NewConnector = {
  readonly name: string
  readonly type: ConnectorType
  readonly isEnabled: boolean
  readonly config: SettingsPatch
}

type ConnectorPatch = {
  readonly name: string | undefined
  readonly isEnabled: boolean | undefined
  readonly config: SettingsPatch | undefined
}

/** Lists all connectors of a tenant, oldest first; behind them the sources that collectors run. */
export async function listConnectors(deps: ConnectorUseCaseDeps, tenant: TenantId): Promise<readonly ConnectorWithStats[]> {
  const connectors = await deps.state.connectors.list(tenant)
  const own = await Promise.all(connectors.map((connector) => withStats(deps, tenant, connector)))
  return [...own, ...await listSourceConnectors(deps.state, tenant)]
}

/** @throws AppError NOT_FOUND. */
export async function getConnector(deps: ConnectorUseCaseDeps, tenant: TenantId, id: string): Promise<ConnectorWithStats> {
  const connector = await deps.state.connectors.get(tenant, id)
  if (connector !== undefined) return await withStats(deps, tenant, connector)
  return requireFound(await findSourceConnector(deps.state, tenant, id), 'connector')
}

/** Gets a connector and its last status changes, newest first. @throws AppError NOT_FOUND. */
export async function getConnectorHealth(
  deps: ConnectorUseCaseDeps, tenant: TenantId, id: string,
): Promise<{ readonly connector: Connector; readonly history: readonly ConnectorMoment[] }> {
  const connector = await deps.state.connectors.get(tenant, id)
  // Collectors report the state of their sources, and no history.
  if (connector === undefined) {
    return { connector: requireFound(await findSourceConnector(deps.state, tenant, id), 'connector').connector, history: [] }
  }
  return { connector, history: await deps.state.connectors.history(tenant, id, limits.connector.historyListedMax) }
}

/**
 * Creates a connector and starts it if enabled. For push connectors this is the only time that the token is returned.
 *
 * @throws AppError FORBIDDEN for a type that the plan does not have, INVALID_BODY for invalid settings, CONFLICT for a name that is
 * taken or at the limit of connectors.
 */
export async function createConnector(
  deps: ConnectorUseCaseDeps, caller: Principal, { name, type, isEnabled, config }: NewConnector,
): Promise<{ readonly created: ConnectorWithStats; readonly token: string | undefined }> {
  const { tenant } = caller
  await checkPlan(deps, tenant, type)
  const at = deps.clock.now()
  const id = createUuidV7(at, deps.randomBytes)
  const settings = mergeSettings(type, config, undefined)
  const sealed = sealSettings(deps.connectors.deps.secrets, { tenant, id }, { settings, stored: undefined })
  const health = isEnabled ? newConnectorHealth : computeNextHealth(newConnectorHealth, { kind: 'disabled' })
  const connector: Connector = { id, name, type, isEnabled, ...sealed, health, version: 1, createdAt: at, updatedAt: at }
  const token = isPushType(type) ? createToken(connectorTokenPrefix, deps) : undefined
  await deps.state.transaction(async (stores) => {
    const { perTenantMax } = limits.connector
    if ((await stores.connectors.list(tenant)).length >= perTenantMax) {
      const message = `the tenant has reached its limit of ${perTenantMax} connectors; remove one first`
      throw new AppError('CONFLICT', message, { limit: perTenantMax })
    }
    if ((await stores.connectors.insert(tenant, connector, token?.hash)) === 'taken') throw createNameConflict(name)
    const diff = { name: [null, name], type: [null, type], enabled: [null, isEnabled], config: [null, redactConfig(connector)] }
    await recordAudit(stores, caller, { at, action: 'connector.create', target: { type: 'connector', id }, diff })
  })
  await deps.connectors.runner.apply(tenant, id)
  return { created: await withStats(deps, tenant, connector), token: token?.text }
}

/** Settings that determine the pages of the source and their order. */
const sourceKeys = [
  'url', 'base_url', 'items_path', 'cursor_path', 'api_url', 'dialect',
  'api_root', 'collection', 'value_column', 'indicator_type', 'delimiter', 'confidence', 'expire_after_days',
]

/**
 * Changes a connector. Settings are merged key by key; null removes one. Polling restarts from the beginning if the source
 * changes. A request that changes nothing is neither recorded nor counted as a version.
 *
 * @throws AppError NOT_FOUND, PRECONDITION_FAILED, INVALID_BODY, CONFLICT.
 */
export async function updateConnector(
  deps: ConnectorUseCaseDeps, caller: Principal, id: string, { patch, versions }: VersionedPatch<ConnectorPatch>,
): Promise<ConnectorWithStats> {
  const { tenant } = caller
  const at = deps.clock.now()
  const { deps: { secrets }, runner } = deps.connectors
  await refuseSource(deps, tenant, id)
  const isChanged = await deps.state.transaction(async (stores) => {
    const before = requireFound(await stores.connectors.get(tenant, id), 'connector')
    checkVersion(before, versions, 'connector')
    const { name = before.name, isEnabled = before.isEnabled, config = {} } = patch
    if (isEnabled && !before.isEnabled) checkType(before)
    const merged = mergeSettings(before.type, config, before)
    const settings = sealSettings(secrets, { tenant, id }, { settings: merged, stored: before })
    const diff = diffConnectors(before, { ...before, name, isEnabled, ...settings })
    if (Object.keys(diff).length === 0) return false
    const terms = { expectedVersion: before.version, at }
    const change = await stores.connectors.update(tenant, id, { name, isEnabled, ...settings }, terms)
    if (change.outcome === 'taken') throw createNameConflict(name)
    unwrapChange(change, 'connector')
    const isMoved = sourceKeys.some((key) => settings.config[key] !== before.config[key])
    if (isMoved) await stores.connectors.setCursor(tenant, id, undefined)
    if (isEnabled !== before.isEnabled) {
      const health = computeNextHealth(before.health, { kind: isEnabled ? 'enabled' : 'disabled' })
      await stores.connectors.setHealth(tenant, id, health, at)
    }
    await recordAudit(stores, caller, { at, action: 'connector.update', target: { type: 'connector', id }, diff })
    return true
  })
  if (isChanged) await runner.apply(tenant, id)
  return await getConnector(deps, tenant, id)
}

/** Removes a connector with its state; its events are kept. @throws AppError NOT_FOUND, PRECONDITION_FAILED. */
export async function removeConnector(
  deps: ConnectorUseCaseDeps, caller: Principal, id: string, { versions }: { readonly versions: ExpectedVersions },
): Promise<void> {
  const { tenant } = caller
  const at = deps.clock.now()
  await refuseSource(deps, tenant, id)
  await deps.state.transaction(async (stores) => {
    const connector = requireFound(await stores.connectors.get(tenant, id), 'connector')
    checkVersion(connector, versions, 'connector')
    await stores.connectors.remove(tenant, id, at)
    const diff = { name: [connector.name, null] }
    await recordAudit(stores, caller, { at, action: 'connector.delete', target: { type: 'connector', id }, diff })
  })
  await deps.connectors.runner.apply(tenant, id)
}

/** Sources of collectors are configured there. @throws AppError CONFLICT. */
export async function refuseSource({ state }: Pick<ConnectorUseCaseDeps, 'state'>, tenant: TenantId, id: string): Promise<void> {
  const source = await findSourceConnector(state, tenant, id)
  if (source === undefined) return
  const { collectorId, connector: { name } } = source
  throw new AppError('CONFLICT', `the source '${name}' is configured in a file of its collector`, { collector_id: collectorId })
}

/** Earlier releases stored connectors of types that do not run; they may be renamed, disabled and removed. */
function checkType({ type }: Connector): void {
  const problem = findRunProblem(type)
  if (problem !== undefined) throw new AppError('INVALID_BODY', `enabled: ${problem}`)
}

/** @throws AppError FORBIDDEN. */
async function checkPlan({ connectors }: ConnectorUseCaseDeps, tenant: TenantId, type: ConnectorType): Promise<void> {
  if (type !== 'vulnerability_scanner' || await connectors.deps.scanner.isInPlan(tenant)) return
  throw new AppError('FORBIDDEN', "the plan 'free' has no connectors of type 'vulnerability_scanner'; ask the operator for another plan")
}

async function withStats(
  { state, connectors, clock }: ConnectorUseCaseDeps, tenant: TenantId, connector: Connector,
): Promise<ConnectorWithStats> {
  const { unsaved, eventsInLastMinute, spans, caughtUpAt } = connectors.traffic.get(tenant, connector.id)
  const saved = await state.connectors.totals(tenant, connector.id)
  const lagMs = caughtUpAt === undefined ? undefined : Math.max(0, clock.now() - caughtUpAt)
  const delayMs = connectors.recent.getDelayMs(tenant, connector.id)
  return { connector, totals: saved === undefined ? unsaved : addTotals(unsaved, saved), eventsInLastMinute, spans, lagMs, delayMs }
}

/** Settings for the audit trail, without secrets in any form. */
function redactConfig({ config, sealedSecrets }: Pick<Connector, 'config' | 'sealedSecrets'>): ConnectorConfig {
  return { ...config, ...Object.fromEntries(Object.keys(sealedSecrets).map((key) => [key, 'set'])) }
}

function diffConnectors(before: Connector, after: Connector): { readonly [name: string]: unknown } {
  const [shownBefore, shownAfter] = [redactConfig(before), redactConfig(after)]
  const keys = [...new Set([...Object.keys(shownBefore), ...Object.keys(shownAfter)])]
  const isSame = (key: string): boolean =>
    JSON.stringify(shownBefore[key]) === JSON.stringify(shownAfter[key]) && before.sealedSecrets[key] === after.sealedSecrets[key]
  const changeOf = (key: string): readonly unknown[] => [shownBefore[key] ?? null, shownAfter[key] ?? null]
  const changed = keys.filter((key) => !isSame(key)).map((key) => [key, changeOf(key)] as const)
  return {
    ...(before.name !== after.name && { name: [before.name, after.name] }),
    ...(before.isEnabled !== after.isEnabled && { enabled: [before.isEnabled, after.isEnabled] }),
    ...(changed.length > 0 && { config: Object.fromEntries(changed) }),
  }
}

function createNameConflict(name: string): AppError {
  return new AppError('CONFLICT', `a connector named '${name}' already exists`, { name })
}
