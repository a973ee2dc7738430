import { setImmediate as otherRequestsFirst } from 'node:timers/promises'
import { Engine, RuleSet, compileRules, excessOf, explain } from '@tripline/engine'
import type { CompiledCorrelation, CompiledRule, EventObject, Explanation, RuleReport } from '@tripline/engine'
import { AppError } from '../domain/app-error.ts'
import type { TenantId } from '../domain/tenant.ts'
import { limits } from '../limits.ts'
import type { App } from './app.ts'
import { testCorrelation } from './correlation-test.ts'
import type { CorrelationUnderTest } from './correlation-test.ts'
import { findRule } from './rules.ts'

/** A rule to try, and the events to try it on. */
export type RuleTest = {
  /** A stored rule; undefined for one that is not stored yet. */
  readonly ruleId: string | undefined
  /** YAML text of one rule, tried in place of what is stored. */
  readonly definition: string | undefined
  readonly events: readonly EventObject[]
}

/** What a rule says of one event of a test. */
export type RuleTestResult = {
  readonly isMatch: boolean
  /** The comparisons that made it match, as D-16 prints them; none unless it matched. */
  readonly matchedConditions: readonly string[]
  /** Explains the verdict, anew at each call. */
  readonly explain: () => Explanation
}

/**
 * Events of a test are often typed by hand: one whose logsource cannot be told is tried as if it were the
 * rule's. One that is known to be of another logsource does not match.
 */
const eventOptions = { lenient: true } as const

/**
 * Tries a rule on events; nothing is kept or counted.
 *
 * @throws AppError NOT_FOUND for a rule that is not there; INVALID_RULE for a definition that does not compile;
 *   PAYLOAD_TOO_LARGE for a rule too large to be tried on so many events.
 */
export async function testRule(app: App, tenant: TenantId, test: RuleTest): Promise<RuleTestResult[]> {
  const rule = await ruleUnderTest(app, tenant, test)
  refuseExcess(test.events)
  if ('ruleSet' in rule) {
    const perEvent = rule.ruleSet.rules.reduce((sum, one) => sum + countComparisons(one.predicate, limits.ruleTest.comparisonsMax), 0)
    refuseHugeTest(perEvent, test.events.length)
    return testCorrelation(rule, test.events, eventOptions)
  }
  const comparisonCount = countComparisons(rule.predicate, limits.ruleTest.comparisonsMax)
  refuseHugeTest(comparisonCount, test.events.length)
  const engine = new Engine(new RuleSet([rule]), eventOptions)
  const eventsAtOnce = Math.max(1, Math.floor(limits.ruleTest.comparisonsAtOnceMax / comparisonCount))
  const results: RuleTestResult[] = []
  for (let start = 0; start < test.events.length; start += eventsAtOnce) {
    results.push(...tryEvents(engine, rule, test.events.slice(start, start + eventsAtOnce)))
    await otherRequestsFirst()
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

async function ruleUnderTest(
  app: App, tenant: TenantId, { ruleId, definition }: RuleTest,
): Promise<CompiledRule | CorrelationUnderTest> {
  const stored = ruleId === undefined ? undefined : await findRule(app, tenant, ruleId)
  const { ruleSet } = app
  if (definition !== undefined) return compileDefinition(definition, ruleSet)
  if (stored === undefined) throw new AppError('INVALID_BODY', "a rule that is not stored yet needs a 'definition'")
  const correlation = ruleSet.correlations.find(({ id }) => id === stored.id)
  return correlation === undefined ? ruleSet.get(stored.id)! : closure(correlation, ruleSet)
}

/**
 * Compiles the text of one rule. A correlation may bring the rules that it refers to, and may refer to the tenant's.
 *
 * @throws AppError INVALID_RULE with every problem of it.
 */
function compileDefinition(definition: string, among: RuleSet): CompiledRule | CorrelationUnderTest {
  const { ruleSet, reports } = compileRules([{ text: definition }], { among })
  const broken = reports.find(({ verdict }) => verdict !== 'compiled')
  if (broken !== undefined) throw invalidRule(broken)
  const outermost = ruleSet.correlations.filter(({ id }) => !ruleSet.correlations.some((other) => refersTo(other, id)))
  const [correlation] = outermost
  if (correlation !== undefined && outermost.length === 1) {
    return closure(correlation, among.changed({ put: [...ruleSet.rules, ...ruleSet.correlations] }))
  }
  const [rule] = ruleSet.rules
  if (reports.length === 1 && rule !== undefined) return rule
  const message = `a definition holds one rule, and this one holds ${reports.length}`
  throw new AppError('INVALID_RULE', message, { errors: [] })
}

function refersTo({ members }: CompiledCorrelation, id: string): boolean {
  return members.some(({ ruleId }) => ruleId === id)
}

/** A correlation with the rules that it refers to, and no others. */
function closure(rule: CompiledCorrelation, { rules, correlations }: RuleSet): CorrelationUnderTest {
  const needed = [rule]
  for (const one of needed) needed.push(...correlations.filter((other) => refersTo(one, other.id) && !needed.includes(other)))
  const named = new Set(needed.flatMap(({ members }) => members.map(({ ruleId }) => ruleId)))
  return { rule, ruleSet: new RuleSet(rules.filter(({ id }) => named.has(id)), { correlations: needed }) }
}

function invalidRule({ diagnostics, verdict }: RuleReport): AppError {
  const problems = diagnostics.filter(({ kind }) => kind !== 'lint')
  const message = problems[0]?.message ?? `the definition is ${verdict}`
  return new AppError('INVALID_RULE', message, {
    errors: problems.map(({ code, message: text, line, column, attribute: path, hint }) => {
      return { path, code, message: text, line, column, hint }
    }),
  })
}

/** A condition may name a selection of thousands of values thousands of times: that is counted before it is run. */
function refuseHugeTest(comparisonCount: number, eventCount: number): void {
  const limit = limits.ruleTest.comparisonsMax
  if (comparisonCount * eventCount <= limit) return
  const message = `a test makes at most ${limit} comparisons, and this rule needs more for ${eventCount} events`
  throw new AppError('PAYLOAD_TOO_LARGE', message, { limit_comparisons: limit })
}

/** What ingestion refuses is refused here too: the engine would look at a part of the event only. */
function refuseExcess(events: readonly EventObject[]): void {
  for (const [index, event] of events.entries()) {
    const excess = excessOf(event)
    if (excess !== undefined) throw new AppError('INVALID_BODY', `events.${index}: ${excess.message}`)
  }
}

/** The comparisons of a predicate, counted up to `max`: it may share parts and be far larger than its text. */
function countComparisons(predicate: CompiledRule['predicate'], max: number): number {
  if (predicate.kind === 'test' || predicate.kind === 'constant') return 1
  const parts = predicate.kind === 'and' || predicate.kind === 'or' ? predicate.of : [predicate.of]
  let count = 1
  for (const part of parts) {
    count += countComparisons(part, max - count)
    if (count > max) return count
  }
  return count
}
