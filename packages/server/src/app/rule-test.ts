import { setImmediate as othersFirst } from 'node:timers/promises'
import { Engine, RuleSet, compileRules, findEventExcess, explain } from '@tripline/engine'
import type { CompiledCorrelation, CompiledRule, EventObject } from '@tripline/engine'
import { AppError } from '../domain/app-error.ts'
import type { TenantId } from '../domain/tenant.ts'
import { limits } from '../limits.ts'
import { createCompileBudget } from '../rules/compile-definition.ts'
import { createInvalidRuleError, createRuleError } from '../rules/rule-errors.ts'
import type { TenantRules } from '../rules/tenant-rules.ts'
import type { App } from './app.ts'
import { testCorrelation } from './correlation-test.ts'
import type { CorrelationUnderTest } from './correlation-test.ts'
import { getRuleClosure } from './rule-closure.ts'
import { countRuleComparisons, checkTestCost } from './rule-test-cost.ts'
import type { RuleTestResult } from './rule-test-result.ts'
import { requireRule } from './rules.ts'

/** A rule to test, and the events to test it on. */
export type RuleTest = {
  /** A stored rule; undefined for a new one. */
  readonly ruleId: string | undefined
  /** YAML text of one rule, tested instead of the stored one. */
  readonly definition: string | undefined
  readonly events: readonly EventObject[]
}

/**
 * Test events are often typed by hand: one without a recognizable log source is tested as if it had the rule's. One of a
 * different log source does not match.
 */
const eventOptions = { lenient: true } as const

/**
 * Tests a rule on events; nothing is stored or counted.
 *
 * @throws AppError NOT_FOUND for an unknown rule; INVALID_RULE for a definition that does not compile; PAYLOAD_TOO_LARGE for
 *   a rule that is too large for so many events.
 */
export async function testRule(app: App, tenant: TenantId, test: RuleTest): Promise<RuleTestResult[]> {
  const rule = await loadRuleUnderTest(app, tenant, test)
  checkEventSizes(test.events)
  if ('ruleSet' in rule) {
    checkTestCost(countRuleComparisons(rule.ruleSet.rules), test.events.length)
    return testCorrelation(rule, test.events, eventOptions)
  }
  const comparisonCount = countRuleComparisons([rule])
  checkTestCost(comparisonCount, test.events.length)
  const engine = new Engine(new RuleSet([rule]), eventOptions)
  const eventsAtOnce = Math.max(1, Math.floor(limits.ruleTest.comparisonsAtOnceMax / comparisonCount))
  const results: RuleTestResult[] = []
  for (let start = 0; start < test.events.length; start += eventsAtOnce) {
    results.push(...tryEvents(engine, rule, test.events.slice(start, start + eventsAtOnce)))
    await othersFirst()
  }
  return results
}

function tryEvents(engine: Engine, rule: CompiledRule, events: readonly EventObject[]): RuleTestResult[] {
  const matches = engine.push(events).filter((match) => match.kind === 'detection')
  const conditionsByRow = new Map(matches.map(({ row, conditions }) => [row, conditions]))
  return events.map((event, row) => ({
    isMatch: conditionsByRow.has(row),
    matchedConditions: conditionsByRow.get(row) ?? [],
    explain: () => explain(rule, event, eventOptions).tree,
  }))
}

async function loadRuleUnderTest(
  app: App, tenant: TenantId, { ruleId, definition }: RuleTest,
): Promise<CompiledRule | CorrelationUnderTest> {
  const book = await app.ruleBooks.get(tenant)
  const stored = ruleId === undefined ? undefined : requireRule(book, ruleId)
  if (definition !== undefined) return compileText(definition, book)
  if (stored === undefined) throw new AppError('INVALID_BODY', "'definition' is required for a rule that is not stored")
  const [own] = stored.parts
  if (own === undefined) throw createRuleError(stored.problem ?? 'the rule does not compile')
  return 'members' in own ? { rule: own, ruleSet: getRuleClosure(own.id, book.all) } : own
}

/**
 * Compiles the text of one rule. A correlation may include the rules that it refers to, and may refer to the tenant's rules.
 *
 * @throws AppError INVALID_RULE with every problem.
 */
function compileText(definition: string, { all: among, library }: TenantRules): CompiledRule | CorrelationUnderTest {
  const path = 'definition'
  const compiled = compileRules([{ path, text: definition, budget: createCompileBudget() }, ...library.filterSources], { among })
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
  if (reports.length === 1 && rule !== undefined) return rule
  throw createRuleError(`a definition must hold one rule; this one holds ${reports.length}`)
}

function refersTo({ members }: CompiledCorrelation, id: string): boolean {
  return members.some(({ ruleId }) => ruleId === id)
}

/** Refuses events that ingest would refuse: the engine would only evaluate part of them. */
function checkEventSizes(events: readonly EventObject[]): void {
  for (const [index, event] of events.entries()) {
    const excess = findEventExcess(event)
    if (excess !== undefined) throw new AppError('INVALID_BODY', `events.${index}: ${excess.message}`)
  }
}
