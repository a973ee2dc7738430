import type { EventAccounting } from '@tripline/detection/pipeline/compute-accounting'
import { counters, latencies, gauges } from '@tripline/model/metric'
import type { CounterName, CounterSettings, LatencyName } from '@tripline/model/metric'
import type { TenantId } from '@tripline/model/tenant'
import type { MetricFamily } from './metric-family.ts'
import { computeLagByTopic } from './metric-sources.ts'
import type { Metrics } from './metrics.ts'
import { collectServerFamilies } from './server/server-families.ts'

const counterNames = Object.keys(counters) as readonly CounterName[]
const latencyNames = Object.keys(latencies) as readonly LatencyName[]

/**
 * Collects all metrics of the installation, by tenant id, for its operators only. Counters of rules and connectors are
 * left out: they are thousands, and belong to their tenants.
 */
export async function collectMetricFamilies(metrics: Metrics): Promise<readonly MetricFamily[]> {
  const tenants = await metrics.sources.tenants()
  return [
    ...collectAccounting(metrics, tenants),
    ...counterNames.flatMap((name) => collectCounter(metrics, tenants, name)),
    ...latencyNames.map((name) => collectLatency(metrics, tenants, name)),
    collectLag(metrics, tenants),
    ...await collectStored(metrics, tenants),
    collectDegraded(metrics, tenants),
    collectFailingWebhooks(metrics, tenants),
    collectDeadLetters(metrics, tenants),
    ...collectProcess(metrics),
    ...await collectServerFamilies({ monitor: metrics.monitor, sources: metrics.sources, tenants }),
  ]
}

/** The numbers of the event accounting. */
const accountingMetrics = [
  { name: 'accepted_total', type: 'counter', help: 'Events acknowledged.', key: 'accepted' },
  { name: 'evaluated_total', type: 'counter', help: 'Events evaluated by detection.', key: 'evaluated' },
  { name: 'deduplicated_total', type: 'counter', help: 'Repeated events dropped by their id.', key: 'deduplicated' },
  { name: 'in_flight', type: 'gauge', help: 'Accepted events not evaluated yet.', key: 'inFlight' },
  { name: 'lost_total', type: 'counter', help: 'Accepted events that were corrupted on disk before they were evaluated.', key: 'lost' },
  { name: 'late_total', type: 'counter', help: 'Events too late for correlations.', key: 'late' },
  { name: 'state_evicted_total', type: 'counter', help: 'Correlation state evicted for space.', key: 'stateEvicted' },
] as const satisfies readonly (Pick<MetricFamily, 'name' | 'type' | 'help'> & { readonly key: keyof EventAccounting })[]

function collectAccounting({ sources }: Metrics, tenants: readonly TenantId[]): MetricFamily[] {
  const all = tenants.map((tenant) => ({ tenant, books: sources.accounting(tenant) }))
  const quarantined = all.flatMap(({ tenant, books }) =>
    [...books.quarantined].map(([reason, value]) => ({ labels: { tenant, reason }, value })),
  )
  return [
    ...accountingMetrics.map(({ name, type, help, key }) => {
      return { name, type, help, samples: all.map(({ tenant, books }) => ({ labels: { tenant }, value: books[key] })) }
    }),
    { name: 'quarantined_total', type: 'counter', help: 'Events quarantined, by reason.', samples: quarantined },
  ]
}

/** Counters that follow the accounting, which is exported itself. */
const followed: ReadonlySet<CounterName> = new Set(['events_accepted', 'events_evaluated'] as const)

function collectCounter({ meter }: Metrics, tenants: readonly TenantId[], name: CounterName): MetricFamily[] {
  const { help, label, hasTotal }: CounterSettings = counters[name]
  if (!hasTotal || label === 'connector' || followed.has(name)) return []
  const samples = tenants.flatMap((tenant) => {
    if (label === undefined) return [{ labels: { tenant }, value: meter.total(tenant, name) }]
    return [...meter.totals(tenant, name)].map(([value, total]) => ({ labels: { tenant, [label]: value }, value: total }))
  })
  return [{ name: `${name}_total`, type: 'counter', help, samples }]
}

/** Quantiles cover the last five minutes, sum and count everything since the start. */
function collectLatency({ meter }: Metrics, tenants: readonly TenantId[], name: LatencyName): MetricFamily {
  const samples = tenants.flatMap((tenant) => {
    const { count, sumMs, percentileMs } = meter.latency(tenant, name)
    const quantiles = [0.5, 0.95, 0.99].flatMap((share) => {
      const lengthMs = percentileMs(share)
      return lengthMs === undefined ? [] : [{ labels: { tenant, quantile: String(share) }, value: lengthMs / 1_000 }]
    })
    const sums = [{ suffix: '_sum', value: sumMs / 1_000 }, { suffix: '_count', value: count }]
    return [...quantiles, ...sums.map((sum) => ({ ...sum, labels: { tenant } }))]
  })
  return { name: `${name}_seconds`, type: 'summary', help: latencies[name].help, samples }
}

