import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import type { Block } from '../block/block.ts'
import type { EventPage, EventQuery, Histogram, HistogramQuery, ScanBatch, ScanQuery } from '../event-store.ts'
import { countBlocks, scanBlocks, searchBlocks } from './search-blocks.ts'
import type { BlockSearchDeps } from './search-blocks.ts'
import { SearchCache } from './search-cache.ts'
import { SearchSlots } from './search-slots.ts'

/** Takes a turn for a search of a tenant, or for storing its events. */
type TakeTenantTurn = (tenant: string, work: 'search' | 'store') => Promise<number>

/** How work of a tenant shares the event loop. */
export type TurnSharing = { readonly elapsedMs: () => number; readonly takeTurn: TakeTenantTurn }

export type StoreSearchesOptions = {
  readonly elapsedMs: () => number
  /**
   * Resolves when work for a tenant may go on, with the milliseconds for which it may; default: after other work of the process.
   */
  readonly takeTurn?: TakeTenantTurn | undefined
}

/** The searches of a store: those of a tenant take turns with other work, and few run at a time. */
export class StoreSearches {
  readonly #options: StoreSearchesOptions
  readonly #getBlocks: (tenant: string) => readonly Block[]
  readonly #cache = new SearchCache(limits.events)
  readonly #slots = new SearchSlots(limits.events.searchesAtOnceMax)
  /** Searches under way. */
  readonly #running = new Set<Promise<unknown>>()

  constructor(options: StoreSearchesOptions, getBlocks: (tenant: string) => readonly Block[]) {
    this.#options = options
    this.#getBlocks = getBlocks
  }

  async search(query: EventQuery): Promise<EventPage> {
    return await this.#slots.run(query.tenant, () => this.track(() => searchBlocks(this.#getDeps(query.tenant), query)))
  }

  histogram(query: HistogramQuery): AsyncGenerator<Histogram> {
    return this.#trackSteps(() => countBlocks(this.#getDeps(query.tenant), query))
  }

  scan(query: ScanQuery): AsyncGenerator<ScanBatch> {
    return this.#trackSteps(() => scanBlocks(this.#getDeps(query.tenant), query))
  }

  /** Runs a read of blocks as one that `whenEnded` waits for. */
  async track<Result>(read: () => Promise<Result>): Promise<Result> {
    const running = read()
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  /** Waits until all searches that are under way now have ended: none reads blocks that were current before the call. */
  async whenEnded(): Promise<void> {
    await Promise.allSettled(this.#running)
  }

  async* #trackSteps<Step>(search: () => AsyncGenerator<Step>): AsyncGenerator<Step> {
    const ended = Promise.withResolvers<void>()
    this.#running.add(ended.promise)
    try {
      yield* search()
    } finally {
      this.#running.delete(ended.promise)
      ended.resolve()
    }
  }

  #getDeps(tenant: string): BlockSearchDeps {
    const { elapsedMs, takeTurn = yieldTurn } = this.#options
    return { blocks: this.#getBlocks(tenant), elapsedMs, takeTurn: () => takeTurn(tenant, 'search'), cache: this.#cache }
  }
}

/** Lets other work of the process run before each turn. */
export async function yieldTurn(): Promise<number> {
  await yieldToOthers()
  return limits.events.turnMs
}
