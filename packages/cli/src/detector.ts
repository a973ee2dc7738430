import { Engine, compileRules } from '@tripline/engine'
import type { CompileOptions, EventOptions, RuleReport, RuleSource } from '@tripline/engine'
import { headOf, matchPiece, openPool } from '@tripline/pool'
import type { PoolCounts, PoolOutcome, RuleHead, Wanted } from '@tripline/pool'
import type { Context } from './context.ts'

export type DetectorOptions = {
  readonly sources: readonly RuleSource[]
  readonly compile: CompileOptions
  readonly events: EventOptions
  /** What matches carry besides their row and rule. */
  readonly wanted: Wanted
  readonly jobs: number
}

/** Compiled rules that match pieces of the input, in this thread or in others. */
export type Detector = {
  /** The rules that compiled, by number. */
  readonly rules: readonly RuleHead[]
  readonly reports: readonly RuleReport[]
  /** How many pieces may be pushed before the first is answered. */
  readonly outstandingMax: number
  readonly push: (bytes: Uint8Array) => Promise<PoolOutcome>
  readonly counts: () => PoolCounts
  readonly close: () => Promise<void>
}

/** Compiles the rules: here for one job, in that many workers for several. */
export async function openDetector(options: DetectorOptions, context: Context): Promise<Detector> {
  if (options.jobs === 1) return openHere(options, context)
  const pool = await openPool(options)
  return {
    rules: pool.rules,
    reports: pool.reports,
    outstandingMax: pool.outstandingMax,
    push: (bytes) => pool.push(bytes),
    counts: () => pool.counts,
    close: () => pool.close(),
  }
}

function openHere({ sources, compile, events, wanted }: DetectorOptions, { now }: Context): Detector {
  const { ruleSet, reports } = compileRules(sources, compile)
  const engine = new Engine(ruleSet, events)
  return {
    rules: ruleSet.rules.map(headOf),
    reports,
    outstandingMax: 1,
    async push(bytes) {
      const startedAt = now()
      const outcome = matchPiece(engine, bytes, wanted, events)
      return { ...outcome, matchMs: now() - startedAt }
    },
    counts: () => engine.counts,
    close: () => Promise.resolve(),
  }
}
