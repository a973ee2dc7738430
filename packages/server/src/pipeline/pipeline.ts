import type { RuleCost, RuleHealth } from '@tripline/engine'
import type { Bus } from '../bus/bus.ts'
import { BusError } from '../bus/bus.ts'
import { isOutOfSpaceError, isResourceShortage } from '../file-system.ts'
import { AppError } from '../domain/app-error.ts'
import { getErrorMessage } from '../domain/error-message.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { EventStore } from '../events/event-store.ts'
import type { Runtime } from '../runtime.ts'
import { limits } from '../limits.ts'
import type { Log } from '../log.ts'
import type { EventAccounting } from '../metrics/metric-sources.ts'
import type { StateStore, Stores } from '../store/state-store.ts'
import { noEnrichment } from './create-alerts.ts'
import type { Enrich } from './create-alerts.ts'
import { CheckpointedConsumer } from './checkpointed-consumer.ts'
import type { RuleTotals } from './day-totals.ts'
import { Detector } from './detect-events.ts'
import type { DetectorOptions } from './detect-events.ts'
import { detectStage } from './tenant-detector.ts'
import { printMessage } from './event-message.ts'
import type { RawEvent } from './event-message.ts'
import { noInstruments } from './pipeline-instruments.ts'
import type { PipelineInstruments } from './pipeline-instruments.ts'
import { Deduplicator } from './deduplicate.ts'
import { computeAccounting } from './compute-accounting.ts'
import { createBackpressureError, createShareExceededError, createShortageError } from './backpressure-errors.ts'
import { sleep } from './sleep.ts'
import { splitForBus } from './split-for-bus.ts'
import { shortenId } from './dedup-window.ts'
import { classifyBusError, classifyStateError, runStage } from './stage.ts'
import type { StageOptions } from './stage.ts'
import { classifyEventStoreError, storeEvents } from './store-events.ts'
import type { OnStored } from './store-events.ts'
import type { RuleStorm } from './alert-storm-limit.ts'
import type { ActiveRules } from './tenant-engine.ts'
import { topics } from './topics.ts'
import { WorkAdmission } from './work-admission.ts'

/** Dependencies of the pipeline. The caller closes the stores and the bus after the pipeline. */
export type PipelineOptions = {
  readonly bus: Bus
  readonly events: EventStore
  readonly state: StateStore
  readonly io: Pick<Runtime, 'now' | 'elapsedMs'>
  readonly log: Log
  /** Resolves after some time, or at once when the signal aborts; default: the timers of the process. */
  readonly pause?: StageOptions['pause']
  /** Loads the rules that a tenant runs; called with its first event. */
  readonly loadRules: (tenant: TenantId) => Promise<ActiveRules>
  /** Records the work that is done. */
  readonly instruments?: PipelineInstruments
  /** Enriches matches; default: no enrichment. */
  readonly enrich?: Enrich
  /**
   * The stage behind the topic `alerts`, which announces new alerts; without it, another consumer has to read the
   * topic.
   */
  readonly onAlerts?: StageOptions['handle']
  /** Called with events once they can be searched, as they arrived; an exception from it is a bug. */
  readonly onStored?: OnStored
  /** Milliseconds of work that all sending tenants together may queue; default `limits.pipeline.queuedWorkMs`. */
  readonly queuedWorkMs?: number
  /** The least milliseconds between two checkpoints; default `limits.pipeline.checkpointMs`. */
  readonly checkpointMs?: number
  /** Called once, when the pipeline cannot go on: a failed disk or a bug. It accepts no more events then. */
  readonly onFailure?: (error: unknown) => void
  /** Called when events are rejected because the disk is full or read-only. */
  readonly onDiskFull?: () => void
}

/** The number of a tenant's messages that a consumer has not committed. */
export type TopicLag = { readonly topic: string; readonly consumer: string; readonly count: number }

/** What the rules of a tenant have done. */
export type TenantRuleTotals = {
  readonly getTotals: (ruleId: string) => RuleTotals
  /** The same for the last 24 clock hours, to the hour. */
  readonly getLastDay: (ruleId: string, nowMs: number) => RuleTotals
}

