import { compileRules } from '@tripline/engine'
import type {
  CompiledCorrelation,
  CompileOptions, CompiledRule, CorrelationOptions, EventOptions, RuleReport, RuleSet, RuleSource,
} from '@tripline/engine'
import { startPool } from '@tripline/pool'
import type { MatchDetails } from '@tripline/pool'
import type { Context } from '../framework/context.ts'
import type { ChunkMatcher } from './chunk-matcher.ts'
import { createInlineMatcher } from './inline-matcher.ts'
import { LineCorrelator } from './line-correlator.ts'
import { createParallelMatcher } from './parallel-matcher.ts'

type DetectorOptions = {
  readonly sources: readonly RuleSource[]
  readonly compile: CompileOptions
  readonly events: EventOptions
  /** The details of matches besides row and rule. Correlations always need the event. */
  readonly include: MatchDetails
  /** Threads that match, this thread included. */
  readonly jobs: number
  readonly correlation: CorrelationOptions
  /** When events arrived that state no credible time, in milliseconds since the epoch; as of the event before without it. */
  readonly receivedAt?: number | undefined
}

/** Compiled rules that match chunks of the input. */
export type ChunkDetector = ChunkMatcher & {
  /** The rules that compiled, by number. */
  readonly rules: readonly CompiledRule[]
  /** The correlation rules that compiled. */
  readonly correlations: readonly CompiledCorrelation[]
  readonly reports: readonly RuleReport[]
  /** Correlates the outcomes, in their order; undefined if there is no correlation rule. */
  readonly correlator: LineCorrelator | undefined
}

/** Compiles the rules, and runs them in this thread, with workers if there are several jobs. */
export function openDetector({ jobs, ...options }: DetectorOptions, context: Context): ChunkDetector {
  const { ruleSet, reports } = compileRules(options.sources, options.compile)
  // Threads match chunks in any order; the correlator gets the outcomes in input order.
  const correlator = createCorrelator(ruleSet, options)
  const match = { ruleSet, events: options.events, include: withEventText(correlator, options.include) }
  const matching = jobs === 1
    ? createInlineMatcher(match, context)
    : createParallelMatcher(startPool({ ...match, jobs: jobs - 1 }), match, context)
  return { ...matching, rules: ruleSet.rules, correlations: ruleSet.correlations, reports, correlator }
}

function createCorrelator(
  ruleSet: RuleSet, { correlation, events, receivedAt }: Omit<DetectorOptions, 'jobs'>,
): LineCorrelator | undefined {
  if (ruleSet.correlations.length === 0) return undefined
  return new LineCorrelator(ruleSet, { ...correlation, taxonomy: events.taxonomy ?? 'auto' }, receivedAt)
}

function withEventText(correlator: LineCorrelator | undefined, include: MatchDetails): MatchDetails {
  return correlator === undefined ? include : { ...include, text: true }
}
