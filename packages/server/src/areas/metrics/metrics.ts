import type { EventAccounting } from '@tripline/detection/pipeline/compute-accounting'
import type { CounterName } from '@tripline/model/metric'
import type { TenantId } from '@tripline/model/tenant'
import { notFound } from '@tripline/state/ports/version-conflict'
import { limits } from '../../limits.ts'
import type { MetricFamily } from '../../metrics/metric-family.ts'
import { collectMetricFamilies } from '../../metrics/prometheus-metrics.ts'
import type { LatencyView } from '../../metrics/meter.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { listExpiring } from '../../metrics/server/expiry.ts'
import type { Expiry } from '../../metrics/server/expiry.ts'
import type { DiskSpace, Verification } from '../../metrics/server/server-monitor.ts'
import { readCountSeries, readLatencySeries, readPeakSeries, readRateSeries } from '../../metrics/series.ts'
import type { LatencyPoint, SeriesPoint } from '../../metrics/series.ts'
import { listBuckets, readSeriesRange } from '../../metrics/series-range.ts'
import type { Interval, RangeRequest } from '../../metrics/series-range.ts'
import { computeLagByTopic } from '../../metrics/metric-sources.ts'
import type { ConnectorCounts } from '../../metrics/metric-sources.ts'
import type { Health } from '../../metrics/watchdog.ts'
import { getLast24hCounts } from '../../metrics/last-24h-counts.ts'
import { roundToThousandth } from '../../http/round.ts'

export type { EventAccounting, MetricFamily, Health, Interval, LatencyPoint, RangeRequest, SeriesPoint }

/** Dependencies of the metrics use cases. */
export type MetricsDeps = { readonly metrics: Metrics }

/** The accounting of a tenant's events, and how many of them searches find. */
export type Books = EventAccounting & {
  readonly storedCount: number
  /** Stored events that can no longer be read. */
  readonly storedLostCount: number
  /** Accepted events that searches do not find yet. */
  readonly notSearchableCount: number
}

/** Pipeline metrics of a tenant: totals since it was created, rates over the last minute. */
export type PipelineMetrics = {
  readonly at: number
  readonly books: Books
  readonly eventsPerSecond: number
  readonly connectors: ConnectorCounts
  readonly normalized: number
  readonly normalizationFailed: number
  readonly normalization: LatencyView
  readonly rulesMatched: number
  readonly alertsGenerated: number
  readonly falsePositives: number
  readonly evaluation: LatencyView
  readonly alertsEnriched: number
  readonly enrichment: LatencyView
  readonly intelLookups: number
  readonly intelCacheHits: number
  readonly topics: readonly { readonly name: string; readonly lag: number; readonly messagesPerSecond: number }[]
}

/** The topics that the API reports. */
const publicTopics = ['raw-events', 'normalized-events', 'alerts', 'webhooks']

export async function getPipelineMetrics({ metrics }: MetricsDeps, tenant: TenantId): Promise<PipelineMetrics> {
  const { meter, sources, clock } = metrics
  const lags = computeLagByTopic(sources.consumers(), tenant)
  const total = (name: CounterName) => meter.total(tenant, name)
  return {
    at: clock.now(),
    books: {
      ...sources.accounting(tenant),
      storedCount: await sources.countStored(tenant),
      storedLostCount: sources.getDamage(tenant).lostCount,
      notSearchableCount: sources.countNotSearchable(tenant),
    },
    eventsPerSecond: meter.ratePerSecond(tenant, 'events_accepted'),
    connectors: await sources.connectors(tenant),
    normalized: total('events_normalized'),
    normalizationFailed: total('normalization_failed'),
    normalization: meter.latency(tenant, 'normalization'),
    rulesMatched: total('rules_matched'),
    alertsGenerated: total('alerts_generated'),
    falsePositives: await sources.falsePositives(tenant),
    evaluation: meter.latency(tenant, 'evaluation'),
    alertsEnriched: total('alerts_enriched'),
    enrichment: meter.latency(tenant, 'enrichment'),
    intelLookups: total('intel_lookups'),
    intelCacheHits: total('intel_cache_hits'),
    topics: publicTopics.map((name) => ({
      name, lag: lags.get(name) ?? 0, messagesPerSecond: meter.ratePerSecond(tenant, 'topic_messages', name),
    })),
  }
}