/** The way of events from ingest to alerts. */
export type Pipeline = {
  /**
   * Accepts events of a tenant; resolves when they are durable, with the offset of the last.
   *
   * @throws AppError RATE_LIMITED when the tenant's queue or its share of the work is full, UNAVAILABLE when the whole queue
   *   is; then part of a very large batch may have been accepted.
   */
  readonly ingest: (tenant: TenantId, events: readonly RawEvent[]) => Promise<{ readonly lastOffset: number }>
  /**
   * Swaps the rules of a tenant: events before the offset were evaluated by the old rules, that one and all behind it
   * by the new ones. `store` runs in between to store the rules; if it throws, the old ones stay.
   *
   * @throws AppError UNAVAILABLE when detection is stalled; then nothing has changed.
   */
  readonly useRules: (
    tenant: TenantId, rules: ActiveRules, store?: (effectiveFromOffset: number) => Promise<void>,
  ) => Promise<{ readonly effectiveFromOffset: number }>
  readonly ruleTotals: (tenant: TenantId) => Promise<TenantRuleTotals>
  /**
   * Returns a function that reports how far events came with each running rule of a tenant, by id, since its engine was
   * opened; correlations are not included.
   */
  readonly ruleHealth: (tenant: TenantId) => Promise<() => ReadonlyMap<string, RuleHealth>>
  /** The cost of each rule of a tenant; empty before its first event. */
  readonly ruleCosts: (tenant: TenantId) => readonly RuleCost[]
  /** The rules of a tenant that are in an alert storm (docs/reference/limits.md). */
  readonly getStorms: (tenant: TenantId) => readonly RuleStorm[]
  /** The accounting of a tenant's events; it balances at any moment, and after a kill. */
  readonly accounting: (tenant: TenantId) => EventAccounting
  readonly getLag: (tenant: TenantId) => readonly TopicLag[]
  /** Milliseconds for which handled messages have waited for a checkpoint, by stage. */
  readonly getCheckpointAges: () => ReadonlyMap<string, number>
  /** Resolves when all events accepted so far are evaluated, stored and announced, or when the pipeline has failed. */
  readonly untilIdle: () => Promise<void>
  /** Call it about every second: ends windows during silence. */
  readonly tick: (nowMs: number) => Promise<void>
  /** Finishes the batches in hand and stores a last checkpoint. Unhandled messages are delivered again. */
  readonly close: () => Promise<void>
}

/**
 * Opens the pipeline: continues from its checkpoints and handles what has arrived since
 * (docs/decisions/0022-pipeline-checkpoints.md).
 */
export async function openPipeline(options: PipelineOptions): Promise<Pipeline> {
  const { state, loadRules, enrich = noEnrichment, instruments: given = noInstruments, io: { elapsedMs }, log } = options
  const admission = new WorkAdmission({ elapsedMs, queuedWorkMs: options.queuedWorkMs })
  const instruments = admission.observe(given)
  const accepted = new Map<TenantId, number>()
  const getAccepted = (tenant: TenantId): number => accepted.get(tenant) ?? 0
  const normalizer = await Deduplicator.open({ state, instruments, elapsedMs, getAccepted })
  const onProblem: DetectorOptions['onProblem'] = (message, fields) => log.warn(message, fields)
  const detector = await Detector.open({ state, loadRules, enrich, instruments, elapsedMs, onProblem })
  return await OpenPipeline.start(options, { deduplicator: normalizer, detector, admission, accepted })
}

type Stages = { readonly deduplicator: Deduplicator; readonly detector: Detector; readonly admission: WorkAdmission } &
  { readonly accepted: Map<TenantId, number> }

/** A stage with checkpoints. */
type CheckpointedStage = {
  readonly save: (checkpoints: Stores['checkpoints'], offset: number) => Promise<() => void>
  readonly coveredOffset: number
}

class OpenPipeline implements Pipeline {
  readonly #options: PipelineOptions
  readonly #deduplicator: Deduplicator
  readonly #detector: Detector
  readonly #admission: WorkAdmission
  readonly #stop = new AbortController()
  readonly #running: Promise<void>[] = []
  readonly #consumers = new Map<string, CheckpointedConsumer>()
  /** Events that were on the topic when the pipeline was opened, and those accepted since. */
  readonly #accepted: Map<TenantId, number>
  #detecting: CheckpointedConsumer | undefined
  #failure: { readonly error: unknown } | undefined

  private constructor(options: PipelineOptions, { deduplicator, detector, admission, accepted }: Stages) {
    this.#accepted = accepted
    this.#options = options
    this.#admission = admission
    this.#deduplicator = deduplicator
    this.#detector = detector
  }

