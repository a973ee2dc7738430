import { setImmediate as otherRequestsFirst } from 'node:timers/promises'
import { Engine, RuleSet, compileRules, excessOf, explain } from '@tripline/engine'
import type { CompiledRule, EventObject, Explanation, RuleReport } from '@tripline/engine'
import { AppError } from '../domain/app-error.ts'
import type { TenantId } from '../domain/tenant.ts'
import { limits } from '../limits.ts'
import { streamOf } from './app.ts'
import type { App } from './app.ts'
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

async function ruleUnderTest(app: App, tenant: TenantId, { ruleId, definition }: RuleTest): Promise<CompiledRule> {
  const stored = ruleId === undefined ? undefined : await findRule(app, tenant, ruleId)
  if (definition !== undefined) return compileDefinition(definition)
  const rule = stored === undefined ? undefined : streamOf(app, tenant).compiledRules.get(stored.id)
  if (rule === undefined) throw new AppError('INVALID_BODY', "a rule that is not stored yet needs a 'definition'")
  return rule
}

/** Compiles the text of one rule. @throws AppError INVALID_RULE with every problem of it. */
function compileDefinition(definition: string): CompiledRule {
  const { ruleSet, reports } = compileRules([{ text: definition }])
  const [report, ...others] = reports
  if (report === undefined || others.length > 0) {
    throw new AppError('INVALID_RULE', `a definition holds one rule, and this one holds ${reports.length}`, { errors: [] })
  }
  const [rule] = ruleSet.rules
  if (rule === undefined) throw invalidRule(report)
  return rule
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
