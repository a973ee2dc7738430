import type { ChunkEventOptions, ChunkOutcome, MatchDetails } from './match-chunk.ts'
import type { RuleMessage } from './rule-message.ts'

/** The initial data of a worker. */
export type WorkerSetup = {
  /** By number. */
  readonly rules: readonly RuleMessage[]
  readonly events: ChunkEventOptions
  readonly include: MatchDetails
}

/** The outcome of one chunk, and the time it took. */
export type PoolOutcome = ChunkOutcome & {
  /** Milliseconds to parse and match the chunk, by the worker's clock. */
  readonly matchMs: number
}

/**
 * The messages of a worker: first that it is ready, then one outcome for each chunk, in order, with the chunk's buffer
 * unless it is shared.
 */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'outcome'; readonly outcome: PoolOutcome; readonly memory: ArrayBuffer | undefined }
