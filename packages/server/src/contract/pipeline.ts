import { z } from 'zod'

/** What became of a tenant's events: accepted = evaluated + quarantined + deduplicated + in_flight (C5). */
export const booksSchema = z.strictObject({
  accepted: z.int(),
  evaluated: z.int(),
  /** By reason. */
  quarantined: z.record(z.string(), z.int()),
  deduplicated: z.int(),
  in_flight: z.int(),
  late: z.int(),
  state_evicted: z.int(),
})

/** Totals since the tenant is there, rates of the last minute, times of the last five; 0 where there was nothing (D-10). */
export const pipelineMetricsSchema = z.strictObject({
  timestamp: z.iso.datetime(),
  stages: z.strictObject({
    ingestion: z.strictObject({
      events_total: z.int(),
      events_per_second: z.number(),
      active_connectors: z.int(),
      healthy_connectors: z.int(),
    }),
    normalization: z.strictObject({
      /** Those that failed included. */
      events_processed: z.int(),
      events_failed: z.int(),
      /** 100 where nothing was processed. */
      success_rate: z.number(),
      avg_latency_ms: z.number(),
      p99_latency_ms: z.number(),
    }),
    detection: z.strictObject({
      events_evaluated: z.int(),
      rules_matched: z.int(),
      alerts_generated: z.int(),
      false_positives: z.int(),
      avg_evaluation_time_ms: z.number(),
    }),
    enrichment: z.strictObject({
      alerts_processed: z.int(),
      avg_enrichment_time_ms: z.number(),
      intel_cache_hit_rate: z.number(),
    }),
  }),
  queue: z.strictObject({
    topics: z.array(z.strictObject({ name: z.string(), consumer_lag: z.int(), messages_per_second: z.number() })),
  }),
  books: booksSchema,
})
export type PipelineMetricsBody = z.infer<typeof pipelineMetricsSchema>

/** Alerts are those of the last 24 hours, to the five minutes. */
export const detectionMetricsSchema = z.strictObject({
  timestamp: z.iso.datetime(),
  rules_loaded: z.int(),
  rules_enabled: z.int(),
  /** Of an event by a rule (D-13). */
  evaluations_per_second: z.number(),
  /** Of an event by all rules. */
  avg_evaluation_time_ms: z.number(),
  p99_evaluation_time_ms: z.number(),
  top_alerting_rules: z.array(z.strictObject({ rule_id: z.string(), title: z.string(), alerts_last_24h: z.int() })),
  alerts_by_severity: z.strictObject({ critical: z.int(), high: z.int(), medium: z.int(), low: z.int() }),
  alerts_by_tactic: z.record(z.string(), z.int()),
})
export type DetectionMetricsBody = z.infer<typeof detectionMetricsSchema>
