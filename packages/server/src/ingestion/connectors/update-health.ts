import type { AuditFacts } from '../../model/audit.ts'
import { computeNextHealth } from '../../model/connector.ts'
import type { ConnectorHealthEvent, ConnectorTransition } from '../../model/connector.ts'
import type { StateStore } from '../../state/ports/state-store.ts'

/**
 * Stores the outcome of a check or poll. When the status changes, the history and the audit trail record it in the same
 * transaction, and the transition is returned.
 */
export async function updateHealth(
  state: Pick<StateStore, 'transaction'>,
  { tenant, connectorId, at }: Pick<ConnectorTransition, 'tenant' | 'connectorId' | 'at'>,
  occurrence: ConnectorHealthEvent,
): Promise<ConnectorTransition | undefined> {
  return await state.transaction(async ({ connectors, audit }) => {
    const connector = await connectors.get(tenant, connectorId)
    if (connector === undefined) return undefined
    const before = connector.health
    const next = computeNextHealth(before, occurrence)
    if (next === before) return undefined
    await connectors.setHealth(tenant, connectorId, next, at)
    if (next.status === before.status) return undefined
    const transition = { tenant, connectorId, oldStatus: before.status, newStatus: next.status, message: next.message, at }
    await audit.append(tenant, toAuditFacts(transition))
    return transition
  })
}

function toAuditFacts({ connectorId, oldStatus, newStatus, message, at }: ConnectorTransition): AuditFacts {
  return {
    at,
    actor: { type: 'system', id: 'connectors', email: undefined },
    action: 'connector.status_change',
    target: { type: 'connector', id: connectorId },
    ip: undefined,
    userAgent: undefined,
    requestId: undefined,
    outcome: 'success',
    diff: { status: [oldStatus, newStatus], message },
  }
}
