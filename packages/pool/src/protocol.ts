import type { EventOptions } from '@tripline/engine'
import type { ChunkOutcome, MatchDetails } from './match-chunk.ts'
import type { RuleMessage } from './rule-message.ts'

/** What a worker is started with. */
export type WorkerSetup = {
  /** By number. */
  readonly rules: readonly RuleMessage[]
  readonly events: EventOptions
  readonly wanted: MatchDetails
}

/** What came of one piece, and how long it took. */
export type PoolOutcome = ChunkOutcome & {
  /** Time to parse and match the piece, by the worker's clock. */
  readonly matchMs: number
}

/**
 * What a worker sends: first that it takes pieces, then an outcome for each, in the order they came, and the memory
 * in which it came unless that is shared.
 */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'outcome'; readonly outcome: PoolOutcome; readonly memory: ArrayBuffer | undefined }
