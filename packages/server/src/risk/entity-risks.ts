import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import type { Clock } from '@tripline/common/runtime'
import { riskFields } from '@tripline/model/lists/risk-fields'
import { RiskSums } from '@tripline/model/risk/entity-risk'
import type { EntityRisk } from '@tripline/model/risk/entity-risk'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import type { TenantId } from '@tripline/model/tenant'
import type { TenantList } from '@tripline/state/ports/list-query'
import { createMemoryList } from '@tripline/state/ports/memory-list'
import type { StateStore } from '@tripline/state/ports/state-store'
import { requireFound } from '@tripline/state/ports/version-conflict'
import { RiskCache } from './risk-cache.ts'

/** What risks are computed from. */
type RiskSource = {
  readonly state: Pick<StateStore, 'alerts' | 'tenants' | 'watchDomainEvents'>
  readonly settingDefaults: TenantSettings
  readonly clock: Pick<Clock, 'now'>
  readonly log: Pick<Log, 'warn'>
}

/** The risks of all tenants. */
export type RiskDeps = { readonly risks: RiskCache<readonly ComputedRisk[]> }

/** A risk with when it was computed. */
type ComputedRisk = EntityRisk & { readonly calculatedAt: number }

const open = { field: 'status', operator: 'in', value: ['open', 'in_progress'] } as const

/** Computes the risks of tenants from their open alerts, and again after these change. */
export function openRisks(source: RiskSource): RiskDeps['risks'] {
  const { state, clock, log } = source
  const risks = new RiskCache({
    compute: (tenant) => computeRisks(source, tenant), now: clock.now,
    onFailure: (error) => log.warn('risks could not be computed and are computed again', { error: getErrorMessage(error) }),
  })
  state.watchDomainEvents((tenant) => risks.invalidate(tenant))
  return risks
}

/** The risks of a tenant's hosts, users and addresses. */
export function createRiskList({ risks }: RiskDeps): TenantList<ComputedRisk> {
  return createMemoryList((tenant) => risks.get(tenant), {
    fields: riskFields, getId: ({ kind, value }) => `${kind} ${value}`, getTexts: ({ value }) => [value],
    read(risk, field) {
      const values: { readonly [name in keyof typeof riskFields]: string | number } = {
        entity_type: risk.kind, entity: risk.value, score: risk.score, level: risk.band, alert_count: risk.alertCount,
        last_alert_at: risk.lastAlertAt,
      }
      return Object.hasOwn(values, field) ? values[field as keyof typeof values] : ''
    },
  })
}

async function computeRisks({ state, settingDefaults, clock }: RiskSource, tenant: TenantId) {
  const at = clock.now()
  const { ownNetworks } = resolveSettings(requireFound(await state.tenants.get(tenant), 'tenant'), settingDefaults)
  const sums = new RiskSums(at, ownNetworks)
  const newestFirst = { where: [open], order: [{ field: 'created_at', direction: 'desc' }] } as const
  const { signal } = new AbortController()
  let alertCount = 0
  for await (const alerts of state.alerts.scan(tenant, newestFirst, { signal })) {
    alertCount += alerts.length
    for (const alert of alerts) sums.add(alert)
  }
  return { value: sums.list().map((risk) => ({ ...risk, calculatedAt: at })), alertCount, at }
}
