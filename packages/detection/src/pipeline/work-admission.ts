import type { TenantId } from '@tripline/model/tenant'
import { limits } from '../limits.ts'
import type { PipelineInstruments } from './pipeline-instruments.ts'

type WorkAdmissionOptions = {
  readonly elapsedMs: () => number
  readonly queuedWorkMs?: number | undefined
  /** The share of a tenant beside others; default: all have the same. */
  readonly getWeight?: (tenant: TenantId) => number
}

/** What a tenant has queued: events that are accepted or announced, and bytes of events that wait to be stored. */
export type QueuedWork = { readonly eventCount: number; readonly storeBytes: number }

/**
 * Admission control by estimated work: while several tenants send, each may queue only its share of the work that the
 * pipeline does in a short time, so a flood of one tenant delays the events of the others by no more than that. The cost of
 * a tenant's events is an exponentially weighted moving average of measured time: expensive rules shrink the share in
 * events. A tenant that sends alone may fill its queue.
 */
export class WorkAdmission {
  readonly #elapsedMs: () => number
  readonly #queuedWorkMs: number
  readonly #getWeight: (tenant: TenantId) => number
  /** Bytes that an event of each tenant took lately in a body. They outlast a silence, as the costs do. */
  readonly #eventBytes = new Map<TenantId, number>()
  /**
   * Milliseconds that an event of each tenant took lately, by stage; of the tenants measured last. A flood often begins after a
   * silence, and must not be taken for cheap.
   */
  readonly #costs = { deduplicate: new Map<TenantId, number>(), detect: new Map<TenantId, number>() }
  /** When each tenant sent last; the oldest first. */
  readonly #lastSentMs = new Map<TenantId, number>()

  /** `queuedWorkMs`: the work that all sending tenants together may queue. */
  constructor({ elapsedMs, queuedWorkMs = limits.pipeline.queuedWorkMs, getWeight = () => 1 }: WorkAdmissionOptions) {
    this.#elapsedMs = elapsedMs
    this.#getWeight = getWeight
    this.#queuedWorkMs = queuedWorkMs
  }

  /** Wraps instruments, so that the admission learns the measured time of batches from them. */
  observe(instruments: PipelineInstruments): PipelineInstruments {
    return {
      ...instruments,
      deduplicated: (tenant, batch) => {
        this.record('deduplicate', tenant, batch)
        instruments.deduplicated(tenant, batch)
      },
      evaluated: (tenant, batch) => {
        const durationMs = batch.durationMs + batch.matchedRuleIds.length * limits.fairness.matchMs
        this.record('detect', tenant, { ...batch, durationMs })
        instruments.evaluated(tenant, batch)
      },
    }
  }

  /** Records the measured time of a batch of a tenant's events in one stage. */
  record(
    stage: 'deduplicate' | 'detect',
    tenant: TenantId,
    { eventCount, durationMs }: { readonly eventCount: number; readonly durationMs: number },
  ): void {
    if (eventCount === 0) return
    const { costWeight, risingCostWeight } = limits.pipeline
    const costs = this.#costs[stage]
    const measured = durationMs / eventCount
    // The first batch of a tenant is slow because it is the first: it is believed in part.
    const before = costs.get(tenant) ?? Math.min(measured, limits.fairness.unknownEventMs)
    const weight = measured > before ? risingCostWeight : costWeight
    keepLatest(costs, tenant, before + (measured - before) * weight)
  }

  /** The milliseconds that an event of a tenant probably takes in a stage. */
  estimateMs(stage: 'deduplicate' | 'detect', tenant: TenantId): number {
    return limits.pipeline.eventCostMsMin + (this.#costs[stage].get(tenant) ?? limits.fairness.unknownEventMs)
  }

  /** Records the size of the events of a tenant's body, as it was sent. */
  recordBody(tenant: TenantId, { eventCount, byteCount }: { readonly eventCount: number; readonly byteCount: number }): void {
    if (eventCount === 0) return
    const before = this.#eventBytes.get(tenant) ?? byteCount / eventCount
    keepLatest(this.#eventBytes, tenant, before + (byteCount / eventCount - before) * limits.pipeline.costWeight)
  }

  /** The number of events that a body of so many bytes probably has: at least one. */
  estimateEvents(tenant: TenantId, byteCount: number): number {
    return Math.max(1, byteCount / (this.#eventBytes.get(tenant) ?? limits.pipeline.unknownEventBytes))
  }

  /** Whether a tenant may send events now, given what it has queued; counts the tenant as sending. */
  admit(tenant: TenantId, { eventCount, storeBytes }: QueuedWork): boolean {
    const nowMs = this.#elapsedMs()
    this.#lastSentMs.delete(tenant)
    this.#lastSentMs.set(tenant, nowMs)
    for (const [other, sentMs] of this.#lastSentMs) {
      if (nowMs - sentMs <= limits.pipeline.sendingMs) break
      this.#lastSentMs.delete(other)
    }
    if (this.#lastSentMs.size === 1) return true
    let weightSum = 0
    for (const other of this.#lastSentMs.keys()) weightSum += this.#getWeight(other)
    const storeMs = (storeBytes / limits.pipeline.unknownEventBytes) * limits.fairness.storeEventMs
    return eventCount * this.#getCost(tenant) + storeMs < (this.#queuedWorkMs * this.#getWeight(tenant)) / weightSum
  }

  /** Whether so many queued events of a tenant are estimated to take long, so that others should come first. */
  isMuch(tenant: TenantId, eventCount: number): boolean {
    return eventCount * (this.estimateMs('deduplicate', tenant) + this.estimateMs('detect', tenant)) > limits.fairness.heavyQueuedMs
  }

  #getCost(tenant: TenantId): number {
    const { deduplicate, detect } = this.#costs
    // After a start no tenant is measured yet, and none is refused for what it might cost.
    return limits.pipeline.eventCostMsMin + (deduplicate.get(tenant) ?? 0) + (detect.get(tenant) ?? 0)
  }
}

/** Sets a value of a tenant, and forgets the tenant that was set longest ago beyond the number that is kept. */
function keepLatest(values: Map<TenantId, number>, tenant: TenantId, value: number): void {
  values.delete(tenant)
  values.set(tenant, value)
  if (values.size <= limits.pipeline.measuredTenantsMax) return
  const [oldest] = values.keys()
  if (oldest !== undefined) values.delete(oldest)
}
