import type { PublicAlertStats } from '@tripline/contract/public/alert'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { TenantId } from '@tripline/model/tenant'
import { getDayStart, getWeekStart } from '@tripline/model/time/zoned-days'
import type { Runtime } from '@tripline/common/runtime'
import type { AlertCount } from '@tripline/state/ports/alert-store'
import type { StateStore } from '@tripline/state/ports/state-store'

type AlertStatsDeps = { readonly state: Pick<StateStore, 'alerts' | 'tenants'>; readonly clock: Pick<Runtime, 'now'> }

/** Counts the alerts of a tenant. Days and weeks are those of its time zone. */
export async function getAlertStats({ state, clock }: AlertStatsDeps, tenant: TenantId): Promise<PublicAlertStats> {
  const { timezone } = resolveSettings((await state.tenants.get(tenant)) ?? { settings: {} })
  const counts = await state.alerts.countByStatus(tenant)
  const sum = (isCounted: (count: AlertCount) => boolean): number =>
    counts.filter(isCounted).reduce((total, { count }) => total + count, 0)
  const isUnresolved = ({ status }: AlertCount): boolean => status === 'open' || status === 'in_progress'
  const now = clock.now()
  return {
    total_alerts: sum(() => true),
    open_alerts: sum(({ status }) => status === 'open'),
    critical_alerts: sum((count) => count.level === 'critical' && isUnresolved(count)),
    high_alerts: sum((count) => count.level === 'high' && isUnresolved(count)),
    alerts_today: await state.alerts.countSince(tenant, getDayStart(now, timezone)),
    alerts_this_week: await state.alerts.countSince(tenant, getWeekStart(now, timezone)),
    resolved_alerts: sum(({ status }) => status === 'resolved'),
    false_positive_alerts: sum(({ status }) => status === 'false_positive'),
  }
}
