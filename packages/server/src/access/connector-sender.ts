import { isInNetworks } from '@tripline/common/network'
import { AppError } from '@tripline/contract/app-error'
import { parseLogsource } from '@tripline/formats/event/parse-logsource'
import type { Principal } from '@tripline/model/access/principal'
import type { IngestCounts } from '@tripline/model/connector'
import type { TenantId } from '@tripline/model/tenant'
import type { ConnectorStore } from '@tripline/state/ports/connector-store'
import { hashToken } from './keys/connector-token.ts'
import { RefusedPrincipalError } from './refused-principal-error.ts'
import { unauthorized } from './tokens/token-principal.ts'

/** Dependencies for authenticating senders by connector tokens. */
export type ConnectorSenderDeps = {
  readonly state: { readonly connectors: Pick<ConnectorStore, 'find'> }
  readonly connectors: { readonly traffic: ConnectorTraffic }
}

/** The recent events of connectors, and how further ones are counted. */
type ConnectorTraffic = {
  readonly get: (tenant: TenantId, connectorId: string) => { readonly eventsInLastMinute: number }
  readonly record: (tenant: TenantId, connectorId: string, arrival: IngestCounts) => void
}

/**
 * Authenticates a sender by a connector token and enforces the connector's allowed networks and event rate.
 *
 * @throws AppError UNAUTHORIZED, the same for an unknown token and a disabled connector; FORBIDDEN for the address,
 *   RATE_LIMITED.
 */
export async function authenticateConnectorSender(
  { state, connectors }: ConnectorSenderDeps, token: string, circumstances: Pick<Principal, 'ip' | 'userAgent' | 'requestId'>,
): Promise<Principal> {
  const found = await state.connectors.find(hashToken(token))
  if (found === undefined || !found.connector.isEnabled) throw unauthorized()
  const { tenant, connector } = found
  const sender: Principal = { ...circumstances, tenant, actor: { type: 'connector', id: connector.id }, grants: [] }
  const { allowed_cidrs: ranges, max_eps: eventsPerSecondMax } = connector.config
  if (Array.isArray(ranges) && !isInNetworks(ranges.map(String), circumstances.ip ?? '')) {
    const message = "the connector does not accept events from this address; see its 'allowed_cidrs'"
    throw new RefusedPrincipalError(sender, new AppError('FORBIDDEN', message))
  }
  const { eventsInLastMinute } = connectors.traffic.get(tenant, connector.id)
  if (typeof eventsPerSecondMax === 'number' && eventsInLastMinute >= eventsPerSecondMax * 60) {
    const message = `the connector's limit of ${eventsPerSecondMax} events per second, averaged over a minute, is exceeded; retry later`
    throw new AppError('RATE_LIMITED', message)
  }
  const logsource = parseLogsource(connector.config['log_source'])
  return { ...sender, ...(logsource && { logsource }) }
}

/** Adds received events to the counters of the connector, if a connector token was used. */
export function recordSentEvents(
  { connectors }: Pick<ConnectorSenderDeps, 'connectors'>, { tenant, actor }: Principal, arrival: IngestCounts,
): void {
  if (actor.type === 'connector') connectors.traffic.record(tenant, actor.id, arrival)
}
