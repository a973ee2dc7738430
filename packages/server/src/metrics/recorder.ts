import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import { SerialQueue } from '@tripline/common/serial-queue'
import type { TenantId } from '@tripline/model/tenant'
import type { MetricStore } from '@tripline/state/ports/metric-store'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { limits } from './limits.ts'
import type { Meter } from './meter.ts'

type RecorderOptions = {
  readonly meter: Meter
  readonly store: MetricStore
  readonly clock: Pick<Runtime, 'now' | 'elapsedMs'>
  readonly log: Pick<Log, 'error'>
}

/** Stores the points of the meter, tenant by tenant; points that cannot be stored stay in the meter. */
export class Recorder {
  readonly #options: RecorderOptions
  /** One task at a time, so a reader that waits for its turn finds all earlier points. */
  readonly #queue = new SerialQueue()
  readonly #recordedMs = new Map<TenantId, number>()
  #removedMs = -Infinity
  #isFailing = false

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  /** Stores the points of all tenants, and periodically removes old ones. */
  async recordAll(): Promise<void> {
    const { meter, clock } = this.#options
    for (const tenant of meter.tenants) await this.record(tenant)
    if (clock.elapsedMs() - this.#removedMs < limits.metrics.removeMs) return
    this.#removedMs = clock.elapsedMs()
    for (const tenant of meter.tenants) await this.#inTurn(tenant, () => this.#removeOld(tenant))
  }

  /** Stores the points of a tenant. */
  async record(tenant: TenantId): Promise<void> {
    await this.#inTurn(tenant, () => this.#record(tenant))
  }

  /** Stores them before series are read, unless that just happened. */
  async refresh(tenant: TenantId): Promise<void> {
    const recordedMs = this.#recordedMs.get(tenant) ?? -Infinity
    if (this.#options.clock.elapsedMs() - recordedMs >= limits.metrics.seriesStaleMs) await this.record(tenant)
  }

  async #record(tenant: TenantId): Promise<void> {
    const { meter, store, clock } = this.#options
    const points = meter.drain(tenant)
    this.#recordedMs.set(tenant, clock.elapsedMs())
    const { recordPointsMax } = limits.metrics
    for (let start = 0; start < points.length; start += recordPointsMax) {
      try {
        await store.record(tenant, points.slice(start, start + recordPointsMax))
        this.#isFailing = false
      } catch (error) {
        meter.putBack(tenant, points.slice(start))
        throw error
      }
      // Thousands of rules may have matched: yield in between.
      await othersFirst()
    }
  }

  async #removeOld(tenant: TenantId): Promise<void> {
    await this.#options.store.removeOld(tenant, this.#options.clock.now())
  }

  /** Measuring must not fail other work: an error is logged once, until storing succeeds again. */
  #inTurn(tenant: TenantId, work: () => Promise<void>): Promise<void> {
    return this.#queue.run(work).catch((error: unknown) => {
      if (!this.#isFailing) this.#options.log.error('metrics cannot be stored; they wait', { tenant, error: getErrorMessage(error) })
      this.#isFailing = true
    })
  }
}
