import type { SystemHealthBody } from '@tripline/contract/console/health'
import type { ConnectorMetricsBody, LatencyPointBody, PipelineSeriesBody, ValuePoint } from '@tripline/contract/console/metrics'
import type { DetectionMetricsBody, PercentilesBody, PipelineMetricsBody } from '@tripline/contract/console/pipeline'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import type {
  Books, ConnectorSeries, DetectionMetrics, Health, LatencyPoint, PipelineMetrics, PipelineSeries, SeriesPoint, SystemHealth,
} from './metrics.ts'
import type { LatencyView } from '../../metrics/meter.ts'
import { roundToThousandth } from '../../http/round.ts'

export function printPipelineMetrics(numbers: PipelineMetrics): PipelineMetricsBody {
  const { books, normalization, normalizationFailed, evaluation, enrichment, intelLookups } = numbers
  const processed = numbers.normalized + normalizationFailed
  return {
    timestamp: formatTimestamp(numbers.at),
    stages: {
      ingestion: {
        events_total: books.accepted,
        events_per_second: round(numbers.eventsPerSecond),
        active_connectors: numbers.connectors.active,
        healthy_connectors: numbers.connectors.healthy,
        pending_connectors: numbers.connectors.pending,
      },
      normalization: {
        events_processed: processed,
        events_failed: normalizationFailed,
        success_rate: processed === 0 ? 100 : round((100 * numbers.normalized) / processed),
        avg_latency_ms: round(normalization.meanMs),
        p99_latency_ms: round(normalization.percentileMs(0.99)),
        percentiles_ms: printPercentiles(normalization),
      },
      detection: {
        events_evaluated: books.evaluated,
        rules_matched: numbers.rulesMatched,
        alerts_generated: numbers.alertsGenerated,
        false_positives: numbers.falsePositives,
        avg_evaluation_time_ms: round(evaluation.meanMs),
        percentiles_ms: printPercentiles(evaluation),
      },
      enrichment: {
        alerts_processed: numbers.alertsEnriched,
        avg_enrichment_time_ms: round(enrichment.meanMs),
        intel_cache_hit_rate: intelLookups === 0 ? 0 : round((100 * numbers.intelCacheHits) / intelLookups),
        percentiles_ms: printPercentiles(enrichment),
      },
    },
    queue: {
      topics: numbers.topics.map(({ name, lag, messagesPerSecond }) => ({
        name, consumer_lag: lag, messages_per_second: round(messagesPerSecond),
      })),
    },
    books: printBooks(books),
  }
}

export function printPipelineSeries(series: PipelineSeries, warnings: readonly string[]): PipelineSeriesBody {
  return {
    ingestion_rate: printValues(series.ingestionRate),
    normalization_latency: series.normalizationLatency.map(printLatency),
    normalization_failed: printValues(series.normalizationFailed),
    evaluation_latency: series.evaluationLatency.map(printLatency),
    enrichment_latency: series.enrichmentLatency.map(printLatency),
    alerts_generated: printValues(series.alertsGenerated),
    late: printValues(series.late),
    dropped: printValues(series.dropped),
    refused: printValues(series.refused),
    queue_consumer_lag: Object.fromEntries([...series.consumerLag].map(([topic, points]) => [topic, printValues(points)])),
    interval: series.interval,
    query_warnings: [...warnings],
  }
}

export function printConnectorMetrics(
  connectorId: string,
  series: ConnectorSeries,
  warnings: readonly string[],
): ConnectorMetricsBody {
  return {
    connector_id: connectorId,
    metrics: {
      events_received: printValues(series.received),
      events_failed: printValues(series.failed),
      throughput_eps: printValues(series.receivedPerSecond),
    },
    interval: series.interval,
    query_warnings: [...warnings],
  }
}

