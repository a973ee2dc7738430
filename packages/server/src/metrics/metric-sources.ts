import type { RuleCost } from '@tripline/engine'
import type { TenantId } from '../domain/tenant.ts'

/** What became of a tenant's events since it is there: accepted = evaluated + quarantined + deduplicated + inFlight (C5). */
export type EventAccounting = {
  readonly accepted: number
  readonly evaluated: number
  /** By reason. */
  readonly quarantined: ReadonlyMap<string, number>
  readonly deduplicated: number
  readonly inFlight: number
  /** Events that came too late for correlations, and state of these that made room for other. */
  readonly late: number
  readonly stateEvicted: number
}

/** A consumer of a topic: how far it is, and what it has not committed of each tenant. */
export type ConsumerProgress = {
  readonly topic: string
  readonly consumer: string
  readonly committedOffset: number
  readonly lag: ReadonlyMap<TenantId, number>
}

/**
 * What others know by themselves and metrics only show, as functions that are asked each time: totals that the pipeline
 * keeps with its offsets are exact across a kill, which those of the meter are not.
 */
export type MetricSources = {
  /** All tenants there are. */
  readonly tenants: () => Promise<readonly TenantId[]>
  readonly books: (tenant: TenantId) => EventAccounting
  /** How often events were routed to rules (D-13), since whenever; only what it grows by is counted. */
  readonly evaluations: (tenant: TenantId) => Promise<number>
  readonly consumers: () => readonly ConsumerProgress[]
  readonly rules: (tenant: TenantId) => Promise<{ readonly loaded: number; readonly enabled: number }>
  /** The title of a rule; undefined for one that is gone. */
  readonly ruleTitle: (tenant: TenantId, ruleId: string) => Promise<string | undefined>
  /** As the tenant's engine tells them; empty without one. */
  readonly ruleCosts: (tenant: TenantId) => readonly RuleCost[]
  /** Alerts with the verdict false positive. */
  readonly falsePositives: (tenant: TenantId) => Promise<number>
  readonly hasConnector: (tenant: TenantId, connectorId: string) => Promise<boolean>
  readonly connectors: (tenant: TenantId) => Promise<{ readonly active: number; readonly healthy: number }>
}

/** What a tenant's slowest consumer of each topic has not committed; topics that nobody reads are left out. */
export function computeLagByTopic(consumers: readonly ConsumerProgress[], tenant: TenantId): ReadonlyMap<string, number> {
  const lags = new Map<string, number>()
  for (const { topic, lag } of consumers) lags.set(topic, Math.max(lags.get(topic) ?? 0, lag.get(tenant) ?? 0))
  return lags
}