  static async start(options: PipelineOptions, stages: Stages): Promise<OpenPipeline> {
    const pipeline = new OpenPipeline(options, stages)
    const { deduplicator, detector } = stages
    const normalizing = await pipeline.#consume('raw-events', 'normalize', deduplicator)
    // Messages that no checkpoint covers were accepted too, and count when they are handled.
    const lag = options.bus.stats('raw-events').consumers.find(({ name }) => name === 'normalize')?.lag
    for (const { id } of await options.state.tenants.list()) {
      pipeline.#accepted.set(id, deduplicator.recordMissing(id, deduplicator.getTotals(id).taken + (lag?.get(id) ?? 0)))
    }
    pipeline.#detecting = await pipeline.#consume('normalized-events', 'detect', detector)
    const retrying = { classifyError: classifyStateError }
    pipeline.#run({ ...retrying, name: 'normalize', consumer: normalizing, handle: (messages) => deduplicator.handle(messages) })
    pipeline.#run({ ...retrying, name: detectStage, consumer: pipeline.#detecting, handle: (messages) => detector.handle(messages) })
    const { bus, events, onStored = () => {}, onAlerts } = options
    const storing = bus.consumer('normalized-events', 'store')
    pipeline.#run({ name: 'store', consumer: storing, handle: storeEvents(events, onStored), classifyError: classifyEventStoreError })
    if (onAlerts !== undefined) pipeline.#run({ ...retrying, name: 'push', consumer: bus.consumer('alerts', 'push'), handle: onAlerts })
    return pipeline
  }

