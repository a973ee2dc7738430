import { getErrorMessage } from '@tripline/common/error-message'
import { readEdgeAlert } from '@tripline/model/edge-alert'
import { levelRank } from '@tripline/model/level'
import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { CheckpointStore } from '@tripline/state/ports/checkpoint-store'
import type { Stores } from '@tripline/state/ports/state-store'
import { isTransientStateError } from '@tripline/state/ports/store-error'
import type { Message } from '@tripline/storage/bus/bus'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { limits } from '../limits.ts'
import type { PipelineInstruments } from '../pipeline/pipeline-instruments.ts'
import { shareState } from '../tenants/share-state.ts'
import { deadLetterTopic } from '../pipeline/topics.ts'
import { forEachSlice } from '../pipeline/yield-between.ts'
import type { StageTurns } from '../pipeline/yield-between.ts'
import { RuleCounts } from '../tenants/rule-counts.ts'
import { TenantDetector, detectStage, emptyHeader, loadDetectHeader } from '../tenants/tenant-detector.ts'
import type { DetectHeader, DetectTotals } from '../tenants/tenant-detector.ts'
import type { DetectedMatch, TenantEngine, ActiveRules } from '../tenants/tenant-engine.ts'
import type { RuleStorm } from './alert-storm-limit.ts'
import { createAlerts, getMatchLevel } from './create-alerts.ts'
import type { Enrich, CreatedAlerts } from './create-alerts.ts'
import { encodeDeadLetter } from './dead-letter.ts'
import type { Rejection } from './dead-letter.ts'
import { printMessage } from './event-message.ts'
import type { StageResult, Output } from './stage.ts'

/**
 * Called with the matches of evaluated events, before alerts are made of some of them. The events may be stored already or not,
 * and a crash may repeat them.
 */
export type OnMatched = (tenant: TenantId, matches: readonly DetectedMatch[]) => void

export type DetectorOptions = StageTurns & {
  readonly state: Pick<Stores, 'tenants' | 'checkpoints' | 'alerts'>
  /** Loads the rules that a tenant runs; called with its first event. */
  readonly loadRules: (tenant: TenantId) => Promise<ActiveRules>
  readonly enrich: Enrich
  readonly instruments: Pick<PipelineInstruments, 'evaluated' | 'alerted'>
  /** Milliseconds of processor time of the thread, with which batches are measured. */
  readonly processorMs: () => number
  /** What the correlations of all tenants may remember; default `limits.correlation.eventsTotalMax`. */
  readonly stateTotalMax?: number | undefined
  readonly onMatched?: OnMatched | undefined
  readonly onProblem: (message: string, fields: { readonly tenant: TenantId; readonly [name: string]: string }) => void
}

/** The last stage, behind `normalized-events`: one engine for each tenant with events. */
export class Detector {
  readonly #options: DetectorOptions
  readonly #headers: ReadonlyMap<TenantId, DetectHeader>
  /** Detectors that are open or being opened. */
  readonly #detectors = new Map<TenantId, Promise<TenantDetector>>()
  readonly #opened = new Map<TenantId, TenantDetector>()
  readonly #counts = new Map<TenantId, Promise<RuleCounts>>()
  /** What the correlations of each tenant remember, and of all together. */
  readonly #stateSizes = new Map<TenantId, number>()
  #stateTotal = 0
  /** The results of the messages in hand so far. */
  #outputs: Output[] = []
  #rejected: Rejection[] = []

  private constructor(options: DetectorOptions, heads: ReadonlyMap<TenantId, DetectHeader>) {
    this.#options = options
    this.#headers = heads
  }

  /** Continues from the checkpoints of all tenants; engines are opened on demand. */
  static async open(options: DetectorOptions): Promise<Detector> {
    const { tenants, checkpoints } = options.state
    const heads = new Map<TenantId, DetectHeader>()
    for (const { id } of await tenants.list()) {
      const head = await loadDetectHeader(checkpoints, id)
      if (head !== undefined) heads.set(id, head)
    }
    return new Detector(options, heads)
  }

  /** All messages of a tenant before this offset are covered by its checkpoint. */
  getCoveredOffset(tenant: TenantId): number {
    return this.#getHeader(tenant).coveredOffset
  }

