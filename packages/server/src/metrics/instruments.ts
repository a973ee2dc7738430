import type { IngestCounts } from '../domain/connector.ts'
import type { TenantId } from '../domain/tenant.ts'
import { countAlerts } from './count-alerts.ts'
import type { CountedAlert } from './count-alerts.ts'
import type { Meter } from './meter.ts'

/** What those who do the work say of it; events that were accepted and evaluated are in the books already. */
export type Instruments = {
  /** Normalization is done with events of a batch, some of which it handed on. */
  readonly normalized: (tenant: TenantId, batch: BatchTiming & { readonly handedOnCount: number; readonly failedCount: number }) => void
  /** All rules have met events of a batch; each match names its rule. */
  readonly evaluated: (tenant: TenantId, batch: BatchTiming & { readonly matchedRuleIds: readonly string[] }) => void
  /** Events came in through a connector, or were none that could be taken. */
  readonly received: (tenant: TenantId, connectorId: string, arrival: IngestCounts) => void
  /** An alert was enriched. */
  readonly enriched: (tenant: TenantId, alert: EnrichmentTiming) => void
  /** Alerts that are new. */
  readonly alerted: (tenant: TenantId, alerts: readonly CountedAlert[]) => void
}

/** Events that took so long together. */
export type BatchTiming = { readonly eventCount: number; readonly durationMs: number }

/** How long an alert took, and how many lookups of indicators the cache answered, and did not. */
export type EnrichmentTiming = { readonly durationMs: number; readonly hitCount: number; readonly missCount: number }

/** Counts and times work on a meter. Each event of a batch took the same part of its time. */
export function createInstruments(meter: Pick<Meter, 'count' | 'observe'>): Instruments {
  return {
    normalized(tenant, { eventCount, durationMs, handedOnCount, failedCount }) {
      meter.count(tenant, 'events_normalized', { by: handedOnCount })
      meter.count(tenant, 'normalization_failed', { by: failedCount })
      if (eventCount > 0) meter.observe(tenant, 'normalization', durationMs / eventCount, eventCount)
    },
    evaluated(tenant, { eventCount, durationMs, matchedRuleIds }) {
      meter.count(tenant, 'rules_matched', { by: matchedRuleIds.length })
      for (const label of matchedRuleIds) meter.count(tenant, 'rule_matches', { label })
      if (eventCount > 0) meter.observe(tenant, 'evaluation', durationMs / eventCount, eventCount)
    },
    received(tenant, label, { receivedCount, refusedCount, byteCount }) {
      meter.count(tenant, 'connector_events_received', { label, by: receivedCount })
      meter.count(tenant, 'connector_events_failed', { label, by: refusedCount })
      meter.count(tenant, 'connector_bytes_received', { label, by: byteCount })
    },
    enriched(tenant, { durationMs, hitCount, missCount }) {
      meter.count(tenant, 'alerts_enriched')
      meter.count(tenant, 'intel_lookups', { by: hitCount + missCount })
      meter.count(tenant, 'intel_cache_hits', { by: hitCount })
      meter.observe(tenant, 'enrichment', durationMs)
    },
    alerted: (tenant, alerts) => countAlerts(meter, tenant, alerts),
  }
}
