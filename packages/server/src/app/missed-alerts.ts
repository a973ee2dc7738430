import type { Alert } from '../domain/alert.ts'
import { consoleLevels } from '../domain/level.ts'
import type { AlertNotification, ReadAlertsSince } from '../push/replay.ts'
import type { AlertStore } from '../store/alert-store.ts'

/**
 * Finds the alerts that a client of live push has missed (D-34), in the order in which they were made. Those of the
 * same millisecond as the one it names are among them: which of these it has seen is not stored.
 */
export function createMissedAlertsFinder(alerts: Pick<AlertStore, 'get' | 'list'>): ReadAlertsSince {
  return async (tenant, since, limit) => {
    const start = 'at' in since ? { createdAt: since.at, id: undefined } : await alerts.get(tenant, since.alertId)
    if (start === undefined) return undefined
    // No id comes before an empty one, so alerts of that very instant are found.
    const after = [start.createdAt, '']
    const page = await alerts.list(tenant, { sort: [{ field: 'created_at', direction: 'asc' }], limit: limit + 1, after })
    return page.alerts.filter(({ id }) => id !== start.id).slice(0, limit).map(toAlertNews)
  }
}

/** What live push tells of an alert. */
function toAlertNews({ id, level, ruleTitle, event, createdAt }: Alert): AlertNotification {
  return { createdAt, data: { alert_id: id, severity: consoleLevels[level], rule_title: ruleTitle, host: event.host } }
}
