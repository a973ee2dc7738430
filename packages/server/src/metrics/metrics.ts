import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import type { EventAccounting } from '@tripline/detection/pipeline/compute-accounting'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { limits } from './limits.ts'
import { CounterDelta } from './counter-delta.ts'
import type { FollowedTotals } from './counter-delta.ts'
import { Meter } from './meter.ts'
import { computeLagByTopic } from './metric-sources.ts'
import type { MetricSources } from './metric-sources.ts'
import { Recorder } from './recorder.ts'
import { RuleCostSampler } from './rule-cost-sampler.ts'
import { HealthHistory } from './server/health-history.ts'
import { ServerMonitor } from './server/server-monitor.ts'
import { Watchdog } from './watchdog.ts'

/** All parts that measure and show measurements. */
export type Metrics = {
  readonly meter: Meter
  readonly recorder: Recorder
  readonly costs: RuleCostSampler
  readonly watchdog: Watchdog
  readonly history: HealthHistory
  /** What is counted of the server as a whole. */
  readonly monitor: ServerMonitor
  readonly sources: MetricSources
  readonly store: StateStore['metrics']
  readonly clock: Pick<Runtime, 'now' | 'elapsedMs'>
  /**
   * Call it every `limits.metrics.recordMs`: reads the gauges, stores the points, checks the store. A call during a run
   * joins that run.
   */
  readonly tick: () => Promise<void>
  /**
   * Call it every `limits.metrics.beatMs`: shows that the process is alive, and at times reads the accounting and the
   * rule costs.
   */
  readonly beat: () => void
  /** Counts a tenant's evaluations up to now; summing them over all rules is too much for each beat. */
  readonly countEvaluations: (tenant: TenantId) => Promise<void>
}

type MetricsOptions = {
  /** The meter that stages and ingest already use. */
  readonly meter: Meter
  readonly state: Pick<StateStore, 'metrics' | 'checkWritable'>
  readonly sources: MetricSources
  readonly clock: Pick<Runtime, 'now' | 'elapsedMs'>
  readonly log: Pick<Log, 'error'>
  /** The monitor that is in use already; default: a new one. */
  readonly monitor?: ServerMonitor
}

/** Restores the totals of all tenants. The caller runs it (`runMetrics`). */
export async function openMetrics({ monitor = new ServerMonitor(), ...options }: MetricsOptions): Promise<Metrics> {
  const { meter, state, sources, clock, log } = options
  const { checkWritable } = state
  const recorder = new Recorder({ meter, store: state.metrics, clock, log })
  const costs = new RuleCostSampler(sources.ruleCosts, clock.elapsedMs)
  const watchdog = new Watchdog({ now: clock.now, elapsedMs: clock.elapsedMs, consumers: sources.consumers, checkWritable })
  const history = new HealthHistory(async () => await monitor.readHost?.())
  const growth = new CounterDelta(meter)
  let tenants = await sources.tenants()
  for (const tenant of tenants) {
    meter.restore(tenant, await state.metrics.totals(tenant))
    growth.begin(tenant, { ...getFollowedTotals(sources.accounting(tenant)), rule_evaluations: await sources.evaluations(tenant) })
  }
  let booksMs = -Infinity
  const lookAtBooks = (): void => {
    booksMs = clock.elapsedMs()
    for (const tenant of tenants) growth.update(tenant, getFollowedTotals(sources.accounting(tenant)))
  }
  const countEvaluations = async (tenant: TenantId): Promise<void> => {
    growth.update(tenant, { rule_evaluations: await sources.evaluations(tenant) })
  }
  const work = async (): Promise<void> => {
    tenants = await sources.tenants()
    const consumers = sources.consumers()
    for (const tenant of tenants) {
      for (const [topic, lag] of computeLagByTopic(consumers, tenant)) meter.peak(tenant, 'consumer_lag', topic, lag)
      await countEvaluations(tenant)
    }
    lookAtBooks()
    await recorder.recordAll()
    await watchdog.write()
    await history.note(clock.now(), watchdog.health().loopLagMs)
  }
  let ticking: Promise<void> | undefined
  const tick = (): Promise<void> => {
    ticking ??= work().finally(() => void (ticking = undefined))
    return ticking
  }
  const beat = (): void => {
    watchdog.beat()
    if (clock.elapsedMs() - booksMs >= limits.metrics.booksMs) lookAtBooks()
    costs.sampleNext(tenants)
  }
  await watchdog.write()
  return { meter, recorder, costs, watchdog, history, monitor, sources, store: state.metrics, clock, tick, beat, countEvaluations }
}

function getFollowedTotals({ accepted, evaluated, quarantined, lost, late }: EventAccounting): FollowedTotals {
  const dropped = [...quarantined.values()].reduce((sum, count) => sum + count, lost)
  return { events_accepted: accepted, events_evaluated: evaluated, events_dropped: dropped, events_late: late }
}
