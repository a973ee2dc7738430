import { AppError } from '@tripline/contract/app-error'
import type { Alert } from '@tripline/model/alert'
import type { TenantId } from '@tripline/model/tenant'
import type { Stores } from '@tripline/state/ports/state-store'

/**
 * Gets alerts that are to join an incident: they are in none, or in that one.
 *
 * @throws AppError NOT_FOUND for an unknown alert, CONFLICT for one of another incident.
 */
export async function findFreeAlerts(
  { alerts }: Pick<Stores, 'alerts'>, tenant: TenantId, alertIds: readonly string[], incidentId?: string,
): Promise<readonly Alert[]> {
  const found: Alert[] = []
  for (const id of new Set(alertIds)) {
    const alert = await alerts.get(tenant, id)
    if (alert === undefined) throw new AppError('NOT_FOUND', 'there is no such alert', { parameter: 'alert_ids' })
    if (alert.incidentId !== undefined && alert.incidentId !== incidentId) {
      const message = `alert ${id} is in incident ${alert.incidentId}; merge the incidents, or split it off there first`
      throw new AppError('CONFLICT', message, { alert_id: id, incident_id: alert.incidentId })
    }
    found.push(alert)
  }
  return found
}
