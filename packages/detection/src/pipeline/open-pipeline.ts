import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import { sleep } from '@tripline/common/sleep'
import type { RuleCost } from '@tripline/engine'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { Bus } from '@tripline/storage/bus/bus'
import type { EventStore } from '@tripline/storage/events/event-store'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { Plan } from '@tripline/model/tenant-settings'
import { FairTurns } from '../fairness/fair-turns.ts'
import { PlanWeights } from '../fairness/plan-weights.ts'
import { ReservedTurn } from '../fairness/reserved-turn.ts'
import { limits } from '../limits.ts'
import type { EventAccounting } from './compute-accounting.ts'
import type { RuleStorm } from '../stages/alert-storm-limit.ts'
import { createBackpressureError } from './backpressure-errors.ts'
import type { CheckpointedConsumer } from '../stages/checkpointed-consumer.ts'
import { computeAccounting } from './compute-accounting.ts'
import { noEnrichment } from '../stages/create-alerts.ts'
import type { Enrich } from '../stages/create-alerts.ts'
import { Deduplicator } from '../stages/deduplicate.ts'
import { Detector } from '../stages/detect-events.ts'
import type { DetectorOptions, OnMatched } from '../stages/detect-events.ts'
import { EventIntake } from './event-intake.ts'
import type { FairConsumer, FairConsumerOptions } from './fair-consumer.ts'
import type { RawEvent } from '../stages/event-message.ts'
import type { AnnouncedBody, ConsumerProgress, Pipeline } from './pipeline.ts'
import { noInstruments } from './pipeline-instruments.ts'
import type { PipelineInstruments } from './pipeline-instruments.ts'
import { classifyBusError, classifyStateError } from '../stages/stage.ts'
import { StageRunner } from './stage-runner.ts'
import type { StageRunnerOptions } from './stage-runner.ts'
import { classifyEventStoreError, storeEvents } from '../stages/store-events.ts'
import type { OnStored } from '../stages/store-events.ts'
import { TenantMappings } from '../stages/tenant-mappings.ts'
import { detectStage } from '../tenants/tenant-detector.ts'
import type { ActiveRules } from '../tenants/tenant-engine.ts'
import { addLastDay } from '../tenants/known-health.ts'
import type { StageTurns } from './yield-between.ts'
import { WorkAdmission } from './work-admission.ts'

/** Dependencies of the pipeline. The caller closes the stores and the bus after the pipeline. */
export type PipelineOptions = Pick<StageRunnerOptions, 'pause' | 'checkpointMs' | 'bounds' | 'onFailure'> & {
  readonly bus: Bus
  readonly events: EventStore
  readonly state: StateStore
  /** Admission knows by processor time what events cost; without it, by the clock. */
  readonly io: Pick<Runtime, 'now' | 'elapsedMs' | 'processorMs'>
  readonly log: Log
  /** Loads the rules that a tenant runs; called with its first event. */
  readonly loadRules: (tenant: TenantId) => Promise<ActiveRules>
  /** Records the work that is done. */
  readonly instruments?: PipelineInstruments
  /** Enriches matches; default: no enrichment. */
  readonly enrich?: Enrich
  /** Called with events once they can be searched, as they arrived; an exception from it is a bug. */
  readonly onStored?: OnStored
  /** Called with the matches of evaluated events; an exception from it is a bug. */
  readonly onMatched?: OnMatched
  /** Milliseconds of work that all sending tenants together may queue; default `limits.pipeline.queuedWorkMs`. */
  readonly queuedWorkMs?: number
  /** What the correlations of all tenants may remember; default `limits.correlation.eventsTotalMax`. */
  readonly stateTotalMax?: number
  /** Shares the event loop with other work of the process; default: a new one. */
  readonly turns?: FairTurns
  /** Called when events are rejected because the disk is full or read-only. */
  readonly onDiskFull?: () => void
  /** Whether the disk has space to spare for events; default: always, until a write fails. */
  readonly hasSpace?: () => boolean
}

/**
 * Opens the pipeline: continues from its checkpoints and handles what has arrived since
 * (docs/decisions/0022-pipeline-checkpoints.md).
 */
