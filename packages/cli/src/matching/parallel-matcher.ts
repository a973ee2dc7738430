import type { DetectionPool } from '@tripline/pool'
import { limits } from '../limits.ts'
import type { ChunkMatcher } from './chunk-matcher.ts'
import { createEngineMatcher } from './inline-matcher.ts'
import type { Clock, MatcherOptions } from './inline-matcher.ts'

/**
 * Matches chunks in this thread and in the workers of a pool, which runs the same rules. This thread starts at once, and
 * the workers join when they are ready: a short input does not wait for them, and of a long one they get every chunk
 * that their queues have capacity for.
 */
export function createParallelMatcher(pool: DetectionPool, options: MatcherOptions, clock: Clock): ChunkMatcher {
  const here = createEngineMatcher(options, clock)
  let isReady = false
  const join = (): void => { isReady = true }
  // If a worker failed to start, the first push rejects.
  pool.ready.then(join, join)

  return {
    outstandingMax: pool.pendingMax + limits.aheadMax,
    memory: (byteLength) => pool.acquireBuffer(byteLength),
    async push(bytes) {
      if (isReady && pool.hasCapacity) return await pool.push(bytes)
      const outcome = here.match(bytes)
      pool.releaseBuffer(bytes)
      return outcome
    },
    counts() {
      const [own, others] = [here.counts(), pool.counts]
      return {
        events: own.events + others.events,
        unrouted: own.unrouted + others.unrouted,
        matches: own.matches + others.matches,
      }
    },
    close: () => pool.close(),
  }
}
