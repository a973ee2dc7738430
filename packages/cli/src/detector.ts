import { Engine, compileRules } from '@tripline/engine'
import type {
  CompileOptions, CompiledRule, CorrelationOptions, EventOptions, RuleReport, RuleSet, RuleSource,
} from '@tripline/engine'
import { matchPiece, openPool } from '@tripline/pool'
import type { PoolCounts, PoolOutcome, Wanted } from '@tripline/pool'
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

/** Compiled rules that match pieces of the input. */
export type Detector = Matching & {
  /** The rules that compiled, by number. */
  readonly rules: readonly CompiledRule[]
  readonly reports: readonly RuleReport[]
  /** Correlates the outcomes, in their order; undefined where no rule asks for it. */
  readonly correlator: LineCorrelator | undefined
}

/** Where pieces are matched: in this thread or in others. */
type Matching = {
  /** How many pieces may be pushed before the first is answered. */
  readonly outstandingMax: number
  /** Memory for the next piece, which may be that of one pushed before. */
  readonly memory: (byteLength: number) => Uint8Array
  readonly push: (bytes: Uint8Array) => Promise<PoolOutcome>
  readonly counts: () => PoolCounts
  readonly close: () => Promise<void>
}

/** Compiles the rules, and runs them here for one job, in that many workers for several. */
export async function openDetector(options: DetectorOptions, context: Context): Promise<Detector> {
  const { ruleSet, reports } = compileRules(options.sources, options.compile)
  // Workers see pieces in any order; what correlates them sees all in theirs.
  const correlator = correlatorOf(ruleSet, options)
  const wanted = wantedFor(correlator, options.wanted)
  const matching = options.jobs === 1
    ? matchHere(ruleSet, { ...options, wanted }, context)
    : await matchInPool(ruleSet, { ...options, wanted })
  return { ...matching, rules: ruleSet.rules, reports, correlator }
}

function matchHere(ruleSet: RuleSet, { events, wanted }: DetectorOptions, { now }: Context): Matching {
  const engine = new Engine(ruleSet, { ...events, correlation: false })
  return {
    outstandingMax: 1,
    memory: reusedMemory(),
    async push(bytes) {
      const startedAt = now()
      const outcome = matchPiece(engine, bytes, wanted, events)
      return { ...outcome, matchMs: now() - startedAt }
    },
    counts: () => engine.counts,
    close: () => Promise.resolve(),
  }
}

/** One memory for all pieces: a piece is matched as soon as it is pushed, and nothing is kept of it. */
function reusedMemory(): (byteLength: number) => Uint8Array {
  let memory = new Uint8Array(0)
  return (byteLength) => {
    if (memory.length < byteLength) memory = new Uint8Array(2 * byteLength)
    return memory.subarray(0, byteLength)
  }
}

async function matchInPool(ruleSet: RuleSet, { events, wanted, jobs }: DetectorOptions): Promise<Matching> {
  const pool = await openPool({ ruleSet, events, jobs, wanted })
  return {
    outstandingMax: pool.outstandingMax,
    memory: (byteLength) => pool.memory(byteLength),
    push: (bytes) => pool.push(bytes),
    counts: () => pool.counts,
    close: () => pool.close(),
  }
}

function correlatorOf(ruleSet: RuleSet, { correlation, events }: DetectorOptions): LineCorrelator | undefined {
  if (ruleSet.correlations.length === 0) return undefined
  return new LineCorrelator(ruleSet, { ...correlation, taxonomy: events.taxonomy ?? 'auto' })
}

function wantedFor(correlator: LineCorrelator | undefined, wanted: Wanted): Wanted {
  return correlator === undefined ? wanted : { ...wanted, text: true }
}