export async function openPipeline(options: PipelineOptions): Promise<Pipeline> {
  const { state, loadRules, enrich = noEnrichment, instruments: given = noInstruments, io: { elapsedMs }, log } = options
  const readPlan = async (tenant: TenantId): Promise<Plan | undefined> => {
    const stored = await state.tenants.get(tenant)
    return stored && resolveSettings(stored).plan
  }
  const weights = new PlanWeights({
    elapsedMs, readPlan,
    onUnreadable: (tenant, error) => {
      log.warn('the plan of a tenant cannot be read; its share of the work stays as it was', { tenant, error: getErrorMessage(error) })
    },
  })
  const admission = new WorkAdmission({ elapsedMs, queuedWorkMs: options.queuedWorkMs, getWeight: weights.get })
  const instruments = admission.observe(given)
  const accepted = new Map<TenantId, number>()
  const getAccepted = (tenant: TenantId): number => accepted.get(tenant) ?? 0
  const { turns = new FairTurns(), io: { processorMs = elapsedMs } } = options
  const turn = { deduplicate: new ReservedTurn(turns, 'stage deduplicate'), detect: new ReservedTurn(turns, 'stage detect') }
  const shareTurns = (stage: 'deduplicate' | 'detect'): StageTurns => ({
    takeTurn: (tenants) => turn[stage].take(tenants), estimateMs: (tenant) => admission.estimateMs(stage, tenant),
  })
  const onProblem: DetectorOptions['onProblem'] = (message, fields) => log.warn(message, fields)
  const mappings = new TenantMappings(state.tenants, onProblem)
  const deduplicator = await Deduplicator.open({
    ...shareTurns('deduplicate'), state, instruments, mappings, processorMs, getAccepted,
  })
  const detector = await Detector.open({
    ...shareTurns('detect'), state, loadRules, enrich, instruments, processorMs, onProblem,
    stateTotalMax: options.stateTotalMax, onMatched: options.onMatched,
  })
  return await OpenPipeline.start(options, { deduplicator, detector, admission, weights, turns, turn, accepted })
}

type PipelineParts = {
  readonly deduplicator: Deduplicator
  readonly detector: Detector
  readonly admission: WorkAdmission
  readonly weights: PlanWeights
  readonly turns: FairTurns
  readonly turn: { readonly deduplicate: ReservedTurn; readonly detect: ReservedTurn }
  /** Events that were on the topic when the pipeline was opened, and those accepted since. */
  readonly accepted: Map<TenantId, number>
}

class OpenPipeline implements Pipeline {
  readonly #options: PipelineOptions
  readonly #parts: PipelineParts
  readonly #intake: EventIntake
  readonly #stages: StageRunner
  #detecting: CheckpointedConsumer | undefined
  #storing: Pick<FairConsumer, 'getHandledOffset'> | undefined
  /** The offsets of ticks that the store stage may not have passed yet: they wait among events and are none. */
  readonly #tickOffsets = new Map<TenantId, readonly number[]>()
  /** The last tick of each tenant. */
  readonly #lastTickOffsets = new Map<TenantId, number>()

