import type { AuditFacts } from '@tripline/model/audit'
import { computeNextHealth } from '@tripline/model/connector'
import type { ConnectorHealthEvent, ConnectorTransition } from '@tripline/model/connector'
import type { StateStore } from '@tripline/state/ports/state-store'

/**
 * Stores the outcome of a check or poll. When the status changes, the history and the audit trail record it in the same
 * transaction, as the store publishes it.
 */
export async function updateHealth(
  state: Pick<StateStore, 'transaction'>,
  { tenant, connectorId, at }: Pick<ConnectorTransition, 'tenant' | 'connectorId' | 'at'>,
  occurrence: ConnectorHealthEvent,
): Promise<void> {
  await state.transaction(async ({ connectors, audit }) => {
    const connector = await connectors.get(tenant, connectorId)
    if (connector === undefined) return
    const before = connector.health
    const next = computeNextHealth(before, occurrence)
    if (next === before) return
    await connectors.setHealth(tenant, connectorId, next, at)
    if (next.status === before.status) return
    await audit.append(tenant, toAuditFacts({ connectorId, oldStatus: before.status, newStatus: next.status, message: next.message, at }))
  })
}

function toAuditFacts({ connectorId, oldStatus, newStatus, message, at }: Omit<ConnectorTransition, 'tenant'>): AuditFacts {
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
