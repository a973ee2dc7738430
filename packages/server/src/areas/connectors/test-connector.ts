import { AppError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import { newConnectorHealth, computeNextHealth } from '@tripline/model/connector'
import type { ConnectorCheck, ConnectorConfig, ConnectorStatus, ConnectorType } from '@tripline/model/connector'
import type { TenantId } from '@tripline/model/tenant'
import { PollClient } from '@tripline/sources/polling/poll-client'
import { requireFound } from '@tripline/state/ports/version-conflict'
import { SyslogListenError } from '@tripline/sources/syslog/open-sockets'
import { recordOutcome } from '../../audit/record-outcome.ts'
import type { OutcomeDeps } from '../../audit/record-outcome.ts'
import { isBrokerType, parseMessageSource } from '../../ingestion/connectors/broker/message-source.ts'
import { checkBroker } from '../../ingestion/connectors/broker/check-broker.ts'
import { checkListener } from '../../ingestion/connectors/check-listener.ts'
import { checkSource } from '../../ingestion/connectors/check-source.ts'
import type { DataFlow } from '../../ingestion/connectors/check-source.ts'
import type { ConnectorDeps } from '../../ingestion/connectors/connector-deps.ts'
import { mergeSettings, openConnectorSettings } from '../../ingestion/connectors/connector-settings.ts'
import type { SettingsPatch } from '../../ingestion/connectors/connector-settings.ts'
import { checkFeed } from '../../ingestion/connectors/feeds/check-feed.ts'
import { isFeedType, parseFeedTarget } from '../../ingestion/connectors/feeds/feed-target.ts'
import { createPollRequester } from '../../ingestion/connectors/poll-requester.ts'
import { parsePollTarget } from '../../ingestion/connectors/poll-target.ts'
import { checkScanner } from '../../ingestion/connectors/scanner/check-scanner.ts'
import { parseScannerTarget } from '../../ingestion/connectors/scanner/scanner-target.ts'
import { createTenantEgress } from '../../ingestion/connectors/tenant-egress.ts'
import { readAsRules } from '../shared/read-as-rules.ts'
import { refuseSource } from './connectors.ts'
import type { ConnectorUseCaseDeps } from './connectors.ts'

/** What to test: a stored connector, unsaved settings, or unsaved settings on top of a stored connector. */
type ConnectorTestRequest = {
  readonly id: string | undefined
  readonly type: ConnectorType | undefined
  readonly config: SettingsPatch | undefined
}

export type ConnectorTestReport = {
  readonly connectorId: string | undefined
  readonly status: ConnectorStatus
  readonly checks: readonly ConnectorCheck[]
  /** Events as rules see them; of feeds indicators. */
  readonly sample: readonly { readonly [field: string]: unknown }[]
  readonly testedAt: number
  readonly durationMs: number
}

/**
 * Tests a connector, stored or not, and records it in the audit trail: reports the health it would have, and changes nothing.
 *
 * @throws AppError NOT_FOUND, CONFLICT for a source of a collector, INVALID_BODY for invalid settings.
 */
export async function testConnector(
  deps: ConnectorUseCaseDeps & OutcomeDeps, caller: Principal, trial: ConnectorTestRequest,
): Promise<ConnectorTestReport> {
  if (trial.id !== undefined) await refuseSource(deps, caller.tenant, trial.id)
  const details = { unsaved_settings: trial.config !== undefined }
  const action = { action: 'connector.test', target: { type: 'connector', id: trial.id ?? 'new' }, details }
  return await recordOutcome(deps, caller, action, () => runTest(deps, caller.tenant, trial),
    ({ status }) => ({ figures: { status }, ...(status === 'unhealthy' && { outcome: 'failed' }) }))
}

async function runTest(deps: ConnectorUseCaseDeps, tenant: TenantId, trial: ConnectorTestRequest): Promise<ConnectorTestReport> {
  const { deps: connectorDeps, traffic } = deps.connectors
  const { id = '', type, config } = await resolveTestSettings(deps, tenant, trial)
  const { io, sleep } = connectorDeps
  const egress = createTenantEgress(connectorDeps, tenant)
  const request = createPollRequester(egress)
  const client = type === 'http_poll' ? new PollClient(parsePollTarget(config), { request, now: io.now }) : undefined
  const testedAt = deps.clock.now()
  const startedMs = deps.clock.elapsedMs()
  // Untested settings have received nothing yet, so silence is not a problem.
  const { eventsInLastMinute, unsaved } = traffic.get(tenant, id)
  const saved = await deps.state.connectors.totals(tenant, id)
  const hasSent = unsaved.receivedCount + (saved?.receivedCount ?? 0) > 0
  const flow = { eventsInLastMinute, hasSent, quietForMs: undefined, quietAfterMs: 0 }
  const runChecks = async (): ReturnType<typeof checkSource> => {
    if (type === 'syslog') return { checks: await testListener(connectorDeps, { tenant, id, config }, flow), sample: [] }
    if (isBrokerType(type)) return await checkBroker(parseMessageSource({ id, type, config }), { egress, elapsedMs: io.elapsedMs })
    if (type === 'vulnerability_scanner') return await checkScanner(parseScannerTarget(config), { egress, now: io.now, name: 'test' })
    return await checkSource({ connectorId: id, type, client, flow }, { sleep })
  }
  const feed = isFeedType(type) ? await checkFeed(parseFeedTarget(type, config), { egress, now: io.now, flow }) : undefined
  const { checks, sample: probed } = feed === undefined ? await runChecks() : { checks: feed.checks, sample: [] }
  // What a source answered now; or what it sent a moment ago.
  const received = id === '' ? [] : deps.connectors.recent.get(tenant, id)
  const sample = probed.length > 0 ? probed.map(({ bytes }) => ({ bytes, arrival: undefined })) : received
  const { status } = computeNextHealth(newConnectorHealth, { kind: 'checked', at: testedAt, checks })
  const durationMs = Math.round(deps.clock.elapsedMs() - startedMs)
  const shown = feed?.sample ?? sample.map((event) => readAsRules(event).fields)
  return { connectorId: trial.id, status, checks, sample: shown, testedAt, durationMs }
}

/** Opens the port for a moment, unless the stored connector has it open. */
async function testListener(
  { state, listeners }: ConnectorDeps,
  { tenant, id, config }: { readonly tenant: TenantId; readonly id: string; readonly config: ConnectorConfig }, flow: DataFlow,
): Promise<readonly ConnectorCheck[]> {
  const stored = id === '' ? undefined : await state.connectors.get(tenant, id)
  const isOpen = stored?.isEnabled === true && stored.health.status !== 'unhealthy' && stored.config['port'] === config['port']
  const takeDrops = () => Promise.resolve({ kernelCount: 0, ownCount: 0 })
  if (isOpen) return await checkListener({ place: `port ${String(config['port'])}`, takeDrops }, config, flow)
  try {
    if (listeners === undefined) throw new SyslogListenError('this server opens no ports for syslog')
    const listener = await listeners.open({ tenant, id, config, record: () => {} })
    await listener.close()
    return await checkListener({ place: listener.place, takeDrops }, config, flow)
  } catch (error) {
    if (error instanceof SyslogListenError) return await checkListener({ problem: error.message }, config, flow)
    throw error
  }
}

type ConnectorTestSettings = { readonly id: string | undefined; readonly type: ConnectorType; readonly config: ConnectorConfig }

async function resolveTestSettings(
  { state, connectors }: ConnectorUseCaseDeps, tenant: TenantId, { id, type, config }: ConnectorTestRequest,
): Promise<ConnectorTestSettings> {
  const stored = id === undefined ? undefined : requireFound(await state.connectors.get(tenant, id), 'connector')
  if (stored === undefined && (type === undefined || config === undefined)) {
    throw new AppError('INVALID_BODY', "'type' and 'config' are required to test a connector that is not stored")
  }
  if (stored !== undefined && type !== undefined && type !== stored.type) {
    throw new AppError('INVALID_BODY', `type: the type of a stored connector cannot change; it is '${stored.type}'`)
  }
  const ofType = stored?.type ?? type!
  const settings = mergeSettings(ofType, config ?? {}, stored)
  const kept = stored === undefined ? {} : openConnectorSettings(connectors.deps.secrets, tenant, { ...stored, config: {} })
  const keptSecrets = Object.fromEntries(settings.retainedSecrets.map((key) => [key, kept[key]]))
  return { id, type: ofType, config: { ...settings.config, ...keptSecrets, ...settings.secrets } }
}
