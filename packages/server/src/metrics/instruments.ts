import type { PipelineInstruments } from '@tripline/detection/pipeline/pipeline-instruments'
import type { IngestCounts } from '@tripline/model/connector'
import type { TenantId } from '@tripline/model/tenant'
import { countAlerts } from './count-alerts.ts'
import type { Meter } from './meter.ts'

/** The instruments that record work. Accepted and evaluated events are counted by the pipeline's own accounting. */
type Instruments = PipelineInstruments & {
  /** A connector received events, or items that were rejected. */
  readonly received: (tenant: TenantId, connectorId: string, arrival: IngestCounts) => void
  /** A match was enriched, before it is known whether it creates an alert or joins one. */
  readonly enriched: (tenant: TenantId, match: EnrichmentTiming) => void
}

/** The time to enrich a match, and its cache hits and misses among indicator lookups. */
type EnrichmentTiming = { readonly durationMs: number; readonly hitCount: number; readonly missCount: number }

/** Creates instruments that record on a meter. A batch's time is divided evenly among its events. */
export function createInstruments(meter: Pick<Meter, 'count' | 'observe'>): Instruments {
  return {
    deduplicated(tenant, { eventCount, durationMs, handedOnCount, failedCount }) {
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
