import { Engine } from '@tripline/engine'
import type { EventOptions, RuleSet, RuleSource } from '@tripline/engine'
import type { EventSample } from './event-sample.ts'

/** Compiled rules, and what they took. */
export type CompileMeasurement = {
  readonly ruleSet: RuleSet
  /** From texts in memory to a rule set, in milliseconds. */
  readonly compileMs: number
  /** Bytes that compiling left behind; undefined where the heap cannot be measured. */
  readonly compiledBytes: number | undefined
  /** The same after a pass over all events of the sample, with what the engine remembers of them. */
  readonly warmBytes: number | undefined
}

/** The process's own clock and heap. */
type ProcessMetrics = { readonly clock: () => number; readonly heapBytes: (() => number) | undefined }

type CompileTrial = {
  /** The texts of the rules; called once, so that no other reference keeps them alive when memory is measured. */
  readonly read: () => readonly RuleSource[]
  readonly compile: (sources: readonly RuleSource[]) => RuleSet
  readonly sample: EventSample
  readonly options: EventOptions
}

/** Compiles rules once, as a program does at its start, and measures time and memory. */
export function measureCompile(trial: CompileTrial, { clock, heapBytes }: ProcessMetrics): CompileMeasurement {
  const before = heapBytes?.()
  const { ruleSet, compileMs } = timeCompile(trial, clock)
  const compiled = heapBytes?.()
  const engine = new Engine(ruleSet, trial.options)
  for (const { bytes } of [...trial.sample.seen, ...trial.sample.timed]) engine.pushBytes(bytes)
  const warm = heapBytes?.()
  return {
    // Through the engine, so that it still holds what it remembers when the heap is measured.
    ruleSet: engine.ruleSet,
    compileMs,
    compiledBytes: computeGrowth(before, compiled),
    warmBytes: computeGrowth(before, warm),
  }
}

/** The texts are gone when this returns; what rules keep of them counts as memory of the rules. */
function timeCompile({ read, compile }: CompileTrial, clock: () => number): { ruleSet: RuleSet; compileMs: number } {
  const sources = read()
  const startedAt = clock()
  const ruleSet = compile(sources)
  return { ruleSet, compileMs: clock() - startedAt }
}

function computeGrowth(before: number | undefined, after: number | undefined): number | undefined {
  return before === undefined || after === undefined ? undefined : after - before
}
