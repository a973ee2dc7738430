import type { Clock } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import { checkTextWork, toExceptionSources } from '@tripline/detection/rules/compile-definition'
import { createRuleError } from '@tripline/detection/rules/rule-errors'
import type { RuleRegistry } from '@tripline/detection/rules/rule-registry'
import type { TenantRules } from '@tripline/detection/rules/tenant-rules'
import { findEventExcess } from '@tripline/engine'
import type { EventObject, RuleSource } from '@tripline/engine'
import type { TenantId } from '@tripline/model/tenant'
import { limits } from '../../../limits.ts'
import type { CostlyRules } from './check-costly-definition.ts'
import { runInRuleThread } from './run-in-rule-thread.ts'
import type { RuleTestResult } from './rule-test-result.ts'
import { runRuleTest } from './run-rule-test.ts'
import type { RuleTestRun } from './run-rule-test.ts'
import { requireRule } from '../rules.ts'

/** What rule tests need of the server. */
export type RuleTestDeps = {
  readonly ruleBooks: Pick<RuleRegistry, 'get'>
  readonly costlyRules: Pick<CostlyRules, 'ruleTests'>
  readonly clock: Pick<Clock, 'now'>
}

/** A rule to test, and the events to test it on. */
type RuleTest = {
  /** A stored rule; undefined for a new one. */
  readonly ruleId: string | undefined
  /** YAML text of one rule, tested instead of the stored one, with the exceptions of that. */
  readonly definition: string | undefined
  readonly events: readonly EventObject[]
  readonly isExplained: boolean
}

/**
 * Tests a rule on events; nothing is stored or counted. A test of small cost runs at once, any other in a worker thread with
 * a deadline, so that other requests are served meanwhile.
 *
 * @throws AppError NOT_FOUND for an unknown rule; INVALID_RULE for a definition that does not compile or takes too long;
 *   PAYLOAD_TOO_LARGE for a rule that is too large for so many events; RATE_LIMITED when too many tests of the tenant wait.
 */
export async function testRule(deps: RuleTestDeps, tenant: TenantId, test: RuleTest): Promise<readonly RuleTestResult[]> {
  const rules = await deps.ruleBooks.get(tenant)
  const run = prepareRun(rules, test, deps.clock.now())
  checkEventSizes(test.events)
  return await runTest(deps, tenant, { rules, run })
}

async function runTest(
  deps: RuleTestDeps, tenant: TenantId, { rules, run }: { readonly rules: TenantRules; readonly run: RuleTestRun },
): Promise<readonly RuleTestResult[]> {
  const { inlineWorkMax: workMax, comparisonsAtOnceMax: comparisonsMax } = limits.ruleTest
  const outcome = runRuleTest(run, { among: rules.all, rewriting: rules.library.rewriting, isStub: () => false, workMax, comparisonsMax })
  if ('results' in outcome) return outcome.results
  const result = await runInRuleThread(deps.costlyRules.ruleTests, tenant, { rules, task: run })
  if ('results' in result) return result.results
  throw new Error('the thread of rule tests refused a test within its limits')
}

function prepareRun(rules: TenantRules, { ruleId, definition, events, isExplained }: RuleTest, nowMs: number): RuleTestRun {
  const stored = ruleId === undefined ? undefined : requireRule(rules, ruleId)
  if (definition !== undefined) checkTextWork(definition)
  else if (stored === undefined) throw new AppError('INVALID_BODY', "'definition' is required for a rule that is not stored")
  else if (stored.parts[0] === undefined) throw createRuleError(stored.problem ?? 'the rule does not compile')
  const exceptions = stored?.rule.exceptions.filter(({ expiresAt }) => expiresAt > nowMs) ?? []
  const exceptionSources = stored === undefined ? [] : toExceptionSources(stored.parts, exceptions)
  const { filterSources, rewriting } = rules.library
  const pipelines = rewriting?.texts ?? []
  return { definition, ruleId, filterSources: [...filterSources, ...exceptionSources], pipelines, events, isExplained }
}

/** Whether each event is matched by the text of a stored rule with its exceptions in force and some more; as `testRule` runs it. */
export async function testRuleText(
  deps: RuleTestDeps, tenant: TenantId,
  { rules, ruleId, events, exceptionSources }: {
    readonly rules: TenantRules
    readonly ruleId: string
    readonly events: readonly EventObject[]
    readonly exceptionSources: readonly RuleSource[]
  },
): Promise<readonly boolean[]> {
  const { definition } = requireRule(rules, ruleId).rule
  const run = prepareRun(rules, { ruleId, definition, events, isExplained: false }, deps.clock.now())
  const results = await runTest(deps, tenant, { rules, run: { ...run, filterSources: [...run.filterSources, ...exceptionSources] } })
  return results.map(({ isMatch }) => isMatch)
}

/** Refuses events that ingest would refuse: the engine would only evaluate part of them. */
export function checkEventSizes(events: readonly EventObject[]): void {
  for (const [index, event] of events.entries()) {
    const excess = findEventExcess(event)
    if (excess !== undefined) throw new AppError('INVALID_BODY', `events.${index}: ${excess.message}`)
  }
}
