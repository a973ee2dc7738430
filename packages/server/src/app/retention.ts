import { setImmediate as othersFirst } from 'node:timers/promises'
import { resolveSettings } from '../domain/tenant-settings.ts'
import type { Tenant } from '../domain/tenant.ts'
import { limits } from '../limits.ts'
import type { App } from './app.ts'

/** The stores that retention applies to. */
export type RetentionDeps = Pick<App, 'state' | 'events' | 'clock' | 'settingDefaults'>

/** Called for data that could not be removed; the rest is removed all the same. */
export type OnRetentionError = (tenant: Tenant['id'], what: string, error: unknown) => void

/**
 * Removes data that is older than the tenants' retention settings: days of events, alerts by last change, audit entries, and
 * ended sessions. Stops early when the signal aborts.
 */
export async function applyRetention(app: RetentionDeps, onKept: OnRetentionError, signal?: AbortSignal): Promise<void> {
  for (const tenant of await app.state.tenants.list()) {
    for (const [what, letGo] of Object.entries(createRetentionTasks(app, tenant, signal))) {
      if (signal?.aborted === true) return
      await letGo().catch((error: unknown) => onKept(tenant.id, what, error))
      await othersFirst()
    }
  }
}

function createRetentionTasks(
  { state, events, clock, settingDefaults }: RetentionDeps, tenant: Tenant, signal: AbortSignal | undefined,
): { readonly [what: string]: () => Promise<unknown> } {
  const { eventsRetentionDays, alertsRetentionDays, auditRetentionDays } = resolveSettings(tenant, settingDefaults)
  const { auditRetentionDaysMin, retentionAlertsMax: limit } = limits.tenantSettings
  const nowMs = clock.now()
  const daysAgo = (days: number): number => nowMs - days * 86_400_000
  return {
    events: () => events.retain(tenant.id, daysAgo(eventsRetentionDays)),
    alerts: async () => {
      const which = { before: daysAgo(alertsRetentionDays), limit }
      while ((await state.alerts.removeOld(tenant.id, which)) === limit && signal?.aborted !== true) await othersFirst()
    },
    trail: () => state.audit.removeOld(tenant.id, daysAgo(Math.max(auditRetentionDays, auditRetentionDaysMin))),
    sessions: () => state.sessions.removeOld(tenant.id, nowMs - limits.auth.sessionLifetimeMs),
  }
}
