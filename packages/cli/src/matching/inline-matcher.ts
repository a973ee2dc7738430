import { Engine } from '@tripline/engine'
import type { EventOptions, RuleSet } from '@tripline/engine'
import { matchChunk } from '@tripline/pool'
import type { PoolOutcome, MatchDetails } from '@tripline/pool'
import type { Context } from '../framework/context.ts'
import type { ChunkMatcher } from './chunk-matcher.ts'

export type MatcherOptions = {
  /** The rules to run. */
  readonly ruleSet: RuleSet
  readonly events: EventOptions
  readonly include: MatchDetails
}

/** The clock that measures matching. */
export type Clock = Pick<Context, 'now'>

/** Makes a matcher that runs in this thread. */
export function createInlineMatcher(options: MatcherOptions, clock: Clock): ChunkMatcher {
  const { match, counts } = createEngineMatcher(options, clock)
  let memory = new Uint8Array(0)
  return {
    outstandingMax: 1,
    // One buffer for all chunks: each is matched as soon as it is pushed, and nothing keeps a reference to it.
    memory(byteLength) {
      if (memory.length < byteLength) memory = new Uint8Array(2 * byteLength)
      return memory.subarray(0, byteLength)
    },
    push: async (bytes) => match(bytes),
    counts,
    close: () => Promise.resolve(),
  }
}

/** An engine of this thread: a chunk is done when the call returns. */
export function createEngineMatcher({ ruleSet, events, include }: MatcherOptions, { now }: Clock) {
  const engine = new Engine(ruleSet, { ...events, correlation: false })
  return {
    match: (bytes: Uint8Array): PoolOutcome => {
      const startedAt = now()
      const outcome = matchChunk(engine, bytes, include, events)
      return { ...outcome, matchMs: now() - startedAt }
    },
    counts: () => engine.counts,
  }
}
