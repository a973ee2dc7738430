import { AppError } from '@tripline/contract/app-error'
import { checkTextWork } from '@tripline/detection/rules/compile-definition'
import type { RuleRegistry } from '@tripline/detection/rules/rule-registry'
import type { EventObject } from '@tripline/engine'
import type { TenantId } from '@tripline/model/tenant'
import { limits } from '../../../limits.ts'
import type { CostlyRules } from '../tests/check-costly-definition.ts'
import { checkEventSizes } from '../tests/rule-test.ts'
import { runInRuleThread } from '../tests/run-in-rule-thread.ts'
import { runPipelineTest } from '../tests/run-pipeline-test.ts'
import type { PipelineTestResult } from '../tests/run-pipeline-test.ts'
import { createRewriting } from './create-rewriting.ts'

type PipelineTestDeps = { readonly ruleBooks: Pick<RuleRegistry, 'get'>; readonly costlyRules: Pick<CostlyRules, 'ruleTests'> }

/** A rule text, the pipelines to rewrite it with (default those that run), and events to try it on. */
type PipelineTest = {
  readonly definition: string
  readonly pipelines: readonly string[] | undefined
  readonly events: readonly EventObject[]
}

/**
 * Shows what pipelines make of a rule; nothing is stored. A test of small cost runs at once, any other in the thread of rule tests.
 *
 * @throws AppError INVALID_PARAMETER for a text that is no pipeline, INVALID_RULE, PAYLOAD_TOO_LARGE, RATE_LIMITED.
 */
export async function testPipelines(
  { ruleBooks, costlyRules }: PipelineTestDeps, tenant: TenantId, { definition, pipelines, events }: PipelineTest,
): Promise<PipelineTestResult> {
  checkTextWork(definition)
  checkEventSizes(events)
  const { totalLengthMax } = limits.rulePipelines
  if ((pipelines ?? []).reduce((sum, text) => sum + text.length, 0) > totalLengthMax) {
    throw new AppError('INVALID_PARAMETER', `'pipelines' have more than ${totalLengthMax} characters together`, { parameter: 'pipelines' })
  }
  const rules = await ruleBooks.get(tenant)
  const { filterSources, rewriting } = rules.library
  const texts = pipelines ?? rewriting?.texts ?? []
  const task = { isCompared: true, definition, ruleId: undefined, filterSources, pipelines: texts, events, isExplained: false } as const
  const { inlineWorkMax: workMax, comparisonsAtOnceMax: comparisonsMax } = limits.ruleTest
  if (pipelines === undefined || texts.join('').length <= limits.rulePipelines.inlineLengthMax) {
    const own = pipelines === undefined ? rewriting : createRewriting(texts)
    const outcome = runPipelineTest(task, { among: rules.all, rewriting: own, isStub: () => false, workMax, comparisonsMax })
    if ('compared' in outcome) return outcome.compared
  }
  const result = await runInRuleThread(costlyRules.ruleTests, tenant, { rules, task })
  if ('compared' in result) return result.compared
  throw new Error('the thread of rule tests answered a test of pipelines with something else')
}
