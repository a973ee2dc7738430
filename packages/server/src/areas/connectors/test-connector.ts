import { AppError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import { newConnectorHealth, computeNextHealth } from '@tripline/model/connector'
import type { ConnectorCheck, ConnectorConfig, ConnectorStatus, ConnectorType } from '@tripline/model/connector'
import type { TenantId } from '@tripline/model/tenant'
import { requireFound } from '@tripline/state/ports/version-conflict'
import { recordOutcome } from '../../audit/record-outcome.ts'
import type { OutcomeDeps } from '../../audit/record-outcome.ts'
import { checkSource } from '../../ingestion/connectors/check-source.ts'
import { mergeSettings, openSettings } from '../../ingestion/connectors/connector-settings.ts'
import type { SettingsPatch } from '../../ingestion/connectors/connector-settings.ts'
import { PollClient } from '../../ingestion/connectors/poll-client.ts'
import { parsePollTarget } from '../../ingestion/connectors/poll-target.ts'
import type { PolledEvent } from '../../ingestion/connectors/read-page.ts'
import { createTenantEgress } from '../../ingestion/connectors/tenant-egress.ts'
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
  readonly sample: readonly PolledEvent[]
  readonly testedAt: number
  readonly durationMs: number
}

/**
 * Tests a connector, stored or not, and records it in the audit trail: reports the health it would have, and changes nothing.
 *
 * @throws AppError NOT_FOUND, INVALID_BODY for invalid settings.
 */
export async function testConnector(
  app: ConnectorUseCaseDeps & OutcomeDeps, caller: Principal, trial: ConnectorTestRequest,
): Promise<ConnectorTestReport> {
  const details = { unsaved_settings: trial.config !== undefined }
  const action = { action: 'connector.test', target: { type: 'connector', id: trial.id ?? 'new' }, details }
  return await recordOutcome(app, caller, action, () => runTest(app, caller.tenant, trial),
    ({ status }) => ({ figures: { status }, ...(status === 'unhealthy' && { outcome: 'failed' }) }))
}

async function runTest(app: ConnectorUseCaseDeps, tenant: TenantId, trial: ConnectorTestRequest): Promise<ConnectorTestReport> {
  const { deps, traffic } = app.connectors
  const { id = '', type, config } = await resolveTestSettings(app, tenant, trial)
  const { io } = deps
  const egress = createTenantEgress(deps, tenant)
  const client = type === 'http_poll' ? new PollClient(parsePollTarget(config), { egress, now: io.now }) : undefined
  const testedAt = app.clock.now()
  const startedMs = app.clock.elapsedMs()
  // Untested settings have received nothing yet, so silence is not a problem.
  const { eventsInLastMinute, unsaved } = traffic.get(tenant, id)
  const saved = await app.state.connectors.totals(tenant, id)
  const hasSent = unsaved.receivedCount + (saved?.receivedCount ?? 0) > 0
  const flow = { eventsInLastMinute, hasSent, quietForMs: undefined, quietAfterMs: 0 }
  const { checks, sample } = await checkSource({ connectorId: id, type, client, flow }, { sleep: deps.sleep })
  const { status } = computeNextHealth(newConnectorHealth, { kind: 'checked', at: testedAt, checks })
  return { connectorId: trial.id, status, checks, sample, testedAt, durationMs: Math.round(app.clock.elapsedMs() - startedMs) }
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
  const kept = stored === undefined ? {} : openSettings(connectors.deps.secrets, tenant, { ...stored, config: {} })
  const keptSecrets = Object.fromEntries(settings.retainedSecrets.map((key) => [key, kept[key]]))
  return { id, type: ofType, config: { ...settings.config, ...keptSecrets, ...settings.secrets } }
}