function collectLag({ sources }: Metrics, tenants: readonly TenantId[]): MetricFamily {
  const consumers = sources.consumers()
  const samples = tenants.flatMap((tenant) =>
    [...computeLagByTopic(consumers, tenant)].map(([topic, value]) => ({ labels: { tenant, topic }, value })),
  )
  return { name: 'consumer_lag', type: 'gauge', help: gauges.consumer_lag.help, samples }
}

function collectDegraded({ sources }: Metrics, tenants: readonly TenantId[]): MetricFamily {
  const samples = tenants.map((tenant) => ({ labels: { tenant }, value: sources.countDegraded(tenant) }))
  return { name: 'degraded_correlations', type: 'gauge', help: 'Correlations that lost state lately: matches may be missing.', samples }
}

function collectFailingWebhooks({ sources }: Metrics, tenants: readonly TenantId[]): MetricFamily {
  const samples = tenants.map((tenant) => ({ labels: { tenant }, value: sources.countFailingWebhooks(tenant) }))
  return { name: 'webhooks_failing', type: 'gauge', help: 'Webhooks with waiting deliveries whose last attempt failed.', samples }
}

async function collectStored({ sources }: Metrics, tenants: readonly TenantId[]): Promise<MetricFamily[]> {
  const stored = []
  for (const tenant of tenants) stored.push({ labels: { tenant }, value: await sources.countStored(tenant) })
  const waiting = tenants.map((tenant) => ({ labels: { tenant }, value: sources.countNotSearchable(tenant) }))
  const lost = tenants.map((tenant) => ({ labels: { tenant }, value: sources.getDamage(tenant).lostCount }))
  const repaired = tenants.map((tenant) => ({ labels: { tenant }, value: sources.getDamage(tenant).repairedCount }))
  const ignored = tenants.map((tenant) => ({ labels: { tenant }, value: sources.getDamage(tenant).ignoredFilterCount }))
  const rows = [...sources.getDamagedRows()].map(([table, value]) => ({ labels: { table }, value }))
  return [
    { name: 'damaged_rows', type: 'gauge', help: 'Corrupted rows of the state database that reads met, by table.', samples: rows },
    { name: 'stored_lost_total', type: 'counter', help: 'Stored events whose bytes are corrupted beyond repair.', samples: lost },
    { name: 'repaired_blocks_total', type: 'counter', help: 'Blocks of stored events that were repaired.', samples: repaired },
    { name: 'ignored_filters', type: 'gauge', help: 'Blocks with a corrupted filter: searches read more of them.', samples: ignored },
    { name: 'stored_events', type: 'gauge', help: 'Events that searches find now.', samples: stored },
    { name: 'not_searchable_events', type: 'gauge', help: 'Accepted events that searches do not find yet.', samples: waiting },
  ]
}

/** Dead letters are the messages of their topic. */
function collectDeadLetters({ meter }: Metrics, tenants: readonly TenantId[]): MetricFamily {
  const samples = tenants.map((tenant) => ({ labels: { tenant }, value: meter.total(tenant, 'topic_messages', 'dead-letters') }))
  return { name: 'dead_letters_total', type: 'counter', help: 'Messages that a stage could not handle and set aside.', samples }
}

function collectProcess({ watchdog, sources }: Metrics): MetricFamily[] {
  const { services, loopLagMs, isLoopLate, isWritable } = watchdog.health()
  const up = Object.entries(services).map(([service, status]) => ({ labels: { service }, value: Number(status === 'up') }))
  const gauge = (name: string, help: string, value: number): MetricFamily => {
    return { name, help, type: 'gauge', samples: [{ labels: {}, value }] }
  }
  return [
    { name: 'service_up', type: 'gauge', help: 'Whether a service is up: 1 or 0.', samples: up },
    gauge('loop_lag_seconds', 'Recent event loop lag.', loopLagMs / 1_000),
    gauge('clock_plausible', 'Whether the clock is plausible enough to remove data by age: 1 or 0.',
      Number(sources.getClockProblem() === undefined)),
    gauge('loop_on_time', 'Whether the event loop keeps its time: 1 or 0.', Number(!isLoopLate)),
    gauge('store_writable', 'Whether the state database accepts writes: 1 or 0.', Number(isWritable)),
  ]
}
