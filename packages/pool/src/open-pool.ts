import { Worker } from 'node:worker_threads'
import type { RuleSet } from '@tripline/engine'
import { DetectionPool } from './detection-pool.ts'
import { limits } from './limits.ts'
import type { ChunkEventOptions, MatchDetails } from './match-chunk.ts'
import { PoolWorker } from './pool-worker.ts'
import type { WorkerSetup } from './protocol.ts'
import { toRuleMessage } from './rule-message.ts'

export type PoolOptions = {
  /** The rules to run. Correlations are skipped: they would have to see all chunks in order. */
  readonly ruleSet: RuleSet
  /** Options for reading events. */
  readonly events?: ChunkEventOptions
  /** The number of workers. */
  readonly jobs: number
  /** The details to include in matches besides row and rule. */
  readonly include?: MatchDetails
}

/**
 * Starts workers, sends each the compiled rules, and resolves once all are ready. The pool keeps the process alive until
 * it is closed.
 *
 * Rejects with a RangeError if `jobs` is not an integer from 1 to 64, with a TypeError for an option that does not exist,
 * and with an Error if a worker dies.
 */
export async function openPool(options: PoolOptions): Promise<DetectionPool> {
  return await waitUntilReady(startPool(options))
}

/** The same without waiting: chunks may be pushed at once; the pool's `ready` resolves when the workers start on them. */
export function startPool(options: PoolOptions): DetectionPool {
  return startPoolWith(options, startWorker)
}

/** The same with another way to start workers. */
export function startPoolWith(
  { ruleSet, events = {}, jobs, include = {}, ...others }: PoolOptions,
  start: (setup: WorkerSetup) => Worker,
): DetectionPool {
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new TypeError(`unknown option '${unknown}' of a pool; it takes ruleSet, events, jobs, include`)
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > limits.jobsMax) {
    throw new RangeError(`jobs is ${jobs}; a pool has 1 to ${limits.jobsMax} workers`)
  }
  const setup: WorkerSetup = { rules: ruleSet.rules.map(toRuleMessage), events, include }
  return new DetectionPool(Array.from({ length: jobs }, () => new PoolWorker(start(setup))))
}

/** Waits until the workers of a pool are ready; closes the pool if one of them dies before. */
export async function waitUntilReady(pool: DetectionPool): Promise<DetectionPool> {
  try {
    await pool.ready
    return pool
  } catch (error) {
    await pool.close()
    throw error
  }
}

function startWorker(setup: WorkerSetup): Worker {
  // In the repository the sources run directly; a published package is compiled.
  const module = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)
  // A worker must not inherit the program's own arguments, such as `--input-type` or `--eval`.
  return new Worker(module, { workerData: setup, execArgv: [] })
}