  private constructor(options: PipelineOptions, parts: PipelineParts) {
    const { bus, state, io, onDiskFull = () => {}, hasSpace = () => true } = options
    this.#options = options
    this.#parts = parts
    this.#stages = new StageRunner({ ...options, elapsedMs: io.elapsedMs, load: parts.turns.load, getWeight: parts.weights.get })
    this.#intake = new EventIntake({
      publish: bus.publish.bind(bus), tenants: state.tenants, now: io.now, turns: parts.turns, admission: parts.admission,
      accepted: parts.accepted,
      getQueued: (tenant) => {
        return { eventCount: this.accounting(tenant).inFlight, storeBytes: this.#stages.getWaitingBytes('store', tenant) }
      },
      onMuchWork: (tenant) => parts.turns.load.expectMuch(tenant),
      onDiskFull, hasSpace,
      onFailure: (error) => this.#stages.fail('the pipeline accepts no more events', error),
    })
  }

  static async start(options: PipelineOptions, parts: PipelineParts): Promise<OpenPipeline> {
    const pipeline = new OpenPipeline(options, parts)
    const { deduplicator, detector, admission, accepted } = parts
    const stages = pipeline.#stages
    const share = (stage: 'deduplicate' | 'detect'): Pick<FairConsumerOptions, 'estimateMs' | 'turn'> => {
      return { estimateMs: (tenant) => admission.estimateMs(stage, tenant), turn: parts.turn[stage] }
    }
    // One tenant must not fill the topic between the stages, which all share.
    const isHeld = (tenant: TenantId): boolean => {
      return [detectStage, 'store'].some((stage) => stages.getWaitingBytes(stage, tenant) > limits.fairness.normalizedBytesMax)
    }
    const deduplicating = await stages.openConsumer('raw-events', 'deduplicate', deduplicator, { ...share('deduplicate'), isHeld })
    // Messages that no checkpoint covers were accepted too, and count when they are handled.
    const lag = pipeline.getProgress().find(({ consumer }) => consumer === 'deduplicate')?.lag
    for (const { id } of await options.state.tenants.list()) {
      accepted.set(id, deduplicator.recordMissing(id, deduplicator.getTotals(id).taken + (lag?.get(id) ?? 0)))
    }
    pipeline.#detecting = await stages.openConsumer('normalized-events', 'detect', detector, share('detect'))
    const retrying = { classifyError: classifyStateError }
    stages.run({ ...retrying, name: 'deduplicate', consumer: deduplicating, handle: (messages) => deduplicator.handle(messages) })
    stages.run({ ...retrying, name: detectStage, consumer: pipeline.#detecting, handle: (messages) => detector.handle(messages) })
    const { events, onStored = () => {} } = options
    const estimateStoreMs = (): number => limits.fairness.storeEventMs
    const storing = pipeline.#storing = await stages.openStatelessConsumer('normalized-events', 'store', estimateStoreMs)
    stages.run({ name: 'store', consumer: storing, handle: storeEvents(events, onStored), classifyError: classifyEventStoreError })
    return pipeline
  }

  async ingest(tenant: TenantId, events: readonly RawEvent[]): Promise<{ readonly lastOffset: number }> {
    if (this.#stages.hasFailed) throw createBackpressureError('FAILED')
    return await this.#intake.accept(tenant, events)
  }

  announceBody(tenant: TenantId, byteCount: number | undefined): AnnouncedBody {
    return this.#intake.announceBody(tenant, byteCount)
  }

  async useRules(
    tenant: TenantId, rules: ActiveRules, store: (effectiveFromOffset: number) => Promise<void> = async () => {},
  ): Promise<{ readonly effectiveFromOffset: number }> {
    const detecting = this.#detecting!
    const effectiveFromOffset = await detecting.runBetweenBatches(async () => {
      // The new rules never evaluate again what the old ones evaluated, whatever happens from here on.
      await detecting.checkpoint()
      return await this.#parts.detector.useRules(tenant, rules, store)
    })
    return { effectiveFromOffset }
  }

  async ruleTotals(tenant: TenantId): ReturnType<Pipeline['ruleTotals']> {
    const counts = await this.#parts.detector.getRuleCounts(tenant)
    return {
      getTotals: (ruleId) => counts.getTotals(ruleId),
      getLastDay: (ruleId, nowMs) => counts.getLastDay(ruleId, nowMs),
      getHourlyMatches: (ruleId, nowMs) => counts.getHourlyMatches(ruleId, nowMs),
    }
  }

  async ruleHealth(tenant: TenantId): ReturnType<Pipeline['ruleHealth']> {
    const detection = await this.#parts.detector.open(tenant)
    const counts = await this.#parts.detector.getRuleCounts(tenant)
    return () => addLastDay(detection.health, (ruleId) => counts.getLastDay(ruleId, this.#options.io.now()))
  }

  getDegradedRules(tenant: TenantId): ReadonlySet<string> {
    return this.#parts.detector.getEngine(tenant)?.degradedRules ?? new Set()
  }

  readonly ruleCosts = (tenant: TenantId): readonly RuleCost[] => this.#parts.detector.getEngine(tenant)?.ruleCosts ?? []

  getStorms(tenant: TenantId): readonly RuleStorm[] {
    return this.#parts.detector.getStorms(tenant, this.#options.io.now())
  }

  accounting(tenant: TenantId): EventAccounting {
    const { accepted, deduplicator, detector } = this.#parts
    return computeAccounting(accepted.get(tenant) ?? 0, deduplicator.getTotals(tenant), detector.getTotals(tenant))
  }

  getProgress(): readonly ConsumerProgress[] {
    return this.#stages.progress
  }

  countNotSearchable(tenant: TenantId): number {
    const waiting = this.getProgress().filter(({ consumer }) => consumer === 'deduplicate' || consumer === 'store')
    const count = waiting.reduce((sum, { lag }) => sum + (lag.get(tenant) ?? 0), 0)
    return Math.max(0, count - this.#countWaitingTicks(tenant))
  }

  getCheckpointAges(): ReadonlyMap<string, number> {
    return this.#stages.checkpointAges
  }

  async untilIdle(): Promise<void> {
    const { pause = sleep } = this.#options
    const { signal } = this.#stages
    while (!signal.aborted && this.#isBusy) await pause(limits.pipeline.idleLookMs, signal)
  }

  async tick(nowMs: number): Promise<void> {
    if (this.#stages.signal.aborted) return
    for (const { tenant, bytes } of await this.#parts.detector.createTicks(nowMs)) {
      // Events under way advance the time themselves.
      if (this.accounting(tenant).inFlight > 0) continue
      try {
        const { lastOffset } = await this.#options.bus.publish('normalized-events', tenant, [bytes], { isControl: true })
        this.#tickOffsets.set(tenant, [...this.#tickOffsets.get(tenant) ?? [], lastOffset])
        this.#lastTickOffsets.set(tenant, lastOffset)
      } catch (error) {
        if (classifyBusError(error) !== 'retry') throw error
      }
    }
  }

  close(): Promise<void> {
    return this.#stages.close()
  }

  #countWaitingTicks(tenant: TenantId): number {
    const handledOffset = this.#storing?.getHandledOffset(tenant) ?? 0
    const waiting = (this.#tickOffsets.get(tenant) ?? []).filter((offset) => offset >= handledOffset)
    this.#tickOffsets.set(tenant, waiting)
    return waiting.length
  }

  /** Checkpoints lag behind, so the accounting tells whether detection is busy. */
  get #isBusy(): boolean {
    if ([...this.#parts.accepted.keys()].some((tenant) => this.accounting(tenant).inFlight > 0)) return true
    // Ticks are no events, but detection works on them as well.
    const isHandled = (tenant: TenantId, offset: number): boolean => offset < this.#stages.getHandledOffset(detectStage, tenant)
    if ([...this.#lastTickOffsets].some(([tenant, offset]) => !isHandled(tenant, offset))) return true
    const { consumers, nextOffset } = this.#options.bus.stats('normalized-events')
    return consumers.some(({ name, committedOffset }) => name === 'store' && committedOffset < nextOffset)
  }
}
