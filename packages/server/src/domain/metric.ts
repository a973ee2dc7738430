import type { HistogramData } from './latency-histogram.ts'

/** What is told apart within a counter of a tenant. */
export type LabelKind = 'connector' | 'rule' | 'severity' | 'tactic' | 'topic'

/** A row of the table of counters. */
export type CounterSettings = {
  readonly help: string
  readonly label?: LabelKind
  /** Whether its total is kept for ever; false for what the pipeline keeps totals of itself. */
  readonly hasTotal: boolean
}

/** All that is counted, by tenant; each makes a series over time. */
export const counters = {
  events_accepted: { help: 'Events that were acknowledged.', hasTotal: true },
  events_normalized: { help: 'Events that normalization handed on.', hasTotal: true },
  normalization_failed: { help: 'Events that normalization could not handle.', hasTotal: true },
  events_evaluated: { help: 'Events that went through detection.', hasTotal: true },
  rule_evaluations: { help: 'Events times the rules they were routed to.', hasTotal: true },
  rules_matched: { help: 'Matches of rules.', hasTotal: true },
  alerts_generated: { help: 'Alerts that were made.', hasTotal: true },
  alerts_enriched: { help: 'Alerts that went through enrichment.', hasTotal: true },
  intel_lookups: { help: 'Lookups of enrichment.', hasTotal: true },
  intel_cache_hits: { help: 'Lookups of enrichment that the cache answered.', hasTotal: true },
  topic_messages: { help: 'Messages that were published.', label: 'topic', hasTotal: true },
  severity_alerts: { help: 'Alerts that were made, by severity.', label: 'severity', hasTotal: true },
  tactic_alerts: { help: 'Alerts that were made, by tactic.', label: 'tactic', hasTotal: true },
  connector_events_received: { help: 'Events that a connector received.', label: 'connector', hasTotal: true },
  connector_events_failed: { help: 'Events that a connector could not hand on.', label: 'connector', hasTotal: true },
  connector_bytes_received: { help: 'Bytes that a connector received.', label: 'connector', hasTotal: true },
  rule_matches: { help: 'Matches, by rule.', label: 'rule', hasTotal: false },
  rule_alerts: { help: 'Alerts that were made, by rule.', label: 'rule', hasTotal: false },
} as const satisfies { readonly [name: string]: CounterSettings }
export type CounterName = keyof typeof counters

/** All lengths of time that are measured, by tenant; each makes a series over time. */
export const latencies = {
  normalization: { help: 'Normalization of an event.' },
  evaluation: { help: 'Evaluation of an event by all rules of its tenant.' },
  enrichment: { help: 'Enrichment of an alert.' },
} as const
export type LatencyName = keyof typeof latencies

/** Numbers that go up and down, of which a series keeps the highest. */
export const gauges = {
  consumer_lag: { help: 'Messages that some consumer has not committed.', label: 'topic' },
} as const satisfies { readonly [name: string]: { readonly help: string; readonly label: LabelKind } }
export type GaugeName = keyof typeof gauges

export type SeriesName = CounterName | LatencyName | GaugeName

/** The label of what is counted without one, and of all that came when there were labels enough. */
export const noLabel = ''
export const otherLabel = '(other)'

/** What was measured within a minute. */
export type MetricPoint = { readonly label: string; readonly startsAt: number } & (
  | { readonly kind: 'count'; readonly name: CounterName; readonly value: number }
  | { readonly kind: 'peak'; readonly name: GaugeName; readonly value: number }
  | { readonly kind: 'histogram'; readonly name: LatencyName; readonly histogram: HistogramData }
)

const minuteMs = 60_000

/** The lengths of time that points are kept by; each fills the next one whole. */
export const resolutions = { minute: minuteMs, fiveMinutes: 5 * minuteMs, hour: 60 * minuteMs } as const
export type Resolution = keyof typeof resolutions

/** Where the bucket of that length begins that an instant is in: all begin at multiples of it, in UTC. */
export function getBucketStart(at: number, lengthMs: number): number {
  return Math.floor(at / lengthMs) * lengthMs
}
