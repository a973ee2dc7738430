import { createCountError, createFilterRuleError, createInvalidRuleError } from '@tripline/detection/rules/rule-errors'
import { Engine, RuleSet, WorkBudget, compileRules, estimatePredicateWork, explain } from '@tripline/engine'
import type { CompiledCorrelation, CompiledRule, EventObject, RuleSource } from '@tripline/engine'
import { limits } from '../../../limits.ts'
import { addProcessPaths, describePathHint } from './process-path-hint.ts'
import { testCorrelation } from './correlation-test.ts'
import { getRuleClosure } from './rule-closure.ts'
import { checkTestCost, countRuleComparisons } from './rule-test-cost.ts'
import { countExplanationNodes } from './rule-test-result.ts'
import type { ExplainableResult, RuleTestResult } from './rule-test-result.ts'

/** A rule and the events to test it on; plain data, apart from the rule set. */
export type RuleTestRun = {
  /** YAML text of one rule; undefined for a rule of the rule set. */
  readonly definition: string | undefined
  /** The rule of the rule set to test. */
  readonly ruleId: string | undefined
  readonly filterSources: readonly RuleSource[]
  readonly events: readonly EventObject[]
  readonly isExplained: boolean
}

/** The conditions of a run. */
type RuleTestContext = {
  /** The tenant's rules, which a correlation may refer to. */
  readonly among: RuleSet
  /** The rules of `among` of which only id and name are known. */
  readonly isStub: (ruleId: string) => boolean
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
 * Test events are often typed by hand: one without a recognizable log source is tested as if it had the rule's. One of a
 * different log source does not match.
 */
const eventOptions = { lenient: true } as const

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
  const results = 'members' in rule
    ? testCorrelation({ rule, ruleSet }, run.events, eventOptions)
    : testDetection(rule, ruleSet, run.events)
  return { results: run.isExplained ? explainResults(results) : results.map((result) => omitExplanation(result)) }
}

function testDetection(rule: CompiledRule, ruleSet: RuleSet, events: readonly EventObject[]): ExplainableResult[] {
  const matches = new Engine(ruleSet, eventOptions).push(events).filter((match) => match.kind === 'detection')
  const conditionsByRow = new Map(matches.map(({ row, conditions }) => [row, conditions]))
  const hints = findPathHints(ruleSet, events.map((event, row) => (conditionsByRow.has(row) ? undefined : event)))
  return events.map((event, row) => ({
    ...(hints[row] !== undefined && { hint: hints[row] }),
    isMatch: conditionsByRow.has(row),
    matchedConditions: conditionsByRow.get(row) ?? [],
    explain: () => explain(rule, event, eventOptions).tree,
  }))
}

/** For each event that did not match, whether it would if its processes were named with a path. */
function findPathHints(ruleSet: RuleSet, events: readonly (EventObject | undefined)[]): readonly (string | undefined)[] {
  const named = events.map((event) => event && addProcessPaths(event))
  const rows = named.flatMap((event, row) => (event === undefined ? [] : [row]))
  if (rows.length === 0) return []
  const matches = new Engine(ruleSet, eventOptions).push(rows.map((row) => named[row]?.event ?? {}))
  const matching = new Set(matches.flatMap((match) => (match.kind === 'detection' ? rows[match.row] : [])))
  return named.map((one, row) => one && matching.has(row) ? describePathHint(one.field) : undefined)
}

function omitExplanation({ isMatch, matchedConditions, hint }: ExplainableResult): RuleTestResult {
  return { isMatch, matchedConditions, explanation: undefined, ...(hint !== undefined && { hint }) }
}

/** Explains results until a response holds enough nodes. */
function explainResults(results: readonly ExplainableResult[]): readonly RuleTestResult[] {
  let nodesLeft: number = limits.ruleTest.explanationNodesMax
  return results.map((result) => {
    if (nodesLeft <= 0) return omitExplanation(result)
    const explanation = result.explain()
    nodesLeft -= countExplanationNodes(explanation)
    return { ...omitExplanation(result), explanation }
  })
}

/** A compiled rule, and the rules that it refers to. */
type CompiledTest = { readonly rule: CompiledRule | CompiledCorrelation; readonly ruleSet: RuleSet }

/** A stored rule, unless indexing it takes more than the budget. */
function getStoredRule({ ruleId = '' }: RuleTestRun, { among, workMax }: RuleTestContext): CompiledTest | undefined {
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
  definition: string, { filterSources }: RuleTestRun, { among, workMax }: RuleTestContext,
): CompiledTest | undefined {
  const path = 'definition'
  const budget = new WorkBudget(workMax)
  const compiled = compileRules([{ path, text: definition, budget }, ...filterSources], { among })
  if (budget.isExceeded && workMax < limits.rules.compileWorkMax) return undefined
  const reports = compiled.reports.filter((report) => report.path === path)
  const broken = reports.find(({ verdict }) => verdict !== 'compiled')
  if (broken !== undefined) throw createInvalidRuleError(broken)
  const rules = compiled.ruleSet.rules.filter((rule) => rule.path === path)
  const correlations = compiled.ruleSet.correlations.filter((rule) => rule.path === path)
  const outermost = correlations.filter(({ id }) => !correlations.some((other) => refersTo(other, id)))
  const [correlation] = outermost
  if (correlation !== undefined && outermost.length === 1) {
    const ruleSetWithIt = among.applyChange({ put: [...rules, ...correlations] })
    return { rule: correlation, ruleSet: getRuleClosure(correlation.id, ruleSetWithIt) }
  }
  const [rule] = rules
  if (reports.length === 1 && rule !== undefined) return { rule, ruleSet: new RuleSet([rule]) }
  throw reports.length === 1 ? createFilterRuleError(definition) : createCountError(definition)
}

function refersTo({ members }: CompiledCorrelation, id: string): boolean {
  return members.some(({ ruleId }) => ruleId === id)
}
