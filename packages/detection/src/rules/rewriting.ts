import { compileRules } from '@tripline/engine'
import type { CompileOptions, RuleReport, RuleSource, RuleTransform, WorkBudget } from '@tripline/engine'
import { limits } from '../limits.ts'
import type { RulePart } from './loaded-rule.ts'

/** How the rules of a tenant are rewritten before they are compiled: its processing pipelines. */
export type RuleRewriting = {
  /** The texts of the pipelines, in the order in which they run: plain data, for another thread. */
  readonly texts: readonly string[]
  /** The values that they give to placeholders, by name. */
  readonly placeholders: { readonly [name: string]: readonly string[] }
  /** Makes the function for one compilation, which accounts for its work. */
  readonly createTransform: (budget: WorkBudget | undefined) => RuleTransform
}

/** What compiling many texts needs. */
export type SteppedCompilation = {
  readonly rewriting: RuleRewriting | undefined
  readonly filterSources: readonly RuleSource[]
  /** Bounds all texts together. */
  readonly budget: WorkBudget
  /** Lets others have their turn between two steps. */
  readonly othersFirst: () => Promise<void>
}

/** The parts of texts, and what became of each. */
type SteppedResult = {
  readonly parts: readonly RulePart[]
  readonly reports: readonly RuleReport[]
  /** The ids of rules of which pipelines changed what is shown and not compiled. */
  readonly relabelled: ReadonlySet<string>
}

/** Compiles texts that do not refer to each other in steps of some milliseconds, until the budget is exceeded. */
export async function compileInSteps(
  sources: readonly RuleSource[], { rewriting, filterSources, budget, othersFirst }: SteppedCompilation,
): Promise<SteppedResult> {
  const { rewriteStepWork, rewriteStepRulesMax } = limits.rules
  const parts: RulePart[] = []
  const reports: RuleReport[] = []
  const relabelled = new Set<string>()
  const observed = rewriting && observeLabels(rewriting.createTransform(budget), relabelled)
  let size = 1
  for (let next = 0; next < sources.length && !budget.isExceeded;) {
    const step = sources.slice(next, next + size)
    next += step.length
    const before = budget.spent
    const { ruleSet, reports: made } = compileRules([...step.map((source) => ({ ...source, budget })), ...filterSources], observed)
    const paths = new Set(step.map(({ path }) => path))
    const isOwn = ({ path }: { readonly path: string }): boolean => paths.has(path)
    parts.push(...ruleSet.correlations.filter(isOwn), ...ruleSet.rules.filter(isOwn))
    reports.push(...made.filter(isOwn))
    // What the last texts took says how many fit in the next step.
    size = Math.max(1, Math.min(rewriteStepRulesMax, Math.floor(rewriteStepWork * step.length / (budget.spent - before + 1))))
    await othersFirst()
  }
  return { parts, reports, relabelled }
}

/** Notes the rules of which a transformation changes the fields that they list or their own attributes. */
function observeLabels(transform: RuleTransform, ids: Set<string>): Pick<CompileOptions, 'transform' | 'onRule'> {
  const touched = new WeakSet<object>()
  return {
    transform: {
      ...transform,
      detection: (rule) => {
        const result = transform.detection(rule)
        const print = ({ fields, custom }: typeof rule): string => JSON.stringify([fields, custom])
        if ('rule' in result && print(result.rule) !== print(rule)) touched.add(result.rule)
        return result
      },
    },
    onRule: (id, rule) => {
      if (touched.has(rule)) ids.add(id)
    },
  }
}
