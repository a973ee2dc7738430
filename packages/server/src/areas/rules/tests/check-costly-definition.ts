import type { RuleRewriting } from '@tripline/detection/rules/rewriting'
import type { TenantRules } from '@tripline/detection/rules/tenant-rules'
import { WorkBudget, compileRules, estimateTextWork } from '@tripline/engine'
import type { RuleException } from '@tripline/model/rule'
import type { TenantId } from '@tripline/model/tenant'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { limits } from '../../../limits.ts'
import type { DefinitionCheck } from './check-definition.ts'
import type { FailedTest } from './embedded-rule-tests.ts'
import { runInRuleThread } from './run-in-rule-thread.ts'
import type { RuleTestThread } from './rule-test-thread.ts'
import type { CostlyChangeLimiter } from './costly-change-limiter.ts'

/** What checks costly rules: the thread that compiles and tests them, and the limit of how many are stored or run. */
export type CostlyRules = {
  readonly ruleTests: Pick<RuleTestThread, 'run'>
  readonly costlyChanges: Pick<CostlyChangeLimiter, 'record'>
}

/** A text of which the rules of a tenant are to be changed or tried. */
type CheckedText = { readonly rules: TenantRules; readonly definition: string; readonly exceptions: readonly RuleException[] }

/**
 * Checks a costly text in the worker thread, with its deadline: a text that is refused costs the main thread nothing, and
 * one that is accepted is compiled there once, in some tens of milliseconds. The thread cannot hand over what it compiled:
 * copying that takes as long. Returns the failed tests of the rule; undefined for a text of small cost, which is not
 * checked here.
 *
 * @throws AppError INVALID_RULE; PAYLOAD_TOO_LARGE; RATE_LIMITED when too many checks of the tenant wait,
 *   or at the limit of costly changes.
 */
export async function checkCostlyDefinition(
  { ruleTests, costlyChanges }: CostlyRules, tenant: TenantId, { rules, definition, exceptions }: CheckedText,
): Promise<readonly FailedTest[] | undefined> {
  const { filterSources, rewriting } = rules.library
  if (!isCostly(definition, exceptions, rewriting)) return undefined
  const task: DefinitionCheck = { definition, exceptions, filterSources, pipelines: rewriting?.texts ?? [] }
  const result = await runInRuleThread(ruleTests, tenant, { rules, task })
  if (!('failedTests' in result)) throw new Error('the thread of rule tests answered a check with something else')
  costlyChanges.record(tenant)
  // What waited meanwhile is served before the text is compiled.
  await othersFirst()
  return result.failedTests
}

/** Whether compiling a text takes more work units than are spent at once: counts them, at most that many. */
function isCostly(definition: string, exceptions: readonly RuleException[], rewriting: RuleRewriting | undefined): boolean {
  const budget = new WorkBudget(limits.ruleTest.inlineWorkMax)
  const texts = [definition, ...exceptions.map(({ detection }) => JSON.stringify(detection))]
  if (!texts.every((text) => budget.spend(estimateTextWork(text)))) return true
  const transform = rewriting?.createTransform(budget)
  compileRules([{ text: definition, budget }], transform && { transform })
  return budget.isExceeded
}
