import { z } from 'zod'

/**
 * The contract of the console API, written independently of the code, with our additions. The schemas are strict: an
 * undocumented field fails the test.
 */
const text = z.string().min(1)
const timestamp = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const eventId = z.string().regex(/^[0-9a-f]{32}$/)
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)
const count = z.int().min(0)
const rate = z.number().min(0)
const percent = z.number().min(0).max(100)
const level = z.enum(['low', 'medium', 'high', 'critical'])
const attack = z.strictObject({
  tactics: z.array(z.string().regex(/^[a-z-]+$/)),
  techniques: z.array(z.string().regex(/^T\d{4}(\.\d{3})?$/)),
})

const pagination = { page: count, size: count, total: count }
/** What a list under the query contract carries. */
const list = {
  pagination: z.strictObject({ ...pagination, next_cursor: text.nullable() }),
  took_ms: rate, total_estimate: count, truncated: z.boolean(), query_warnings: z.array(z.string()),
}
const values = z.array(z.strictObject({ timestamp, value: z.number() })).min(1)
const percentile = z.number().nullable()
const series = { interval: z.enum(['1m', '5m', '15m', '1h']), query_warnings: z.array(z.string()) }

const connectorStatus = z.enum(['pending', 'healthy', 'degraded', 'unhealthy', 'disabled'])

export const connector = z.strictObject({
  id: z.uuid(), name: text, type: text, status: connectorStatus, enabled: z.boolean(),
  health: z.strictObject({ last_check: timestamp, message: text, consecutive_failures: count }),
  stats: z.strictObject({
    events_received_total: count, events_failed_total: count, bytes_received_total: count, events_per_second: rate,
    last_event_at: timestamp,
    // Our additions.
    events_per_second_15m: z.array(rate).length(30), error_rate_15m: percent, lag_seconds: count.nullable(), delay_seconds: count.nullable(),
  }),
  config: z.record(z.string(), z.unknown()),
  created_at: timestamp, updated_at: timestamp,
})

const check = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('connectivity'), status: z.literal('pass'), message: text, latency_ms: count }),
  z.strictObject({ type: z.literal('authentication'), status: z.literal('warn'), message: text }),
  z.strictObject({ type: z.literal('data_flow'), status: z.literal('fail'), message: text, events_in_last_minute: count }),
])

export const connectorHealth = z.strictObject({
  connector_id: z.uuid(), status: connectorStatus, last_check: timestamp,
  checks: z.array(check).length(3),
  history: z.array(z.strictObject({ timestamp, status: connectorStatus })).min(1),
})

export const connectorMetrics = z.strictObject({
  connector_id: z.uuid(),
  metrics: z.strictObject({ events_received: values, events_failed: values, throughput_eps: values }),
  ...series,
})

/** Only the documented topics. */
const topic = (name: string) => z.strictObject({ name: z.literal(name), consumer_lag: count, messages_per_second: rate })

/** Our addition. */
const percentiles = z.strictObject({ p50: percentile, p95: percentile, p99: percentile })

export const pipelineMetrics = z.strictObject({
  timestamp,
  stages: z.strictObject({
    ingestion: z.strictObject({
      events_total: count, events_per_second: rate, active_connectors: count, healthy_connectors: count,
      // Our addition.
      pending_connectors: count,
    }),
    normalization: z.strictObject({
      events_processed: count, events_failed: count, success_rate: percent, avg_latency_ms: rate, p99_latency_ms: rate,
      percentiles_ms: percentiles,
    }),
    detection: z.strictObject({
      events_evaluated: count, rules_matched: count, alerts_generated: count, false_positives: count,
      avg_evaluation_time_ms: rate, percentiles_ms: percentiles,
    }),
    enrichment: z.strictObject({
      alerts_processed: count, avg_enrichment_time_ms: rate, intel_cache_hit_rate: percent, percentiles_ms: percentiles,
    }),
  }),
  queue: z.strictObject({
    topics: z.tuple([topic('raw-events'), topic('normalized-events'), topic('alerts'), topic('webhooks')]),
  }),
  books: z.strictObject({
    accepted: count, evaluated: count, quarantined: z.record(z.string(), count), deduplicated: count, in_flight: count,
    lost: count, stored: count, stored_lost: count, not_searchable: count,
    late: count, state_evicted: count,
  }),
})

export const pipelineSeries = z.strictObject({
  ingestion_rate: values,
  normalization_latency: z.array(z.strictObject({ timestamp, p50: percentile, p95: percentile, p99: percentile })).min(1),
  // Our additions.
  normalization_failed: values, late: values, dropped: values, refused: values,
  evaluation_latency: z.array(z.strictObject({ timestamp, p50: percentile, p95: percentile, p99: percentile })).min(1),
  enrichment_latency: z.array(z.strictObject({ timestamp, p50: percentile, p95: percentile, p99: percentile })).min(1),
  alerts_generated: values,
  queue_consumer_lag: z.strictObject({ 'raw-events': values, 'normalized-events': values, alerts: values, webhooks: values }),
  ...series,
})