/** Metrics pushed to subscribed clients every few seconds. */
type LiveMetrics = {
  /** Events by second. */
  readonly ingestionRate: number
  /** Milliseconds; 0 without measurements. */
  readonly normalizationLatencyP99: number
  readonly alertsLastMinute: number
  /** Of all topics. */
  readonly consumerLag: number
}

export function getLiveMetrics({ metrics: { meter, sources } }: MetricsDeps, tenant: TenantId): LiveMetrics {
  const lags = computeLagByTopic(sources.consumers(), tenant)
  return {
    ingestionRate: roundToThousandth(meter.ratePerSecond(tenant, 'events_accepted')),
    normalizationLatencyP99: roundToThousandth(meter.latency(tenant, 'normalization').percentileMs(0.99) ?? 0),
    alertsLastMinute: meter.lastMinute(tenant, 'alerts_generated'),
    consumerLag: [...lags.values()].reduce((sum, lag) => sum + lag, 0),
  }
}

export type PipelineSeries = {
  readonly interval: Interval
  readonly ingestionRate: readonly SeriesPoint[]
  readonly normalizationLatency: readonly LatencyPoint[]
  readonly normalizationFailed: readonly SeriesPoint[]
  readonly evaluationLatency: readonly LatencyPoint[]
  readonly enrichmentLatency: readonly LatencyPoint[]
  readonly alertsGenerated: readonly SeriesPoint[]
  readonly late: readonly SeriesPoint[]
  readonly dropped: readonly SeriesPoint[]
  readonly refused: readonly SeriesPoint[]
  readonly consumerLag: ReadonlyMap<string, readonly SeriesPoint[]>
}

/** @throws AppError INVALID_PARAMETER for an unsupported range or interval. */
export async function getPipelineSeries({ metrics }: MetricsDeps, tenant: TenantId, request: RangeRequest): Promise<PipelineSeries> {
  const { recorder, store, clock } = metrics
  const range = readSeriesRange(request, clock.now())
  await recorder.refresh(tenant)
  const lags = await readPeakSeries(store, tenant, { name: 'consumer_lag', range })
  const never = listBuckets(range).map((startsAt) => ({ startsAt, value: 0 }))
  return {
    interval: range.interval,
    ingestionRate: await readRateSeries(store, tenant, { name: 'events_accepted', range }),
    normalizationLatency: await readLatencySeries(store, tenant, { name: 'normalization', range }),
    normalizationFailed: await readCountSeries(store, tenant, { name: 'normalization_failed', range }),
    evaluationLatency: await readLatencySeries(store, tenant, { name: 'evaluation', range }),
    enrichmentLatency: await readLatencySeries(store, tenant, { name: 'enrichment', range }),
    alertsGenerated: await readCountSeries(store, tenant, { name: 'alerts_generated', range }),
    late: await readCountSeries(store, tenant, { name: 'events_late', range }),
    dropped: await readCountSeries(store, tenant, { name: 'events_dropped', range }),
    refused: await readCountSeries(store, tenant, { name: 'connector_events_failed', range }),
    consumerLag: new Map(publicTopics.map((topic) => [topic, lags.get(topic) ?? never])),
  }
}

export type ConnectorSeries = {
  readonly interval: Interval
  readonly received: readonly SeriesPoint[]
  readonly failed: readonly SeriesPoint[]
  readonly receivedPerSecond: readonly SeriesPoint[]
}

/** @throws AppError NOT_FOUND for an unknown connector; INVALID_PARAMETER as `getPipelineSeries`. */
export async function getConnectorSeries(
  { metrics }: MetricsDeps,
  tenant: TenantId,
  connectorId: string,
  request: RangeRequest,
): Promise<ConnectorSeries> {
  const { recorder, store, sources, clock } = metrics
  if (!(await sources.hasConnector(tenant, connectorId))) throw notFound('connector')
  const range = readSeriesRange(request, clock.now())
  await recorder.refresh(tenant)
  const received = { name: 'connector_events_received', label: connectorId, range } as const
  return {
    interval: range.interval,
    received: await readCountSeries(store, tenant, received),
    failed: await readCountSeries(store, tenant, { name: 'connector_events_failed', label: connectorId, range }),
    receivedPerSecond: await readRateSeries(store, tenant, received),
  }
}

