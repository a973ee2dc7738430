import { getErrorMessage } from '@tripline/common/error-message'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { limits } from '../../limits.ts'
import { ConsumerFeed } from './consumer-feed.ts'
import type { ConsumerFeedOptions, OutboxBounds } from './consumer-feed.ts'
import type { EventConsumer } from './event-consumer.ts'

type OutboxReaderOptions = Pick<ConsumerFeedOptions, 'sleep' | 'log'> & {
  readonly state: Pick<StateStore, 'domainEvents' | 'transaction' | 'watchDomainEvents'>
  readonly consumers: readonly EventConsumer[]
  /** Called with the number of events that a tenant's commit published. */
  readonly onPublished?: (tenant: TenantId, count: number) => void
  /** Default: `limits.domainEvents`. */
  readonly bounds?: OutboxBounds
}

/**
 * Reads the outbox of domain events and delivers it to consumers, at least once and in the order of each tenant: a commit
 * wakes it up, so nothing waits for a poll. A consumer that fails or hangs delays no other.
 *
 * Positions are saved at most once a second, together with the removal of what all consumers have handled, so that events
 * cost no commits of their own; a kill repeats at most what was handled since.
 */
export class OutboxReader {
  readonly #options: OutboxReaderOptions
  readonly #bounds: OutboxBounds
  readonly #feeds: readonly ConsumerFeed[]
  readonly #heads = new Map<TenantId, number>()
  /** Tenants whose positions are not saved, or with events to remove. */
  readonly #unsaved = new Set<TenantId>()
  readonly #stop = new AbortController()
  #unwatch = (): void => {}
  #saving: Promise<void> | undefined
  #hasSaveFailed = false

  private constructor(options: OutboxReaderOptions) {
    const { sleep, log, state, bounds = limits.domainEvents } = options
    this.#options = options
    this.#bounds = bounds
    const read = state.domainEvents.read
    const onAdvanced = (tenant: TenantId): void => this.#scheduleSave(tenant)
    this.#feeds = options.consumers.map((consumer) => new ConsumerFeed({ consumer, read, sleep, log, onAdvanced, bounds }))
  }

  /** Continues each consumer where it left off. */
  static async open(options: OutboxReaderOptions): Promise<OutboxReader> {
    const reader = new OutboxReader(options)
    const { domainEvents, watchDomainEvents } = options.state
    const published = new Map<TenantId, number>()
    let onPublished = (tenant: TenantId, lastSeq: number): void => void published.set(tenant, lastSeq)
    reader.#unwatch = watchDomainEvents((tenant, lastSeq) => onPublished(tenant, lastSeq))
    const heads = await domainEvents.heads()
    for (const feed of reader.#feeds) {
      for (const [tenant, position] of await domainEvents.positions(feed.name)) feed.resume(tenant, position)
    }
    onPublished = (tenant, lastSeq) => {
      options.onPublished?.(tenant, lastSeq - (reader.#heads.get(tenant) ?? 0))
      reader.#advance(tenant, lastSeq)
    }
    for (const [tenant, head] of heads) reader.#advance(tenant, head)
    for (const [tenant, lastSeq] of published) onPublished(tenant, lastSeq)
    return reader
  }

  /** What each consumer has handled, and what waits for it. */
  get progress(): readonly ConsumerFeed['progress'][] {
    return this.#feeds.map(({ progress }) => progress)
  }

  /** The number of the last event of a tenant that a consumer has handled. */
  getPosition(consumer: string, tenant: TenantId): number {
    return this.#feeds.find(({ name }) => name === consumer)?.getPosition(tenant) ?? 0
  }

  /** The number of the last event that a tenant published. */
  getHead(tenant: TenantId): number {
    return this.#heads.get(tenant) ?? 0
  }

  /** Whether every consumer has handled the events of a tenant up to this number. */
  hasHandled(tenant: TenantId, through: number): boolean {
    return this.#feeds.every((feed) => feed.getPosition(tenant) >= through)
  }

  /** Resolves when everything published so far is handled, or the reader is closed. */
  async untilIdle(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted && this.#feeds.some(({ isIdle }) => !isIdle)) await this.#options.sleep(limits.pipeline.idleLookMs, signal)
  }

  /** Ends delivery and saves the positions. Consumers that do not settle in time get their last batch again. */
  async close(): Promise<void> {
    this.#unwatch()
    this.#stop.abort()
    const settled = new AbortController()
    const stopping = Promise.all(this.#feeds.map((feed) => feed.stop())).then(() => settled.abort())
    await Promise.race([stopping, this.#options.sleep(this.#bounds.closeMs, settled.signal)])
    await this.#saving
    await this.#saveAll()
  }

  #advance(tenant: TenantId, head: number): void {
    this.#heads.set(tenant, Math.max(head, this.#heads.get(tenant) ?? 0))
    for (const feed of this.#feeds) feed.advance(tenant, head)
    this.#scheduleSave(tenant)
  }

  #scheduleSave(tenant: TenantId): void {
    this.#unsaved.add(tenant)
    if (this.#stop.signal.aborted) return
    this.#saving ??= this.#saveSoon().finally(() => (this.#saving = undefined))
  }

  async #saveSoon(): Promise<void> {
    const { signal } = this.#stop
    while (this.#unsaved.size > 0 && !signal.aborted) {
      await this.#options.sleep(this.#bounds.saveMs, signal)
      await this.#saveAll()
    }
  }

  /** Saves the positions of all tenants that advanced, in slices with other work of the process between them. */
  async #saveAll(): Promise<void> {
    const due = [...this.#unsaved]
    this.#unsaved.clear()
    while (due.length > 0) {
      const tenants = due.splice(0, this.#bounds.savedTenantsMax)
      try {
        due.push(...await this.#save(tenants))
        this.#hasSaveFailed = false
      } catch (error) {
        for (const tenant of [...tenants, ...due]) this.#unsaved.add(tenant)
        if (!this.#hasSaveFailed) {
          this.#options.log.warn('positions of domain events are saved later', { error: getErrorMessage(error) })
        }
        this.#hasSaveFailed = true
        return
      }
      await this.#options.sleep(0, this.#stop.signal)
    }
  }

  /** Saves positions and removes what all have handled; returns the tenants with more to remove. */
  async #save(tenants: readonly TenantId[]): Promise<readonly TenantId[]> {
    const { trimEventsMax } = this.#bounds
    return await this.#options.state.transaction(async ({ domainEvents }) => {
      const unfinished: TenantId[] = []
      for (const tenant of tenants) {
        const positions = this.#feeds.map((feed) => [feed.name, feed.getPosition(tenant)] as const)
        for (const [name, position] of positions) if (position > 0) await domainEvents.savePosition(tenant, name, position)
        const through = this.#computeTrimPoint(tenant, positions.map(([, position]) => position))
        const removedCount = through > 0 ? await domainEvents.trim(tenant, through, trimEventsMax) : 0
        if (removedCount === trimEventsMax) unfinished.push(tenant)
      }
      return unfinished
    })
  }

  /**
   * The number up to which events of a tenant are removed: those that all consumers have handled, but for some that replays
   * read, and the oldest of too many, even if a consumer waits for them.
   */
  #computeTrimPoint(tenant: TenantId, positions: readonly number[]): number {
    const { replayedEventsMax, waitingEventsMax } = this.#bounds
    const head = this.getHead(tenant)
    return Math.max(Math.min(head - replayedEventsMax, ...positions), head - waitingEventsMax)
  }
}
