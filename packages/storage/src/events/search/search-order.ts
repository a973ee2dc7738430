import type { BlockBounds } from '../block/block.ts'
import type { EventPosition, SearchOrder } from '../event-store.ts'
import { compareNewestFirst, compareOldestFirst } from './match-block.ts'

/** What a search needs to know of the order of its results; times are compared by `compareTimes`. */
export type PageOrder = {
  /** Negative where the first comes first. */
  readonly compare: (a: EventPosition, b: EventPosition) => number
  readonly compareTimes: (a: number, b: number) => number
  /** The time of a block that comes first, and the one that comes last. */
  readonly getFirstTime: (bounds: BlockBounds) => number
  readonly getLastTime: (bounds: BlockBounds) => number
  /** The position before all events of a time. */
  readonly getStart: (time: number) => EventPosition
}

export const pageOrders: { readonly [order in SearchOrder]: PageOrder } = {
  newest_first: {
    compare: compareNewestFirst,
    compareTimes: (a, b) => b - a,
    getFirstTime: ({ newestAt }) => newestAt,
    getLastTime: ({ oldestAt }) => oldestAt,
    getStart: (occurredAt) => ({ occurredAt, sequence: Number.MAX_SAFE_INTEGER }),
  },
  oldest_first: {
    compare: compareOldestFirst,
    compareTimes: (a, b) => a - b,
    getFirstTime: ({ oldestAt }) => oldestAt,
    getLastTime: ({ newestAt }) => newestAt,
    getStart: (occurredAt) => ({ occurredAt, sequence: -1 }),
  },
}
