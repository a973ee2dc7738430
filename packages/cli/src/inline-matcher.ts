import { Engine } from '@tripline/engine'
import type { EventOptions, RuleSet } from '@tripline/engine'
import { matchPiece } from '@tripline/pool'
import type { PoolOutcome, Wanted } from '@tripline/pool'
import type { Matching } from './chunk-matcher.ts'
import type { Context } from './context.ts'

export type MatchOptions = {
  /** Whose detection rules run. */
  readonly ruleSet: RuleSet
  readonly events: EventOptions
  readonly wanted: Wanted
}

/** How long matching takes is told. */
export type Clock = Pick<Context, 'now'>

/** Matches pieces in this thread. */
export function matchHere(options: MatchOptions, clock: Clock): Matching {
  const { match, counts } = pieceMatcher(options, clock)
  let memory = new Uint8Array(0)
  return {
    outstandingMax: 1,
    // One for all pieces: each is matched as soon as it is pushed, and nothing is kept of it.
    memory(byteLength) {
      if (memory.length < byteLength) memory = new Uint8Array(2 * byteLength)
      return memory.subarray(0, byteLength)
    },
    push: async (bytes) => match(bytes),
    counts,
    close: () => Promise.resolve(),
  }
}

/** An engine of this thread, as pieces see it: each is done when the call returns. */
export function pieceMatcher({ ruleSet, events, wanted }: MatchOptions, { now }: Clock) {
  const engine = new Engine(ruleSet, { ...events, correlation: false })
  return {
    match: (bytes: Uint8Array): PoolOutcome => {
      const startedAt = now()
      const outcome = matchPiece(engine, bytes, wanted, events)
      return { ...outcome, matchMs: now() - startedAt }
    },
    counts: () => engine.counts,
  }
}
