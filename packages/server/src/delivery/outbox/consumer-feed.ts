import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import type { TenantId } from '@tripline/model/tenant'
import type { DomainEventStore } from '@tripline/state/ports/delivery/domain-event-store'
import { isTransientStateError } from '@tripline/state/ports/store-error'
import type { limits } from '../limits.ts'
import type { EventConsumer } from './event-consumer.ts'

export type ConsumerFeedOptions = {
  readonly consumer: EventConsumer
  readonly read: DomainEventStore['read']
  /** Resolves after some milliseconds, or at once when the signal aborts. */
  readonly sleep: (lengthMs: number, signal: AbortSignal) => Promise<void>
  readonly log: Pick<Log, 'error' | 'warn'>
  /** Called when the position of a tenant has advanced. */
  readonly onAdvanced: (tenant: TenantId) => void
  readonly bounds: OutboxBounds
}

export type OutboxBounds = { readonly [name in keyof typeof limits.domainEvents]: number }

/** What a consumer has handled, and what waits for it by tenant. */
type ConsumerFeedProgress = {
  readonly topic: string
  readonly consumer: string
  readonly handledCount: number
  readonly lag: ReadonlyMap<TenantId, number>
}

/** What a consumer has of a tenant. */
type Lane = {
  /** The number of the last event that was handled, and of the last one that is known. */
  position: number
  head: number
  /** Whether a batch is being handled, or waits for its next attempt. */
  isBusy: boolean
  failureCount: number
  /** Up to this number events come one by one, to find the one that fails. */
  singlyUpTo: number
}

/**
 * Delivers the events of all tenants to one consumer: round robin over the tenants that have any, a batch each, several
 * tenants at once. A batch that fails is retried with exponential backoff and delays no other tenant.
 */
export class ConsumerFeed {
  readonly #options: ConsumerFeedOptions
  readonly #lanes = new Map<TenantId, Lane>()
  /** Tenants whose next batch may be handled, in turn. */
  readonly #ready = new Set<TenantId>()
  readonly #stop = new AbortController()
  readonly #active = new Set<Promise<void>>()
  #handledCount = 0

  constructor(options: ConsumerFeedOptions) {
    this.#options = options
  }

  get name(): string {
    return this.#options.consumer.name
  }

  get progress(): ConsumerFeedProgress {
    const waiting = [...this.#lanes].filter(([, { position, head }]) => head > position)
    const lag = new Map(waiting.map(([tenant, { position, head }]) => [tenant, head - position]))
    return { topic: this.#options.consumer.topic, consumer: this.name, handledCount: this.#handledCount, lag }
  }

  /** Whether everything known is handled. */
  get isIdle(): boolean {
    return this.#active.size === 0 && [...this.#lanes.values()].every(({ position, head, isBusy }) => !isBusy && position >= head)
  }

  /** The number of the last event of a tenant that was handled. */
  getPosition(tenant: TenantId): number {
    return this.#lanes.get(tenant)?.position ?? 0
  }

  /** Where a restart left off. Call it before `advance`. */
  resume(tenant: TenantId, position: number): void {
    this.#lanes.set(tenant, { position, head: position, isBusy: false, failureCount: 0, singlyUpTo: 0 })
  }

  /** A tenant has events up to this number. */
  advance(tenant: TenantId, head: number): void {
    if (!this.#lanes.has(tenant)) this.resume(tenant, 0)
    const lane = this.#lanes.get(tenant)!
    lane.head = Math.max(lane.head, head)
    this.#enqueue(tenant, lane)
  }

  /** Ends delivery; resolves when the batches in hand have settled. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#active)
  }

  #enqueue(tenant: TenantId, lane: Lane): void {
    if (!lane.isBusy && lane.head > lane.position) this.#ready.add(tenant)
    this.#startReady()
  }

  #startReady(): void {
    for (const tenant of this.#ready) {
      if (this.#active.size >= this.#options.bounds.tenantsAtOnceMax || this.#stop.signal.aborted) return
      this.#ready.delete(tenant)
      const lane = this.#lanes.get(tenant)!
      lane.isBusy = true
      const serving = this.#serve(tenant, lane).then(async (waitMs) => {
        this.#active.delete(serving)
        // Others are served while this one waits.
        this.#startReady()
        if (waitMs > 0) await this.#options.sleep(waitMs, this.#stop.signal)
        lane.isBusy = false
        this.#enqueue(tenant, lane)
      })
      this.#active.add(serving)
    }
  }

  /** Handles the next batch of a tenant; returns the milliseconds to wait before the following one. It never throws. */
  async #serve(tenant: TenantId, lane: Lane): Promise<number> {
    const { consumer, read, onAdvanced, bounds } = this.#options
    let [readTo, eventCount] = [lane.position, 0]
    try {
      const page = await read(tenant, lane.position, lane.position < lane.singlyUpTo ? 1 : bounds.batchEventsMax)
      // Behind the last stored event, what was announced is gone.
      readTo = page.readTo > lane.position ? page.readTo : lane.head
      eventCount = page.events.length
      if (eventCount > 0) await consumer.handle(tenant, page.events, this.#stop.signal)
      const missingCount = readTo - lane.position - eventCount
      if (missingCount > 0) {
        this.#report('domain events were removed or corrupted before they were delivered', tenant, { count: missingCount })
      }
    } catch (error) {
      if (this.#stop.signal.aborted) return 0
      if (!this.#isGivenUp(lane, error, { readTo, eventCount })) return this.#computeWait(tenant, lane, error)
      if (eventCount > 1) return 0
      this.#report('a domain event could not be delivered', tenant, { seq: readTo, error: getErrorMessage(error) })
    }
    lane.position = readTo
    lane.failureCount = 0
    this.#handledCount += eventCount
    onAdvanced(tenant)
    return 0
  }

  /** Whether the attempts are used up: those of a batch go on with single events, those of an event without it. */
  #isGivenUp(lane: Lane, error: unknown, { readTo, eventCount }: { readonly readTo: number; readonly eventCount: number }): boolean {
    lane.failureCount++
    if (eventCount === 0 || isTransientStateError(error) || lane.failureCount < this.#options.bounds.attemptsMax) return false
    lane.failureCount = 0
    lane.singlyUpTo = readTo
    return true
  }

  #computeWait(tenant: TenantId, { failureCount }: Lane, error: unknown): number {
    const { retryMs, retryMsMax } = this.#options.bounds
    if (failureCount === 1) {
      const facts = { consumer: this.name, tenant, error: getErrorMessage(error) }
      this.#options.log.warn('a consumer of domain events failed and is retried', facts)
    }
    return Math.min(retryMs * 2 ** Math.min(failureCount - 1, 30), retryMsMax)
  }

  #report(message: string, tenant: TenantId, facts: { readonly [name: string]: string | number }): void {
    this.#options.log.error(message, { consumer: this.name, tenant, ...facts })
  }
}