  async ingest(tenant: TenantId, events: readonly RawEvent[]): Promise<{ readonly lastOffset: number }> {
    if (this.#failure !== undefined) throw createBackpressureError('FAILED')
    if (!this.#accepted.has(tenant)) await this.#checkTenant(tenant)
    if (!this.#admission.admit(tenant, this.accounting(tenant).inFlight)) throw createShareExceededError()
    const { bus, io } = this.#options
    const receivedAt = io.now()
    const messages = events.map(({ bytes, id, ...origin }) => {
      return printMessage({ receivedAt, ...origin, ...(id !== undefined && { id: shortenId(id) }) }, bytes)
    })
    let lastOffset = -1
    for (const together of splitForBus(messages)) {
      try {
        ({ lastOffset } = await bus.publish('raw-events', tenant, together))
      } catch (error) {
        if (!(error instanceof BusError)) throw error
        if (error.code === 'FAILED') this.#fail('the pipeline accepts no more events', error)
        if (isOutOfSpaceError(error.cause)) this.#options.onDiskFull?.()
        throw isResourceShortage(error.cause) ? createShortageError() : createBackpressureError(error.code)
      }
      this.#accepted.set(tenant, (this.#accepted.get(tenant) ?? 0) + together.length)
    }
    return { lastOffset }
  }

  async useRules(
    tenant: TenantId, rules: ActiveRules, store: (effectiveFromOffset: number) => Promise<void> = async () => {},
  ): Promise<{ readonly effectiveFromOffset: number }> {
    const detecting = this.#detecting!
    const effectiveFromOffset = await detecting.runBetweenBatches(async () => {
      // The new rules never evaluate again what the old ones evaluated, whatever happens from here on.
      await detecting.checkpoint()
      return await this.#detector.useRules(tenant, rules, store)
    })
    return { effectiveFromOffset }
  }

  async ruleTotals(tenant: TenantId): ReturnType<Pipeline['ruleTotals']> {
    const counts = await this.#detector.getRuleCounts(tenant)
    return {
      getTotals: (ruleId) => counts.getTotals(ruleId),
      getLastDay: (ruleId, nowMs) => counts.getLastDay(ruleId, nowMs),
    }
  }

  async ruleHealth(tenant: TenantId): ReturnType<Pipeline['ruleHealth']> {
    const detection = await this.#detector.open(tenant)
    return () => detection.health
  }

  readonly ruleCosts = (tenant: TenantId): readonly RuleCost[] => this.#detector.getEngine(tenant)?.ruleCosts ?? []

  getStorms(tenant: TenantId): readonly RuleStorm[] {
    return this.#detector.getStorms(tenant, this.#options.io.now())
  }

  accounting(tenant: TenantId): EventAccounting {
    const accepted = this.#accepted.get(tenant) ?? 0
    return computeAccounting(accepted, this.#deduplicator.getTotals(tenant), this.#detector.getTotals(tenant))
  }

  getLag(tenant: TenantId): readonly TopicLag[] {
    return Object.keys(topics).flatMap((topic) => {
      const { consumers } = this.#options.bus.stats(topic)
      return consumers.map(({ name, lag }) => ({ topic, consumer: name, count: lag.get(tenant) ?? 0 }))
    })
  }

  getCheckpointAges(): ReadonlyMap<string, number> {
    return new Map([...this.#consumers].map(([stage, { checkpointAgeMs }]) => [stage, checkpointAgeMs]))
  }

  async untilIdle(): Promise<void> {
    const { pause = sleep } = this.#options
    while (!this.#stop.signal.aborted && this.#isBusy) await pause(limits.pipeline.idleLookMs, this.#stop.signal)
  }

  async tick(nowMs: number): Promise<void> {
    if (this.#failure !== undefined || this.#stop.signal.aborted) return
    for (const { tenant, bytes } of await this.#detector.createTicks(nowMs)) {
      // Events under way advance the time themselves.
      if (this.accounting(tenant).inFlight > 0) continue
      try {
        await this.#options.bus.publish('normalized-events', tenant, [bytes], { isControl: true })
      } catch (error) {
        if (classifyBusError(error) !== 'passes') throw error
      }
    }
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#running)
    for (const consumer of this.#consumers.values()) {
      if (this.#failure === undefined) await consumer.finish()
    }
  }

  /** Checkpoints lag behind, so the accounting tells whether detection is busy. */
  get #isBusy(): boolean {
    if ([...this.#accepted.keys()].some((tenant) => this.accounting(tenant).inFlight > 0)) return true
    const { bus, onAlerts } = this.#options
    const reading = [['normalized-events', 'store'], ...(onAlerts === undefined ? [] : [['alerts', 'push']])]
    return reading.some(([topic = '', consumer]) => {
      const { consumers, nextOffset } = bus.stats(topic)
      return consumers.some(({ name, committedOffset }) => name === consumer && committedOffset < nextOffset)
    })
  }

  async #checkTenant(tenant: TenantId): Promise<void> {
    const isThere = (await this.#options.state.tenants.get(tenant)) !== undefined
    if (!isThere) throw new AppError('FORBIDDEN', 'this tenant does not exist')
    if (!this.#accepted.has(tenant)) this.#accepted.set(tenant, 0)
  }

  async #consume(topic: keyof typeof topics, name: string, stage: CheckpointedStage): Promise<CheckpointedConsumer> {
    const { bus, state, io, log, pause = sleep, checkpointMs = limits.pipeline.checkpointMs } = this.#options
    const { nextOffset } = bus.stats(topic)
    if (stage.coveredOffset > nextOffset) {
      const known = `the state has handled ${stage.coveredOffset} messages of ${topic}`
      throw new Error(`${known}, but the bus has only ${nextOffset}: it is older, or belongs to another installation`)
    }
    const consumer = await CheckpointedConsumer.open({
      consumer: bus.consumer(topic, name),
      coveredOffset: stage.coveredOffset,
      save: async (offset) => {
        (await state.transaction(({ checkpoints }) => stage.save(checkpoints, offset)))()
      },
      elapsedMs: io.elapsedMs,
      checkpointMs,
      pause,
      classifyError: classifyStateError,
      onDelay: (error) => log.warn('a checkpoint is delayed', { stage: name, error: getErrorMessage(error) }),
    })
    this.#consumers.set(name, consumer)
    return consumer
  }

  #run(stage: Pick<StageOptions, 'name' | 'consumer' | 'handle' | 'classifyError'>): void {
    const { bus, log, pause = sleep } = this.#options
    const onLost: StageOptions['onLost'] = (tenant, count) => {
      log.error('messages are corrupted on disk and lost to a stage', { stage: stage.name, tenant, count })
    }
    const publish: Bus['publish'] = (topic, tenant, messages) => bus.publish(topic, tenant, messages)
    const running = runStage({ ...stage, publish, pause, onLost }, this.#stop.signal)
    const failed = (error: unknown): void => this.#fail(`the stage ${stage.name} has failed`, error)
    this.#running.push(running.catch(failed).then(() => {
      if (stage.consumer instanceof CheckpointedConsumer) stage.consumer.stop()
    }))
  }

  #fail(message: string, error: unknown): void {
    const { log, onFailure } = this.#options
    log.error(message, { error: getErrorMessage(error) })
    if (this.#failure !== undefined) return
    this.#failure = { error }
    this.#stop.abort()
    onFailure?.(error)
  }
}
