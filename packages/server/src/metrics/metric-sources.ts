import type { EventAccounting } from '@tripline/detection/pipeline/compute-accounting'
import type { ConsumerProgress } from '@tripline/detection/pipeline/pipeline'
import type { RuleCost } from '@tripline/engine'
import type { TenantId } from '@tripline/model/tenant'
import type { MonitorSources } from './server/server-monitor.ts'

/**
 * Values that other parts of the server own and metrics only show, read on demand. Totals that the pipeline stores with
 * its offsets are exact across a kill, those of the meter are not.
 */
export type MetricSources = MonitorSources & {
  /** All tenants. */
  readonly tenants: () => Promise<readonly TenantId[]>
  readonly accounting: (tenant: TenantId) => EventAccounting
  /** Events that searches find now. */
  readonly countStored: (tenant: TenantId) => Promise<number>
  /** The corrupted rows of the state database that reads met, by table. */
  readonly getDamagedRows: () => ReadonlyMap<string, number>
  /** Stored events that can no longer be read, and blocks that were repaired. */
  readonly getDamage: (tenant: TenantId) => { readonly [count in 'lostCount' | 'repairedCount' | 'ignoredFilterCount']: number }
  /** Accepted events that searches do not find yet. */
  readonly countNotSearchable: (tenant: TenantId) => number
  /** Correlations that lost state lately, so that matches may be missing. */
  readonly countDegraded: (tenant: TenantId) => number
  /** How many events were routed to rules; only its growth is counted. */
  readonly evaluations: (tenant: TenantId) => Promise<number>
  readonly consumers: () => readonly ConsumerProgress[]
  /** Webhooks with waiting deliveries whose last attempt failed. */
  readonly countFailingWebhooks: (tenant: TenantId) => number
  readonly rules: (tenant: TenantId) => Promise<{ readonly loaded: number; readonly enabled: number }>
  /** The title of a rule; undefined if it no longer exists. */
  readonly ruleTitle: (tenant: TenantId, ruleId: string) => Promise<string | undefined>
  /** The costs reported by the tenant's engine; empty without one. */
  readonly ruleCosts: (tenant: TenantId) => readonly RuleCost[]
  /** Alerts with the verdict false positive. */
  readonly falsePositives: (tenant: TenantId) => Promise<number>
  readonly hasConnector: (tenant: TenantId, connectorId: string) => Promise<boolean>
  /** Why retention does not trust the clock; undefined while it does. */
  readonly getClockProblem: () => string | undefined
  readonly connectors: (tenant: TenantId) => Promise<ConnectorCounts>
  /** The connectors that the server runs, enabled or not. */
  readonly listConnectors: (tenant: TenantId) => Promise<readonly { readonly id: string; readonly name: string; readonly type: string }[]>
  /** The collectors that are not retired. */
  readonly listCollectors: (tenant: TenantId) => Promise<readonly { readonly id: string; readonly name: string }[]>
}

/** Enabled connectors, those of them that are healthy, and those that were not checked yet or wait for their first event. */
export type ConnectorCounts = { readonly active: number; readonly healthy: number; readonly pending: number }

/** The lag of a tenant's slowest consumer of each topic; topics without consumers are left out. */
export function computeLagByTopic(consumers: readonly ConsumerProgress[], tenant: TenantId): ReadonlyMap<string, number> {
  const lags = new Map<string, number>()
  for (const { topic, lag } of consumers) lags.set(topic, Math.max(lags.get(topic) ?? 0, lag.get(tenant) ?? 0))
  return lags
}