  get coveredOffset(): number {
    return Math.max(0, ...[...this.#headers.values()].map(({ coveredOffset }) => coveredOffset))
  }

  getTotals(tenant: TenantId): DetectTotals {
    return this.#opened.get(tenant)?.totals ?? this.#getHeader(tenant).totals
  }

  /** The rules of a tenant that are in an alert storm at a moment. */
  getStorms(tenant: TenantId, nowMs: number): readonly RuleStorm[] {
    return this.#opened.get(tenant)?.stormLimit.getStorms(nowMs) ?? []
  }

  /** The engine of a tenant; undefined before its first event. */
  getEngine(tenant: TenantId): TenantEngine | undefined {
    return this.#opened.get(tenant)?.engine
  }

  /** The engine of a tenant, opened if necessary. */
  async open(tenant: TenantId): Promise<TenantEngine> {
    return (await this.#getDetector(tenant)).engine
  }

  /** The counters of each rule of a tenant. */
  getRuleCounts(tenant: TenantId): Promise<RuleCounts> {
    return memoizeByTenant(this.#counts, tenant, () => RuleCounts.load(this.#options.state.checkpoints, tenant, detectStage))
  }

  /**
   * Evaluates messages and creates alerts for the matches. After an error it may be called again with the same
   * messages: it continues where it was.
   */
  async handle(messages: readonly Message[]): Promise<StageResult> {
    const lanes = new Map<TenantId, TenantDetector>()
    for (const { tenant } of messages) if (!lanes.has(tenant)) lanes.set(tenant, await this.#getDetector(tenant))
    await forEachSlice(this.#options, messages, (slice) => {
      for (const [tenant, theirs] of Map.groupBy(slice, (message) => message.tenant)) this.#evaluate(tenant, lanes.get(tenant)!, theirs)
    })
    await this.#boundState(lanes)
    for (const [tenant, lane] of lanes) {
      await this.#makeAlerts(tenant, lane)
      lane.confirmEvaluated()
    }
    const handled = { outputs: this.#outputs, rejected: this.#rejected }
    this.#outputs = []
    this.#rejected = []
    return handled
  }

  /**
   * Swaps the rules of a tenant from its next event on; call it between two batches. `store` runs in between; if it
   * throws, the old rules stay.
   */
  async useRules(tenant: TenantId, rules: ActiveRules, store: (effectiveFromOffset: number) => Promise<void>): Promise<number> {
    const place = this.#opened.get(tenant)?.engine.position ?? this.#getHeader(tenant).position
    const effectiveFromOffset = place.mark + 1
    await store(effectiveFromOffset)
    // The swap is a long step of its own where the rules are costly.
    await othersFirst()
    // Another caller may have opened it meanwhile, with the old rules.
    const lane = await this.#getDetector(tenant, rules)
    lane.engine.useRules(rules)
    return effectiveFromOffset
  }

  /** Creates messages that advance the time of tenants that have been silent while windows wait for their end. */
  async createTicks(nowMs: number): Promise<readonly { readonly tenant: TenantId; readonly bytes: Uint8Array }[]> {
    for (const [tenant, { isWaiting }] of this.#headers) if (isWaiting) await this.#getDetector(tenant)
    const due = [...this.#opened].filter(([, { engine, lastTickAt }]) => {
      const silentMs = nowMs - engine.position.lastReceivedAt
      // The longer the silence, the fewer ticks: an end is noticed late by at most a hundredth of it.
      const restMs = Math.max(limits.correlation.tickMs, silentMs / 100)
      return engine.isWaiting && silentMs > limits.pipeline.silenceMs && nowMs - lastTickAt >= restMs
    })
    return due.map(([tenant, lane]) => {
      lane.lastTickAt = nowMs
      return { tenant, bytes: printMessage({ tickAt: nowMs }) }
    })
  }

  /** Writes the large parts of a checkpoint ahead of it; nothing may be handled until `save` is called. */
  async writeAhead(checkpoints: CheckpointStore): Promise<void> {
    for (const [, lane] of this.#opened) if (lane.isDirty) await lane.writeAhead(checkpoints)
  }

  /**
   * Stores the state of tenants that changed, after `writeAhead`, each with the offset before which its messages are handled;
   * the returned function is called once that is durable.
   */
  async save(checkpoints: CheckpointStore, getHandledOffset: (tenant: TenantId) => number): Promise<() => void> {
    const dirty = [...this.#opened].filter(([, { isDirty }]) => isDirty)
    for (const [tenant, lane] of dirty) await checkpoints.save(tenant, detectStage, lane.changes(getHandledOffset(tenant)))
    return () => {
      for (const [, lane] of dirty) lane.saved()
    }
  }

  /** Keeps what the correlations of all tenants remember within a bound, whatever one of them sends. */
  async #boundState(lanes: ReadonlyMap<TenantId, TenantDetector>): Promise<void> {
    for (const [tenant, { engine }] of lanes) {
      this.#stateTotal += engine.stateSize - (this.#stateSizes.get(tenant) ?? 0)
      this.#stateSizes.set(tenant, engine.stateSize)
    }
    const { stateTotalMax = limits.correlation.eventsTotalMax } = this.#options
    if (this.#stateTotal <= stateTotalMax) return
    // Somewhat less than the bound, so that not every batch trims.
    for (const [tenant, share] of shareState(this.#stateSizes, 0.9 * stateTotalMax)) {
      const lane = this.#opened.get(tenant)!
      const before = lane.engine.stateSize
      await lane.engine.trimState(share)
      lane.isDirty = true
      this.#stateTotal += lane.engine.stateSize - before
      this.#stateSizes.set(tenant, lane.engine.stateSize)
      const fields = { tenant, evicted: `${before - lane.engine.stateSize}` }
      this.#options.onProblem('correlations of all tenants together remember too much; the oldest state of this one is evicted', fields)
    }
  }

  #evaluate(tenant: TenantId, lane: TenantDetector, messages: readonly Message[]): void {
    const { processorMs, instruments, onMatched } = this.#options
    const [startedMs, foundCount, evaluatedCount] = [processorMs(), lane.waiting.length, lane.evaluatedCount]
    this.#rejected.push(...lane.process(messages))
    const found = lane.waiting.slice(foundCount)
    const matchedRuleIds = found.map(({ rule }) => rule.id)
    const eventCount = lane.evaluatedCount - evaluatedCount
    if (eventCount > 0 || matchedRuleIds.length > 0) {
      instruments.evaluated(tenant, { eventCount, durationMs: processorMs() - startedMs, matchedRuleIds })
    }
    if (found.length > 0) onMatched?.(tenant, found)
  }

  async #makeAlerts(tenant: TenantId, lane: TenantDetector): Promise<void> {
    const { waiting, stormLimit } = lane
    if (waiting.length === 0) return
    const { minAlertLevel, dedupMinutes } = resolveSettings((await this.#options.state.tenants.get(tenant)) ?? { settings: {} })
    // Matches below the tenant's alert level are counted and nothing else.
    const alerting = waiting.filter((match) => levelRank[getMatchLevel(match)] >= levelRank[minAlertLevel] && !isFoundBefore(match))
    waiting.splice(0, waiting.length, ...alerting)
    const options = {
      ...this.#options, alerts: this.#options.state.alerts,
      onEnrichmentFailure: (error: unknown) => {
        this.#options.onProblem('alerts are created without enrichment', { tenant, error: getErrorMessage(error) })
      },
    }
    const dedupMs = dedupMinutes * 60_000
    let atOnceMax: number = waiting.length
    while (waiting.length > 0) {
      try {
        const made = await createAlerts(options, { tenant, stormLimit, dedupMs, matches: waiting.slice(0, atOnceMax) })
        waiting.splice(0, made.takenCount)
        this.#reportAlerts(tenant, made)
      } catch (error) {
        if (isTransientStateError(error)) throw error
        if (atOnceMax === 1) this.#deadLetterMatch(tenant, waiting.shift()!, error)
        // One of the matches may be the cause, and must not block the others.
        atOnceMax = 1
      }
    }
  }

  #reportAlerts(tenant: TenantId, { inserted, storms }: CreatedAlerts): void {
    const created = inserted.filter(({ insertion }) => insertion.outcome === 'created')
    if (created.length > 0) this.#options.instruments.alerted(tenant, created.map(({ alert }) => alert))
    for (const rule of storms) {
      this.#options.onProblem('a rule has reached its alert limit; its further matches of this hour join one alert', { tenant, rule })
    }
  }

  #deadLetterMatch(tenant: TenantId, { id, evidence }: DetectedMatch, error: unknown): void {
    const message = { tenant, offset: -1, bytes: Buffer.from(evidence, 'utf8') }
    const refusal = { offset: -1, reason: 'no_alert', text: `no alert could be created for match ${id}: ${getErrorMessage(error)}` }
    this.#options.onProblem('no alert could be created for a match', { tenant, match: id, error: getErrorMessage(error) })
    this.#outputs.push({ topic: deadLetterTopic, tenant, bytes: encodeDeadLetter(detectStage, message, refusal) })
  }

  #getHeader(tenant: TenantId): DetectHeader {
    return this.#headers.get(tenant) ?? emptyHeader
  }

  #getDetector(tenant: TenantId, rules?: ActiveRules): Promise<TenantDetector> {
    return memoizeByTenant(this.#detectors, tenant, async () => {
      const lane = await TenantDetector.open({
        tenant,
        rules: rules ?? (await this.#options.loadRules(tenant)),
        counts: await this.getRuleCounts(tenant),
        header: this.#getHeader(tenant),
        checkpoints: this.#options.state.checkpoints,
      })
      this.#opened.set(tenant, lane)
      return lane
    })
  }
}

/** Whether a collector found the same on the event by the same rule, and said so. */
function isFoundBefore({ rule, event }: DetectedMatch): boolean {
  return readEdgeAlert(event, limits.matches.descriptionLengthMax)?.ruleId === rule.id
}

/** Computes a value once for each tenant; a failure is retried with the next call. */
function memoizeByTenant<Value>(made: Map<TenantId, Promise<Value>>, tenant: TenantId, make: () => Promise<Value>): Promise<Value> {
  const known = made.get(tenant)
  if (known !== undefined) return known
  const making = make().catch((error: unknown) => {
    made.delete(tenant)
    throw error
  })
  made.set(tenant, making)
  return making
}
