import type { TenantId } from '../domain/tenant.ts'
import type { Io } from '../io.ts'
import type { Log } from '../log.ts'
import type { StateStore } from '../store/state-store.ts'
import { Meter } from './meter.ts'
import { Recorder } from './recorder.ts'
import { RuleCostSampler } from './rule-cost-sampler.ts'
import { lagByTopic } from './sources.ts'
import type { ConsumerProgress, MetricSources } from './sources.ts'
import { Watchdog } from './watchdog.ts'

/** All that measures and shows measurements. */
export type Metrics = {
  readonly meter: Meter
  readonly recorder: Recorder
  readonly costs: RuleCostSampler
  readonly watchdog: Watchdog
  readonly sources: MetricSources
  readonly store: StateStore['metrics']
  readonly clock: Pick<Io, 'now' | 'elapsedMs'>
  /**
   * To be called every `limits.metrics.recordMs`: looks at what goes up and down, keeps what there is, checks the store.
   * Called while it still runs, it is that run.
   */
  readonly tick: () => Promise<void>
  /** To be called every `limits.metrics.beatMs`: shows that the process is alive, and sometimes looks at what rules cost. */
  readonly beat: () => void
}

export type MetricsOptions = {
  /** Where stages and ingest count already. */
  readonly meter: Meter
  readonly state: Pick<StateStore, 'metrics' | 'checkWritable'>
  readonly sources: MetricSources
  readonly clock: Pick<Io, 'now' | 'elapsedMs'>
  readonly log: Pick<Log, 'error'>
}

/** Begins the totals of all tenants where they were. Who opens it calls `tick` and `beat`, at the end `recorder.recordAll`. */
export async function openMetrics({ meter, state, sources, clock, log }: MetricsOptions): Promise<Metrics> {
  let tenants = await sources.tenants()
  for (const tenant of tenants) meter.restore(tenant, await state.metrics.totals(tenant))
  const recorder = new Recorder({ meter, store: state.metrics, clock, log })
  const costs = new RuleCostSampler(sources.ruleCosts, clock.elapsedMs)
  const { checkWritable } = state
  const watchdog = new Watchdog({ elapsedMs: clock.elapsedMs, consumers: sources.consumers, checkWritable })
  const evaluated = new Map(tenants.map((tenant) => [tenant, sources.evaluations(tenant)]))
  const look = (tenant: TenantId, consumers: readonly ConsumerProgress[]) => {
    for (const [topic, lag] of lagByTopic(consumers, tenant)) meter.peak(tenant, 'consumer_lag', topic, lag)
    const evaluations = sources.evaluations(tenant)
    meter.count(tenant, 'rule_evaluations', { by: Math.max(0, evaluations - (evaluated.get(tenant) ?? 0)) })
    evaluated.set(tenant, evaluations)
  }
  const work = async () => {
    tenants = await sources.tenants()
    const consumers = sources.consumers()
    for (const tenant of tenants) look(tenant, consumers)
    await recorder.recordAll()
    await watchdog.write()
  }
  let ticking: Promise<void> | undefined
  const tick = () => {
    ticking ??= work().finally(() => void (ticking = undefined))
    return ticking
  }
  const beat = () => {
    watchdog.beat()
    costs.look(tenants)
  }
  beat()
  await watchdog.write()
  return { meter, recorder, costs, watchdog, sources, store: state.metrics, clock, tick, beat }
}