const cost = z.strictObject({ ns_per_event_p50: rate, ns_per_event_p99: rate, cpu_share_percent: percent }).nullable()
const rule = {
  id: z.uuid(), title: text, level,
  status: z.enum(['stable', 'test', 'experimental', 'deprecated', 'unsupported']),
  enabled: z.boolean(),
  logsource: z.strictObject({ category: z.string(), product: z.string(), service: z.string() }),
  mitre: attack,
  created_at: timestamp, updated_at: timestamp, cost,
}

export const ruleList = z.strictObject({
  rules: z.array(z.strictObject({
    ...rule,
    stats: z.strictObject({
      evaluations_total: count, matches_total: count, true_positives: count, false_positives: count,
      match_rate: z.number().min(0).max(1),
    }),
    // Our additions to the entries of the list.
    version: count, health: z.strictObject({ state: text, problem: text.nullable() }), matches_by_hour: z.array(count).length(24),
    verdict: z.strictObject({ value: z.enum(['keep', 'tune', 'retire', 'silent']), reason: text }).nullable(),
    false_positive_share_7d: z.number().min(0).max(1).nullable(), updated_by: text.nullable(),
  })).min(1),
  ...list,
})

export const ruleDetail = z.strictObject({
  ...rule,
  description: text, author: text, date: day, modified: day,
  false_positives: z.array(text), references: z.array(z.url()), tags: z.array(text),
  stats: z.strictObject({
    evaluations_last_24h: count, matches_last_24h: count, true_positives_last_7d: count, false_positives_last_7d: count,
  }),
  // Our additions to the detail of a rule.
  definition: text, lifecycle: z.enum(['draft', 'published']), origin: z.enum(['builtin', 'custom', 'modified']),
  version: count, etag: z.string().regex(/^"\d+"$/), tests: z.array(z.unknown()), filters: z.array(z.unknown()),
  required_fields: z.array(z.strictObject({ field: text, seen: z.boolean() })).min(1),
  health: z.strictObject({ state: text, problem: text.nullable() }),
})

/** A rule after a change. */
export const changedRule = ruleDetail.extend({ effective_from_offset: count.nullable(), warnings: z.array(text) })

export const ruleMatches = z.strictObject({
  rule_id: z.uuid(),
  matches: z.array(z.strictObject({
    match_id: z.uuid(), alert_id: z.uuid(), event_id: eventId, timestamp,
    event: z.strictObject({ process_name: text, command_line: text, user: text, host: text, timestamp: z.string() }),
    verdict: z.enum(['true_positive', 'false_positive', 'benign', 'unreviewed']),
    reviewed_by: z.email(), reviewed_at: timestamp,
  })).min(1),
  ...list,
})

export const ruleTest = z.strictObject({
  results: z.tuple([
    z.strictObject({ event_index: z.literal(0), matched: z.literal(true), matched_conditions: z.array(text).min(1) }),
    z.strictObject({ event_index: z.literal(1), matched: z.literal(false), matched_conditions: z.array(text).max(0) }),
  ]),
})

export const detectionMetrics = z.strictObject({
  rules_loaded: count, rules_enabled: count, evaluations_per_second: rate, avg_evaluation_time_ms: rate,
  p99_evaluation_time_ms: rate,
  top_alerting_rules: z.array(z.strictObject({ rule_id: z.uuid(), title: text, alerts_last_24h: count })).min(1),
  alerts_by_severity: z.strictObject({ critical: count, high: count, medium: count, low: count }),
  alerts_by_tactic: z.record(z.string(), count),
  timestamp,
})

const service = z.strictObject({
  status: z.enum(['up', 'degraded', 'down']), replicas: z.literal(1), healthy_replicas: count.max(1), since: timestamp,
  reason: z.enum(['queue_slow', 'queue_stalled', 'not_writable']).nullable(),
})
export const systemHealth = z.strictObject({
  status: z.enum(['healthy', 'degraded', 'unhealthy']), timestamp,
  services: z.strictObject({
    'connector-service': service, 'normalizer-service': service, 'detection-service': service, 'enrichment-service': service,
  }),
  checks: z.strictObject({
    loop_lag_ms: rate, loop_on_time: z.boolean(), queues_moving: z.boolean(), store_writable: z.boolean(), clock_plausible: z.boolean(),
    store_write_ms: rate.nullable(), queue_sync_ms: rate.nullable(),
    disk: z.strictObject({ state: z.enum(['ok', 'low', 'nearly_full', 'full']), free_bytes: count, size_bytes: count }).nullable(),
    events_lost: count,
    events_not_searchable: count, stored_events_lost: count, rows_damaged: count, webhooks_failing: count,
    expiring: z.array(z.object({ kind: z.string(), name: z.string(), expires_at: z.string() })), data_intact: z.boolean().nullable(), data_verified_at: z.string().nullable(),
  }),
})

