import { Worker } from 'node:worker_threads'
import type { EventOptions, RuleSet } from '@tripline/engine'
import { DetectionPool } from './detection-pool.ts'
import { limits } from './limits.ts'
import type { MatchDetails } from './match-chunk.ts'
import { PoolWorker } from './pool-worker.ts'
import type { WorkerSetup } from './protocol.ts'
import { toRuleMessage } from './rule-message.ts'

export type PoolOptions = {
  /** What is run, but for its correlations: those would have to see all pieces in order. */
  readonly ruleSet: RuleSet
  /** How events are read. */
  readonly events?: EventOptions
  /** How many workers. */
  readonly jobs: number
  /** What matches carry besides their row and rule. */
  readonly wanted?: MatchDetails
}

/**
 * Starts workers, hands each the compiled rules, and resolves once all are ready. The pool keeps the process alive
 * until it is closed.
 *
 * Throws a RangeError when `jobs` is no whole number from 1 to 64; rejects when a worker dies.
 */
export async function openPool(options: PoolOptions): Promise<DetectionPool> {
  return await waitUntilReady(startPool(options))
}

/** The same without waiting: pieces may be pushed at once, and `ready` of the pool tells when they are taken up. */
export function startPool(options: PoolOptions): DetectionPool {
  return startPoolWith(options, startWorker)
}

/** The same over workers that are started in another way. */
export function startPoolWith(
  { ruleSet, events = {}, jobs, wanted = {} }: PoolOptions,
  start: (setup: WorkerSetup) => Worker,
): DetectionPool {
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > limits.jobsMax) {
    throw new RangeError(`jobs is ${jobs}; a pool has 1 to ${limits.jobsMax} workers`)
  }
  const setup: WorkerSetup = { rules: ruleSet.rules.map(toRuleMessage), events, wanted }
  return new DetectionPool(Array.from({ length: jobs }, () => new PoolWorker(start(setup))))
}

/** A pool whose workers are ready; closes it if one of them dies before. */
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
  // The sources run as they are, and a published package is compiled.
  const module = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)
  // How the program was started (`--input-type`, `--eval`) is not how a worker is.
  return new Worker(module, { workerData: setup, execArgv: [] })
}