export function printDetectionMetrics(numbers: DetectionMetrics): DetectionMetricsBody {
  const severity = (name: string) => numbers.alertsBySeverity.get(name) ?? 0
  return {
    timestamp: formatTimestamp(numbers.at),
    rules_loaded: numbers.rules.loaded,
    rules_enabled: numbers.rules.enabled,
    evaluations_per_second: round(numbers.evaluationsPerSecond),
    avg_evaluation_time_ms: round(numbers.evaluation.meanMs),
    p99_evaluation_time_ms: round(numbers.evaluation.percentileMs(0.99)),
    top_alerting_rules: numbers.topRules.map(({ ruleId, title, alertCount }) => ({
      rule_id: ruleId, title, alerts_last_24h: alertCount,
    })),
    alerts_by_severity: {
      critical: severity('critical'), high: severity('high'), medium: severity('medium'), low: severity('low'),
    },
    alerts_by_tactic: Object.fromEntries(numbers.alertsByTactic),
  }
}

/** The words of the API for how full the disk is. */
const diskStates = { enough: 'ok', low: 'low', high: 'nearly_full', flood: 'full' } as const

/** In a single process each service has exactly one replica. */
export function printSystemHealth(health: SystemHealth): SystemHealthBody {
  const { status, services, causes, loopLagMs, isLoopLate, stalled, isWritable, isClockPlausible, verification, diskSpace, at } = health
  const service = (name: keyof Health['services']) => ({
    status: services[name], replicas: 1, healthy_replicas: services[name] === 'up' ? 1 : 0,
    since: formatTimestamp(causes[name].sinceMs), reason: causes[name].reason ?? null,
  })
  return {
    status,
    timestamp: formatTimestamp(at),
    services: {
      'connector-service': service('connector-service'),
      'normalizer-service': service('normalizer-service'),
      'detection-service': service('detection-service'),
      'enrichment-service': service('enrichment-service'),
    },
    checks: {
      loop_lag_ms: round(loopLagMs), loop_on_time: !isLoopLate, queues_moving: stalled.length === 0, store_writable: isWritable,
      store_write_ms: health.writeMs === undefined ? null : round(health.writeMs),
      queue_sync_ms: health.syncMs === undefined ? null : round(health.syncMs),
      disk: diskSpace === undefined
        ? null
        : { state: diskStates[diskSpace.level], free_bytes: diskSpace.freeBytes, size_bytes: diskSpace.sizeBytes },
      clock_plausible: isClockPlausible, events_lost: health.lostCount, events_not_searchable: health.notSearchableCount,
      stored_events_lost: health.storedLostCount,
      rows_damaged: health.damagedRowCount,
      webhooks_failing: health.failingWebhookCount,
      expiring: health.expiring.map(({ kind, name, expiresAt }) => ({ kind, name, expires_at: formatTimestamp(expiresAt) })),
      data_intact: verification === undefined ? null : verification.damagedCount === 0,
      data_verified_at: verification === undefined ? null : formatTimestamp(verification.atMs),
    },
  }
}

function printBooks(books: Books): PipelineMetricsBody['books'] {
  const { accepted, evaluated, quarantined, deduplicated, inFlight, lost, late, stateEvicted } = books
  return {
    accepted, evaluated, deduplicated, lost, late,
    quarantined: Object.fromEntries(quarantined),
    in_flight: inFlight,
    stored: books.storedCount,
    stored_lost: books.storedLostCount,
    not_searchable: books.notSearchableCount,
    state_evicted: stateEvicted,
  }
}

function printPercentiles({ percentileMs }: LatencyView): PercentilesBody {
  const at = (share: number): number | null => roundOrNull(percentileMs(share) ?? null)
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

function printValues(points: readonly SeriesPoint[]): ValuePoint[] {
  return points.map(({ startsAt, value }) => ({ timestamp: formatTimestamp(startsAt), value: round(value) }))
}

function printLatency({ startsAt, p50, p95, p99 }: LatencyPoint): LatencyPointBody {
  return { timestamp: formatTimestamp(startsAt), p50: roundOrNull(p50), p95: roundOrNull(p95), p99: roundOrNull(p99) }
}

/** Rounds to a thousandth; unmeasured values are 0 where the console API requires a number. */
function round(value: number | undefined): number {
  return roundToThousandth(value ?? 0)
}

function roundOrNull(value: number | null): number | null {
  return value === null ? null : round(value)
}
