import type { EventOptions, RuleSet } from '@tripline/engine'
import { openPool } from '@tripline/pool'
import type { DetectionPool } from '@tripline/pool'
import type { ExpectedCounts } from './benchmark-rounds.ts'
import type { EventSample, SampleBlock } from './event-sample.ts'

/** What is measured with several workers, and with which clock. */
export type JobsBenchmark = {
  readonly ruleSet: RuleSet
  readonly sample: EventSample
  readonly events: EventOptions
  /** Workers of the larger pool, 2 or more; the other has one. */
  readonly jobs: number
  /** Milliseconds of wall time: processor time of one thread says nothing about several. */
  readonly now: () => number
  /** Collects garbage of this thread, so that no measurement includes another's. */
  readonly collectGarbage: () => void
}

/** Wall times of one round over the second half of the sample, in milliseconds. */
export type JobsRound = {
  /** A pool of one worker. */
  readonly oneMs: number
  /** A pool of `jobs` workers. */
  readonly severalMs: number
}

/**
 * Times a pool of one worker and a pool of several one after the other, beginning with another one each round.
 * Each is opened for the round, so that it has seen nothing, and closed before the next one is opened. It is warmed
 * with the first half of the events, as often as it has workers: each is to have run as much code as the one.
 * Throws when a count of matches is not what one engine found.
 */
export async function timeJobsRound(trial: JobsBenchmark, number: number, answers: ExpectedCounts): Promise<JobsRound> {
  const times = { oneMs: 0, severalMs: 0 }
  const ways = [
    async () => void (times.oneMs = await timePool(trial, 1, answers)),
    async () => void (times.severalMs = await timePool(trial, trial.jobs, answers)),
  ]
  for (let i = 0; i < ways.length; i++) await ways[(number + i) % ways.length]!()
  return times
}

async function timePool(trial: JobsBenchmark, jobs: number, answers: ExpectedCounts): Promise<number> {
  const { sample, ruleSet, events, collectGarbage, now } = trial
  const pool = await openPool({ ruleSet, events, jobs })
  try {
    for (let pass = 0; pass < jobs; pass++) {
      checkCount(jobs, await countMatches(pool, copyBlocks(sample.seen)), answers.matchCount - answers.timedMatchCount)
    }
    const pieces = copyBlocks(sample.timed)
    collectGarbage()
    const startedAt = now()
    const count = await countMatches(pool, pieces)
    const ms = now() - startedAt
    checkCount(jobs, count, answers.timedMatchCount)
    return ms
  } finally {
    await pool.close()
  }
}

/** Copies: a pool keeps the memory of what is pushed, and the sample is needed again. */
function copyBlocks(blocks: readonly SampleBlock[]): Uint8Array[] {
  return blocks.map(({ bytes }) => new Uint8Array(bytes))
}

/** Pushes every piece as soon as there is room, and counts the matches. */
async function countMatches(pool: DetectionPool, pieces: readonly Uint8Array[]): Promise<number> {
  const counts: Promise<number>[] = []
  for (const piece of pieces) {
    await pool.waitForCapacity()
    counts.push(pool.push(piece).then(({ matches }) => matches.length))
  }
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

function checkCount(jobs: number, count: number, expectedCount: number): void {
  if (count === expectedCount) return
  const workers = jobs === 1 ? 'one worker' : `${jobs} workers`
  throw new Error(`${workers} found ${count} matches instead of ${expectedCount}`)
}
