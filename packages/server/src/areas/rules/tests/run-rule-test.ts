import { createCountError, createFilterRuleError, createInvalidRuleError } from '@tripline/detection/rules/rule-errors'
import type { RuleRewriting } from '@tripline/detection/rules/rewriting'
import { WorkBudget, compileRules, estimatePredicateWork } from '@tripline/engine'
import type { EventObject, RuleSet, RuleSource } from '@tripline/engine'
import { findTriedRule, getRuleClosure, tryRule } from '@tripline/rule-tools'
import type { TrialResult, TriedRule } from '@tripline/rule-tools'
import { limits } from '../../../limits.ts'
import { checkTestCost, countRuleComparisons } from './rule-test-cost.ts'
import { countExplanationNodes } from './rule-test-result.ts'
import type { RuleTestResult } from './rule-test-result.ts'

/** A rule and the events to test it on; plain data, apart from the rule set. */
export type RuleTestRun = {
  /** YAML text of one rule; undefined for a rule of the rule set. */
  readonly definition: string | undefined
  /** The rule of the rule set to test. */
  readonly ruleId: string | undefined
  readonly filterSources: readonly RuleSource[]
  /** The texts of the pipelines of the tenant. */
  readonly pipelines: readonly string[]
  readonly events: readonly EventObject[]
  readonly isExplained: boolean
}

/** The conditions of a run. */
export type RuleTestContext = {
  /** The tenant's rules, which a correlation may refer to. */
  readonly among: RuleSet
  /** The rules of `among` of which only id, name and log source are known. */
  readonly isStub: (ruleId: string) => boolean
  /** What the pipelines make. */
  readonly rewriting: RuleRewriting | undefined
  /** Work units that compiling may take, and comparisons that the run may make. */
  readonly workMax: number
  readonly comparisonsMax: number
}

/**
 * The outcome of a run: the results; or the ids of the rules that the test needs whole; or that it is too costly, though
 * perhaps within the limits of a rule test.
 */
export type RuleTestOutcome =
  | { readonly results: readonly RuleTestResult[] }
  | { readonly neededIds: readonly string[] }
  | { readonly isTooCostly: true }

/**
 * Compiles a rule and tests it on events.
 *
 * @throws AppError INVALID_RULE; PAYLOAD_TOO_LARGE for a rule that is too large for so many events.
 */
export function runRuleTest(run: RuleTestRun, context: RuleTestContext): RuleTestOutcome {
  const compiled = run.definition === undefined ? getStoredRule(run, context) : compileText(run.definition, run, context)
  if (compiled === undefined) return { isTooCostly: true }
  const { rule, ruleSet } = compiled
  const neededIds = ruleSet.rules.map(({ id }) => id).filter(context.isStub)
  if (neededIds.length > 0) return { neededIds }
  const comparisonCount = countRuleComparisons(ruleSet.rules)
  checkTestCost(comparisonCount, run.events.length)
  if (comparisonCount * run.events.length > context.comparisonsMax) return { isTooCostly: true }
  const results = tryRule({ rule, ruleSet }, run.events)
  return { results: run.isExplained ? explainResults(results) : results.map((result) => omitExplanation(result)) }
}

function omitExplanation({ isMatch, matchedConditions, hint }: TrialResult): RuleTestResult {
  return { isMatch, matchedConditions, explanation: undefined, ...(hint !== undefined && { hint }) }
}

/** Explains results until a response holds enough nodes. */
function explainResults(results: readonly TrialResult[]): readonly RuleTestResult[] {
  let nodesLeft: number = limits.ruleTest.explanationNodesMax
  return results.map((result) => {
    if (nodesLeft <= 0) return omitExplanation(result)
    const explanation = result.explain()
    nodesLeft -= countExplanationNodes(explanation)
    return { ...omitExplanation(result), explanation }
  })
}

/** A stored rule, unless indexing it takes more than the budget. */
function getStoredRule({ ruleId = '' }: RuleTestRun, { among, workMax }: RuleTestContext): TriedRule | undefined {
  const ruleSet = getRuleClosure(ruleId, among)
  const rule = among.correlations.find(({ id }) => id === ruleId) ?? ruleSet.get(ruleId)
  if (rule === undefined) throw new Error(`the rule ${ruleId} is not in the rule set`)
  const work = ruleSet.rules.reduce((sum, { predicate }) => sum + estimatePredicateWork(predicate), 0)
  return work > workMax ? undefined : { rule, ruleSet }
}

/**
 * Compiles the text of one rule. A correlation may include the rules that it refers to, and may refer to the tenant's rules.
 * Undefined if that takes more than the budget of the context, and that is smaller than the limit.
 *
 * @throws AppError INVALID_RULE with every problem.
 */
function compileText(
  definition: string, { filterSources }: RuleTestRun, { among, rewriting, workMax }: RuleTestContext,
): TriedRule | undefined {
  const path = 'definition'
  const budget = new WorkBudget(workMax)
  const transform = rewriting?.createTransform(budget)
  const compiled = compileRules([{ path, text: definition, budget }, ...filterSources], { among, ...(transform && { transform }) })
  if (budget.isExceeded && workMax < limits.rules.compileWorkMax) return undefined
  const reports = compiled.reports.filter((report) => report.path === path)
  const broken = reports.find(({ verdict }) => verdict !== 'compiled')
  if (broken !== undefined) throw createInvalidRuleError(broken)
  const tried = findTriedRule(compiled.ruleSet, path, among)
  const isSingle = reports.length === 1 || (tried !== undefined && 'members' in tried.rule)
  if (tried !== undefined && isSingle) return tried
  throw reports.length === 1 ? createFilterRuleError(definition) : createCountError(definition)
}
