import type { Collector, CollectorSource } from '@tripline/model/collectors/collector'
import { isConnectorType, newConnectorHealth } from '@tripline/model/connector'
import type { Connector, ConnectorCheck, ConnectorType } from '@tripline/model/connector'
import { deriveId } from '@tripline/model/ids'
import type { TenantId } from '@tripline/model/tenant'
import type { ConnectorTotals } from '@tripline/state/ports/connector-store'
import type { StateStore } from '@tripline/state/ports/state-store'

/** A source that a collector runs, as a connector: what its collector last reported of it. */
type SourceConnector = {
  readonly connector: Connector
  readonly collectorId: string
  readonly totals: ConnectorTotals
  readonly eventsInLastMinute: number
}

/** Lists the sources of all collectors of a tenant, except of retired ones. */
export async function listSourceConnectors(
  { collectors }: Pick<StateStore, 'collectors'>, tenant: TenantId,
): Promise<readonly SourceConnector[]> {
  const all = await collectors.list(tenant)
  return all.filter(({ status }) => status !== 'retired').flatMap((collector) => {
    return (collector.report?.sources ?? []).flatMap((source) => toConnector(collector, source) ?? [])
  })
}

export async function findSourceConnector(
  state: Pick<StateStore, 'collectors'>, tenant: TenantId, id: string,
): Promise<SourceConnector | undefined> {
  return (await listSourceConnectors(state, tenant)).find(({ connector }) => connector.id === id)
}

/** Undefined for a type of source that only a newer release knows: the detail of its collector shows it. */
function toConnector(collector: Collector, source: CollectorSource): SourceConnector | undefined {
  const { type, totals = { events: 0, bytes: 0, dropped: 0 }, lastEventAt } = source
  if (!isConnectorType(type)) return undefined
  return {
    connector: describeConnector(collector, { ...source, type }),
    collectorId: collector.id,
    totals: {
      receivedCount: totals.events + totals.dropped, failedCount: totals.dropped, byteCount: totals.bytes,
      lastEventAt: lastEventAt ?? undefined,
    },
    // A collector that is not heard sends nothing, whatever it sent before.
    eventsInLastMinute: collector.status === 'offline' ? 0 : source.eventsPerSecond * 60,
  }
}

type KnownSource = CollectorSource & { readonly type: ConnectorType }

/** Its settings are in files of the collector, and its id is the same in each report. */
function describeConnector(collector: Collector, { name, type, status, lastError }: KnownSource): Connector {
  const { createdAt, lastSeenAt = createdAt } = collector
  const check = checkSource(collector, { status, lastError })
  const isUnheard = collector.status === 'offline' && status !== 'disabled'
  const health = {
    ...newConnectorHealth, status: isUnheard ? 'unhealthy' : status, message: check.message, checkedAt: lastSeenAt, checks: [check],
  } as const
  return {
    id: getSourceId(collector, name), name, type, isEnabled: status !== 'disabled', config: {},
    sealedSecrets: {}, health, version: 1, createdAt, updatedAt: lastSeenAt,
  }
}

/** The id of a source as a connector: the same in each report, and in what it tells of assets. */
export function getSourceId({ id, createdAt }: Pick<Collector, 'id' | 'createdAt'>, name: string): string {
  return deriveId(createdAt, ['collector source', id, name])
}

const outcomes = { pending: 'skip', healthy: 'pass', degraded: 'warn', unhealthy: 'fail', disabled: 'skip' } as const

function checkSource(collector: Collector, { status, lastError }: Pick<CollectorSource, 'status' | 'lastError'>): ConnectorCheck {
  if (collector.status === 'offline' && status !== 'disabled') {
    return { type: 'connectivity', status: 'fail', message: `the collector '${collector.name}' is offline` }
  }
  const message = lastError ?? (status === 'pending' ? 'not started yet' : `${status}, as its collector reports`)
  return { type: 'data_flow', status: outcomes[status], message }
}
