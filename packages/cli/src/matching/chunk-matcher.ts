import type { PoolCounts, PoolOutcome } from '@tripline/pool'

/** Matches chunks of the input: in this thread, or also in a pool of workers. */
export type ChunkMatcher = {
  /** How many chunks may be pushed before the first outcome is awaited. */
  readonly outstandingMax: number
  /** Memory for the next piece, which may be that of one that was answered. */
  readonly memory: (byteLength: number) => Uint8Array
  /** Matches a piece, which is the matching's own from then on. */
  readonly push: (bytes: Uint8Array) => Promise<PoolOutcome>
  readonly counts: () => PoolCounts
  readonly close: () => Promise<void>
}
