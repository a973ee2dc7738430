import { setImmediate as otherWork } from 'node:timers/promises'
import { settingsOf } from '../domain/tenant-settings.ts'
import type { TenantSettings } from '../domain/tenant-settings.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { EventStore } from '../events/event-store.ts'
import { limits } from '../limits.ts'
import type { Log } from '../log.ts'
import type { App } from './app.ts'

/** What is removed when it is too old, and what holds of tenants that say nothing. */
export type ForgettingApp = Pick<App, 'state' | 'clock' | 'settingDefaults'> & { readonly events: Pick<EventStore, 'retain'> }

/** Removes what is too old, a while after the start and then every hour, until it is stopped. */
export function startRetention(app: ForgettingApp, log: Log): { readonly stop: () => Promise<void> } {
  let running = Promise.resolve()
  let timer: ReturnType<typeof setTimeout>
  const wait = (delayMs: number) => {
    timer = setTimeout(() => {
      running = forgetOld(app, log).catch((error: unknown) => {
        log.error('what is too old could not be looked for', { error: String(error) })
      })
      void running.then(() => wait(limits.retention.everyMs))
    }, delayMs)
  }
  wait(limits.retention.firstMs)
  return {
    stop: async () => {
      await running
      clearTimeout(timer)
    },
  }
}

/**
 * Removes what tenants keep no longer: whole days of events by the time at which they happened, alerts with their matches by
 * their last change, entries of the audit trail from its beginning, sessions that have ended. A tenant that is switched off
 * keeps everything. Where one tenant's cannot be removed that is logged, and the others' is.
 */
export async function forgetOld(app: ForgettingApp, log: Log): Promise<void> {
  for (const tenant of await app.state.tenants.list()) {
    if (!tenant.isActive) continue
    try {
      const removed = await forgetOldOf(app, tenant.id, settingsOf(tenant, app.settingDefaults))
      if (Object.values(removed).some((count) => count > 0)) log.info('what was too old is removed', { tenant: tenant.id, ...removed })
    } catch (error) {
      log.error('what is too old could not be removed', { tenant: tenant.id, error: String(error) })
    }
  }
}

async function forgetOldOf(
  { state, events, clock }: ForgettingApp, tenant: TenantId, settings: TenantSettings,
): Promise<{ readonly [kind: string]: number }> {
  const daysAgo = (days: number) => clock.now() - days * 86_400_000
  const { droppedEvents } = await events.retain(tenant, daysAgo(settings.eventsRetentionDays))
  const alertCount = await removeAlerts(state.alerts, tenant, daysAgo(settings.alertsRetentionDays))
  // Whatever the settings say: nobody goes below the floor.
  const auditDays = Math.max(settings.auditRetentionDays, limits.tenantSettings.auditRetentionDaysMin)
  const auditCount = await state.audit.removeOld(tenant, daysAgo(auditDays))
  const sessionCount = await state.sessions.removeOld(tenant, clock.now() - limits.auth.sessionLifetimeMs)
  return { events: droppedEvents, alerts: alertCount, audit_entries: auditCount, sessions: sessionCount }
}

async function removeAlerts(alerts: App['state']['alerts'], tenant: TenantId, before: number): Promise<number> {
  const alertsAtOnceMax: number = limits.retention.alertsAtOnceMax
  let count = 0
  for (let removed = alertsAtOnceMax; removed === alertsAtOnceMax; count += removed) {
    removed = await alerts.removeOld(tenant, before, alertsAtOnceMax)
    // The database answers at once, so that requests that wait get their turn only here.
    await otherWork()
  }
  return count
}
