import { Engine, compileRules } from '@tripline/engine'
import type { CompileOptions, CorrelationOptions, EventOptions, RuleReport, RuleSet, RuleSource } from '@tripline/engine'
import { headOf, matchPiece, openPool } from '@tripline/pool'
import type { PoolCounts, PoolOutcome, RuleHead, Wanted } from '@tripline/pool'
import type { Context } from './context.ts'
import { LineCorrelator } from './line-correlator.ts'

export type DetectorOptions = {
  readonly sources: readonly RuleSource[]
  readonly compile: CompileOptions
  readonly events: EventOptions
  /** What matches carry besides their row and rule; where there are correlations, their event in any case. */
  readonly wanted: Wanted
  readonly jobs: number
  readonly correlation: CorrelationOptions
}

/** Compiled rules that match pieces of the input, in this thread or in others. */
export type Detector = {
  /** The rules that compiled, by number. */
  readonly rules: readonly RuleHead[]
  readonly reports: readonly RuleReport[]
  /** Correlates the outcomes, in their order; undefined where no rule asks for it. */
  readonly correlator: LineCorrelator | undefined
  /** How many pieces may be pushed before the first is answered. */
  readonly outstandingMax: number
  readonly push: (bytes: Uint8Array) => Promise<PoolOutcome>
  readonly counts: () => PoolCounts
  readonly close: () => Promise<void>
}

/** Compiles the rules: here for one job, in that many workers for several. */
export async function openDetector(options: DetectorOptions, context: Context): Promise<Detector> {
  if (options.jobs === 1) return openHere(options, context)
  // Workers see pieces in any order; what correlates them sees all in theirs, and knows the rules as well.
  const ruleSet = options.sources.some(mayCorrelate) ? compileRules(options.sources, options.compile).ruleSet : undefined
  const correlator = correlatorOf(ruleSet, options)
  const pool = await openPool({ ...options, wanted: wantedFor(correlator, options.wanted) })
  return {
    rules: pool.rules,
    reports: pool.reports,
    correlator,
    outstandingMax: pool.outstandingMax,
    push: (bytes) => pool.push(bytes),
    counts: () => pool.counts,
    close: () => pool.close(),
  }
}

/** Whether a text may hold a correlation, also as an aggregation of old; to be wrong costs compiling it once more. */
function mayCorrelate({ text }: RuleSource): boolean {
  return /correlation["']?\s*:|\|\s*(?:count|sum|avg)\s*\(/i.test(text)
}

function openHere(options: DetectorOptions, { now }: Context): Detector {
  const { sources, compile, events } = options
  const { ruleSet, reports } = compileRules(sources, compile)
  const engine = new Engine(ruleSet, { ...events, correlation: false })
  const correlator = correlatorOf(ruleSet, options)
  const wanted = wantedFor(correlator, options.wanted)
  return {
    rules: ruleSet.rules.map(headOf),
    reports,
    correlator,
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

function correlatorOf(ruleSet: RuleSet | undefined, { correlation, events }: DetectorOptions): LineCorrelator | undefined {
  if (ruleSet === undefined || ruleSet.correlations.length === 0) return undefined
  return new LineCorrelator(ruleSet, { ...correlation, taxonomy: events.taxonomy ?? 'auto' })
}

function wantedFor(correlator: LineCorrelator | undefined, wanted: Wanted): Wanted {
  return correlator === undefined ? wanted : { ...wanted, text: true }
}