const alert = {
  id: z.uuid(), rule_id: z.uuid(), rule_title: text, rule_version: count, severity: level,
  status: z.enum(['open', 'investigating', 'resolved', 'false_positive']),
  event: z.strictObject({ timestamp, source: text, host: text, user: text, process: text, command_line: text }),
  // A tenant sets no response targets at first.
  sla: z.null(),
  enrichment: z.strictObject({
    user_context: z.strictObject({ department: z.literal('finance'), is_privileged: z.boolean() }),
    asset_context: z.strictObject({ criticality: z.literal('critical'), os: text, ip: z.ipv4() }),
    threat_intel: z.strictObject({ known_malicious: z.literal(true), reputation_score: percent }),
  }),
  mitre: attack,
  created_at: timestamp, updated_at: timestamp,
  // Extensions of docs/reference/console-api.md.
  assignee: z.email(), verdict: z.enum(['true_positive', 'false_positive', 'benign', 'unreviewed']),
  reviewed_by: z.email(), reviewed_at: timestamp, event_count: count, last_seen: timestamp, first_event_at: timestamp,
  last_event_at: timestamp, incident_id: text.nullable(),
  reopened_count: count, acknowledged_at: timestamp.nullable(), closed_at: timestamp.nullable(),
}

export const alertList = z.strictObject({ alerts: z.array(z.strictObject(alert)).min(1), ...list })

/** What a change of an alert is answered with. */
export const alertDetail = z.strictObject({
  ...alert,
  comments: z.array(z.strictObject({ id: z.uuid(), author: z.email(), content: text, created_at: timestamp })).min(1),
  correlation: z.strictObject({
    condition: z.string(), degraded: z.boolean(),
    approximate: z.strictObject({ relative_error: z.number(), window_error_ms: z.number() }).nullable(),
  }).nullable(),
  evidence: z.array(z.strictObject({ match_id: z.uuid(), timestamp, event_id: eventId, event: z.record(z.string(), z.unknown()) })).min(1),
})

/** The result of testing unsaved settings. */
export const connectorTest = z.strictObject({
  connector_id: z.null(), status: connectorStatus, tested_at: timestamp, duration_ms: count,
  checks: z.array(z.strictObject({
    type: z.enum(['connectivity', 'authentication', 'data_flow']), status: z.enum(['pass', 'warn', 'fail', 'skip']), message: text,
    latency_ms: count.optional(), events_in_last_minute: count.optional(),
  })).length(3),
})

/** Messages of `/ws/monitoring`, by type. */
export const messages = {
  metrics_update: z.strictObject({
    ingestion_rate: rate, normalization_latency_p99: rate, alerts_last_minute: count, queue_consumer_lag_total: count,
  }),
  connector_status_change: z.strictObject({
    connector_id: z.uuid(), old_status: connectorStatus, new_status: connectorStatus, message: text,
  }),
  new_alert: z.strictObject({
    alert_id: z.uuid(), severity: level, rule_title: text, host: text, created_at: timestamp, rule_id: text, user: z.string(),
    source: z.string(), tactics: z.array(text), status: z.literal('open'), event_count: count,
  }),
  alert_updated: z.strictObject({
    alert_id: z.uuid(), status: z.enum(['open', 'investigating', 'resolved', 'false_positive']),
    verdict: z.enum(['true_positive', 'false_positive', 'benign', 'unreviewed']), assignee: z.email(),
    updated_by: z.email(), event_count: count,
  }),
  subscribed: z.strictObject({ id: z.literal('1'), topics: z.array(text), last_event_id: text }),
  error: z.strictObject({ code: z.literal('UNKNOWN_TOPIC'), message: text, topics: z.tuple([z.literal('foo')]), id: z.literal('1') }),
} as const
export type MessageType = keyof typeof messages

/** What every message is wrapped in. */
export const envelope = z.strictObject({ type: z.enum(Object.keys(messages) as MessageType[]), timestamp, id: z.string().optional(), data: z.unknown() })

/** The body of every error response. */
export const errorBody = z.strictObject({
  error: z.strictObject({ code: text, message: text, details: z.record(z.string(), z.unknown()).optional(), request_id: text }),
})
