import { z } from 'zod'
import { instantParameter } from '../page.ts'

/** Accounting of a tenant's events: accepted = evaluated + quarantined + deduplicated + in_flight + lost. */
export const booksSchema = z.strictObject({
  accepted: z.int(),
  evaluated: z.int(),
  /** By reason. */
  quarantined: z.record(z.string(), z.int()),
  deduplicated: z.int(),
  in_flight: z.int(),
  /** Accepted events whose bytes were corrupted before they were evaluated. */
  lost: z.int(),
  /** Events that searches find now. */
  stored: z.int(),
  /** Events that were stored and can no longer be read: their bytes are corrupted beyond repair. They are not in `stored`. */
  stored_lost: z.int(),
  /** Accepted events that searches do not find yet. */
  not_searchable: z.int(),
  late: z.int(),
  state_evicted: z.int(),
})

/** How long a stage takes for an event, over the last five minutes; null where nothing was measured. */
const percentilesSchema = z.strictObject({ p50: z.number().nullable(), p95: z.number().nullable(), p99: z.number().nullable() })
export type PercentilesBody = z.infer<typeof percentilesSchema>

/** Totals since the tenant was created, rates of the last minute, latencies of the last five; 0 without data. */
export const pipelineMetricsSchema = z.strictObject({
  timestamp: z.iso.datetime(),
  stages: z.strictObject({
    ingestion: z.strictObject({
      events_total: z.int(),
      events_per_second: z.number(),
      active_connectors: z.int(),
      healthy_connectors: z.int(),
      /** Enabled ones that were not checked yet or wait for their first event. */
      pending_connectors: z.int(),
    }),
    normalization: z.strictObject({
      /** Including failed ones. */
      events_processed: z.int(),
      events_failed: z.int(),
      /** 100 if nothing was processed. */
      success_rate: z.number(),
      avg_latency_ms: z.number(),
      p99_latency_ms: z.number(),
      percentiles_ms: percentilesSchema,
    }),
    detection: z.strictObject({
      events_evaluated: z.int(),
      rules_matched: z.int(),
      alerts_generated: z.int(),
      false_positives: z.int(),
      avg_evaluation_time_ms: z.number(),
      percentiles_ms: percentilesSchema,
    }),
    enrichment: z.strictObject({
      /**
       * Matches that raised an alert or joined one, so that `event_count` of all alerts adds up to it. `rules_matched` counts those
       * below the tenant's alert level as well.
       */
      alerts_processed: z.int(),
      avg_enrichment_time_ms: z.number(),
      intel_cache_hit_rate: z.number(),
      percentiles_ms: percentilesSchema,
    }),
  }),
  queue: z.strictObject({
    topics: z.array(z.strictObject({ name: z.string(), consumer_lag: z.int(), messages_per_second: z.number() })),
  }),
  books: booksSchema,
})
export type PipelineMetricsBody = z.infer<typeof pipelineMetricsSchema>

/** Alerts cover the last 24 hours, to five minutes. */
export const detectionMetricsSchema = z.strictObject({
  timestamp: z.iso.datetime(),
  rules_loaded: z.int(),
  rules_enabled: z.int(),
  /** Evaluations of one event by one rule. */
  evaluations_per_second: z.number(),
  /** Time to evaluate one event by all rules. */
  avg_evaluation_time_ms: z.number(),
  p99_evaluation_time_ms: z.number(),
  top_alerting_rules: z.array(z.strictObject({ rule_id: z.string(), title: z.string(), alerts_last_24h: z.int() })),
  alerts_by_severity: z.strictObject({ critical: z.int(), high: z.int(), medium: z.int(), low: z.int() }),
  alerts_by_tactic: z.record(z.string(), z.int()),
})
export type DetectionMetricsBody = z.infer<typeof detectionMetricsSchema>

/** Query parameters of the sources: the last hour by default. */
export const pipelineSourceQuerySchema = z.strictObject({ from: instantParameter.optional(), to: instantParameter.optional() })

/** What each source brought in a range, the most first. */
export const pipelineSourceListSchema = z.strictObject({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** Accepted events of the range. */
  events: z.int(),
  sources: z.array(z.strictObject({
    /**
     * The connector or collector; null for what came otherwise: with keys, from users, and from connectors and collectors that are
     * gone.
     */
    id: z.string().nullable(),
    name: z.string(),
    /** That of the connector, or `collector`. */
    type: z.string(),
    /** Those of a collector count once they are stored. */
    events: z.int(),
    /** Events that the connector could not deliver. */
    events_failed: z.int(),
    /** Over the last minute. */
    events_per_second: z.number(),
    /** Percent of the events of the range. */
    share: z.number(),
  })),
  query_warnings: z.array(z.string()),
})
export type PipelineSourceListBody = z.infer<typeof pipelineSourceListSchema>
