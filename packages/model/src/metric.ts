import type { HistogramData } from '@tripline/common/latency-histogram'

/** What the label of a counter identifies. */
type LabelKind = 'connector' | 'outcome' | 'rule' | 'severity' | 'tactic' | 'topic'

/** Definition of a counter. */
export type CounterSettings = {
  readonly help: string
  readonly label?: LabelKind
  /** Whether its total is stored permanently; false for totals that the pipeline stores. */
  readonly hasTotal: boolean
}

/** All counters, per tenant; each is also a time series. */
export const counters = {
  events_accepted: { help: 'Events acknowledged.', hasTotal: true },
  events_normalized: { help: 'Events that passed normalization.', hasTotal: true },
  normalization_failed: { help: 'Events that failed normalization.', hasTotal: true },
  events_evaluated: { help: 'Events evaluated by detection.', hasTotal: true },
  events_dropped: { help: 'Accepted events that no rule saw: quarantined or lost.', hasTotal: false },
  events_late: { help: 'Events too late for correlations.', hasTotal: false },
  rule_evaluations: { help: 'Rule evaluations: each event counts once per rule it was routed to.', hasTotal: true },
  rules_matched: { help: 'Rule matches.', hasTotal: true },
  alerts_generated: { help: 'Alerts created.', hasTotal: true },
  alerts_enriched: { help: 'Matches enriched: those that raised an alert, and those that joined one.', hasTotal: true },
  intel_lookups: { help: 'Enrichment lookups.', hasTotal: true },
  intel_cache_hits: { help: 'Enrichment lookups answered from the cache.', hasTotal: true },
  topic_messages: { help: 'Messages published.', label: 'topic', hasTotal: true },
  severity_alerts: { help: 'Alerts created, by severity.', label: 'severity', hasTotal: true },
  tactic_alerts: { help: 'Alerts created, by tactic.', label: 'tactic', hasTotal: true },
  connector_events_received: { help: 'Events received by a connector.', label: 'connector', hasTotal: true },
  connector_events_failed: { help: 'Events that a connector failed to deliver.', label: 'connector', hasTotal: true },
  connector_bytes_received: { help: 'Bytes received by a connector.', label: 'connector', hasTotal: true },
  channel_attempts: { help: 'Attempts to deliver messages to channels, by what became of the message.', label: 'outcome', hasTotal: true },
  webhook_attempts: { help: 'Attempts to deliver events to webhooks, by what became of the delivery.', label: 'outcome', hasTotal: true },
  rule_matches: { help: 'Rule matches, by rule.', label: 'rule', hasTotal: false },
  rule_alerts: { help: 'Alerts created, by rule.', label: 'rule', hasTotal: false },
} as const satisfies { readonly [name: string]: CounterSettings }
export type CounterName = keyof typeof counters

/** All latency histograms, per tenant; each is also a time series. */
export const latencies = {
  normalization: { help: 'Normalization of an event.' },
  evaluation: { help: 'Evaluation of an event by all rules of its tenant.' },
  enrichment: { help: 'Enrichment of an alert.' },
} as const
export type LatencyName = keyof typeof latencies

/** Gauges, of which a series keeps the maximum. */
export const gauges = {
  consumer_lag: { help: 'Messages not yet committed by every consumer.', label: 'topic' },
} as const satisfies { readonly [name: string]: { readonly help: string; readonly label: LabelKind } }
export type GaugeName = keyof typeof gauges

export type SeriesName = CounterName | LatencyName | GaugeName

/** Labels for values without one, and for values beyond the maximum number of labels. */
export const noLabel = ''
export const otherLabel = '(other)'

/** A measurement within one minute. */
export type MetricPoint = { readonly label: string; readonly startsAt: number } & (
  | { readonly kind: 'count'; readonly name: CounterName; readonly value: number }
  | { readonly kind: 'peak'; readonly name: GaugeName; readonly value: number }
  | { readonly kind: 'histogram'; readonly name: LatencyName; readonly histogram: HistogramData }
)

const minuteMs = 60_000

/** Bucket lengths of stored series; each is a multiple of the previous one. */
export const resolutions = { minute: minuteMs, fiveMinutes: 5 * minuteMs, hour: 60 * minuteMs } as const
export type Resolution = keyof typeof resolutions

/** The start of the bucket that contains a time; buckets are aligned to multiples of their length in UTC. */
export function getBucketStart(at: number, lengthMs: number): number {
  return Math.floor(at / lengthMs) * lengthMs
}
