import type { PoolCounts, PoolOutcome } from '@tripline/pool'

/** Something that matches pieces of the input. */
export type ChunkMatcher = {
  /** How many pieces may be pushed before the first is answered. */
  readonly outstandingMax: number
  /** Memory for the next piece, which may be that of one that was answered. */
  readonly memory: (byteLength: number) => Uint8Array
  /** Matches a piece, which is the matching's own from then on. */
  readonly push: (bytes: Uint8Array) => Promise<PoolOutcome>
  readonly counts: () => PoolCounts
  readonly close: () => Promise<void>
}