/** Detection metrics of a tenant; alerts are those of the last 24 hours, to five minutes. */
export type DetectionMetrics = {
  readonly at: number
  readonly rules: { readonly loaded: number; readonly enabled: number }
  readonly evaluationsPerSecond: number
  readonly evaluation: LatencyView
  readonly topRules: readonly { readonly ruleId: string; readonly title: string; readonly alertCount: number }[]
  readonly alertsBySeverity: ReadonlyMap<string, number>
  readonly alertsByTactic: ReadonlyMap<string, number>
}

export async function getDetectionMetrics({ metrics }: MetricsDeps, tenant: TenantId): Promise<DetectionMetrics> {
  const { meter, sources, clock } = metrics
  await metrics.countEvaluations(tenant)
  const lastDay = (name: CounterName, limit: number) => getLast24hCounts({ metrics }, tenant, { name, limit })
  const byLabel = async (name: CounterName) => {
    const sums = await lastDay(name, limits.metrics.labelsMax)
    return new Map(sums.map(({ label, sum }) => [label, sum]))
  }
  const topRules = []
  for (const { label: ruleId, sum: alertCount } of await lastDay('rule_alerts', limits.metrics.topRulesMax)) {
    topRules.push({ ruleId, alertCount, title: (await sources.ruleTitle(tenant, ruleId)) ?? '' })
  }
  return {
    at: clock.now(),
    rules: await sources.rules(tenant),
    evaluationsPerSecond: meter.ratePerSecond(tenant, 'rule_evaluations'),
    evaluation: meter.latency(tenant, 'evaluation'),
    topRules,
    alertsBySeverity: await byLabel('severity_alerts'),
    alertsByTactic: await byLabel('tactic_alerts'),
  }
}

/** The health of the services, of the clock that retention depends on, and of a tenant's events. */
export type SystemHealth = Health & {
  readonly at: number
  readonly isClockPlausible: boolean
  readonly lostCount: number
  readonly notSearchableCount: number
  /** Stored events of the tenant that can no longer be read. */
  readonly storedLostCount: number
  /** The longest of the stores' last disk syncs, in milliseconds; undefined before the first. */
  readonly syncMs: number | undefined
  /** The last verification of the data directory; undefined before the first. */
  readonly verification: Verification | undefined
  /** The disk of the data directory; undefined where the system does not report it. */
  readonly diskSpace: DiskSpace | undefined
  /** Corrupted rows of the state database that reads met. */
  readonly damagedRowCount: number
  /** Webhooks of the tenant with waiting deliveries whose last attempt failed. */
  readonly failingWebhookCount: number
  /** What expires soon or has expired, of the tenant and of the server. */
  readonly expiring: readonly Expiry[]
}

/** Returns the health of the services, which all tenants share, and of the events of one. */
export function getSystemHealth({ metrics }: MetricsDeps, tenant: TenantId): SystemHealth {
  const { watchdog, sources, monitor, clock } = metrics
  const health = watchdog.health()
  const isClockPlausible = sources.getClockProblem() === undefined
  const verification = monitor.verification.last
  const damagedRowCount = [...sources.getDamagedRows().values()].reduce((sum, count) => sum + count, 0)
  const { diskSpace } = monitor
  const isShortOfSpace = diskSpace !== undefined && diskSpace.level !== 'enough'
  const isDamaged = damagedRowCount > 0 || (verification !== undefined && verification.damagedCount > 0)
  const isDegraded = !isClockPlausible || isShortOfSpace || isDamaged
  // Without a reserve no event is accepted.
  const status = diskSpace?.level === 'flood' ? 'unhealthy' : health.status === 'healthy' && isDegraded ? 'degraded' : health.status
  const notSearchableCount = sources.countNotSearchable(tenant)
  const storedLostCount = sources.getDamage(tenant).lostCount
  const counts = { lostCount: sources.accounting(tenant).lost, notSearchableCount, storedLostCount }
  const failingWebhookCount = sources.countFailingWebhooks(tenant)
  const at = clock.now()
  const expiring = listExpiring(monitor.expiries, tenant, at)
  const syncMs = monitor.lastSyncMs.size === 0 ? undefined : Math.max(...monitor.lastSyncMs.values())
  const checks = { isClockPlausible, verification, diskSpace, damagedRowCount, syncMs }
  return { ...health, ...counts, ...checks, failingWebhookCount, expiring, status, at }
}

/** Returns the metrics of all tenants for monitoring. */
export function listPrometheusFamilies({ metrics }: MetricsDeps): Promise<readonly MetricFamily[]> {
  return collectMetricFamilies(metrics)
}
