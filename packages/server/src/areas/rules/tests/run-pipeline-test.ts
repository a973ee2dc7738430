import { createInvalidRuleError, createRuleError } from '@tripline/detection/rules/rule-errors'
import { WorkBudget, compileRules } from '@tripline/engine'
import type { CorrelationRule, DetectionRule, RuleTransform } from '@tripline/engine'
import { compareRuleParts } from '@tripline/rule-tools'
import type { RulePartChange } from '@tripline/rule-tools'
import { limits } from '../../../limits.ts'
import { runRuleTest } from './run-rule-test.ts'
import type { RuleTestContext, RuleTestOutcome, RuleTestRun } from './run-rule-test.ts'
import type { RuleTestResult } from './rule-test-result.ts'

/** A rule text that is rewritten by pipelines, compared with itself before, and tried on events; plain data. */
export type PipelineTestRun = RuleTestRun & { readonly definition: string; readonly isCompared: true }

/** What pipelines make of a rule: why they refuse it, or the parts that differ and what the rewritten rule matches. */
export type PipelineTestResult = {
  readonly problem: string | undefined
  readonly changes: readonly RulePartChange[]
  readonly results: readonly RuleTestResult[]
}

export type PipelineTestOutcome = { readonly compared: PipelineTestResult } | Exclude<RuleTestOutcome, { readonly results: unknown }>

/**
 * Compares a rule with what pipelines make of it, and tries that on events.
 *
 * @throws AppError INVALID_RULE for a text that is not one rule; PAYLOAD_TOO_LARGE.
 */
export function runPipelineTest(run: PipelineTestRun, context: RuleTestContext): PipelineTestOutcome {
  const compared = compareRule(run.definition, context)
  if (compared === undefined) return { isTooCostly: true }
  const { problem, changes } = compared
  if (problem !== undefined || run.events.length === 0) return { compared: { problem, changes, results: [] } }
  const outcome = runRuleTest(run, context)
  return 'results' in outcome ? { compared: { problem, changes, results: outcome.results } } : outcome
}

type SomeRule = DetectionRule | CorrelationRule
type Rewritten = { readonly rule: SomeRule; readonly result: { readonly rule: SomeRule } | { readonly problem: string } }

/** Undefined where that takes more than the budget of the context, and that is smaller than the limit. */
function compareRule(
  definition: string, { among, rewriting, workMax }: RuleTestContext,
): Pick<PipelineTestResult, 'problem' | 'changes'> | undefined {
  const budget = new WorkBudget(workMax)
  const transform = rewriting?.createTransform(budget)
  const seen: Rewritten[] = []
  const observe = <Rule extends SomeRule, Result extends Rewritten['result']>(rule: Rule, result: Result): Result => {
    seen.push({ rule, result })
    return result
  }
  const observed: RuleTransform = {
    detection: (rule) => observe(rule, transform?.detection(rule) ?? { rule }),
    correlation: (rule, referenced) => observe(rule, transform?.correlation(rule, referenced) ?? { rule }),
  }
  const { reports } = compileRules([{ text: definition, budget }], { among, transform: observed })
  if (budget.isExceeded && workMax < limits.rules.compileWorkMax) return undefined
  const [first] = seen
  if (first !== undefined && 'problem' in first.result) return { problem: first.result.problem, changes: [] }
  const broken = reports.find(({ verdict }) => verdict !== 'compiled')
  if (broken !== undefined) throw createInvalidRuleError(broken)
  if (first === undefined || seen.length > 1 || !('rule' in first.result)) {
    throw createRuleError('a test takes one rule; test a correlation and the rules that it names one by one')
  }
  return { problem: undefined, changes: compareRuleParts(first.rule, first.result.rule).map(shorten) }
}

function shorten({ part, before, after }: RulePartChange): RulePartChange {
  const { partLengthMax: max } = limits.rulePipelines
  const cut = (text: string | undefined): string | undefined => text !== undefined && text.length > max ? `${text.slice(0, max)}…` : text
  return { part, before: cut(before), after: cut(after) }
}
