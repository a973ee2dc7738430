import { AppError } from '@tripline/contract/app-error'
import type { TenantRules } from '@tripline/detection/rules/tenant-rules'
import type { TenantId } from '@tripline/model/tenant'
import { getRuleClosure } from '@tripline/rule-tools'
import { toPlainRule } from './rule-test-message.ts'
import type { RuleTask, RuleTestMessage, RuleTestReply } from './rule-test-message.ts'
import type { RuleTestThread } from './rule-test-thread.ts'

/** What the thread answers once it has all the rules that it needs, and no error. */
type RuleTaskResult = Exclude<RuleTestReply, { readonly error: unknown } | { readonly neededIds: unknown }>

/**
 * Runs a task in the thread; sends the stored rules that a correlation refers to once the thread has named them.
 *
 * @throws AppError as the task does; RATE_LIMITED when too many tasks of the tenant wait.
 */
export async function runInRuleThread(
  thread: Pick<RuleTestThread, 'run'>, tenant: TenantId, { rules, task }: { readonly rules: TenantRules; readonly task: RuleTask },
): Promise<RuleTaskResult> {
  const references = task.definition?.includes('correlation') === true ? listReferences(rules) : []
  let neededIds = 'ruleId' in task && task.definition === undefined && task.ruleId !== undefined ? [task.ruleId] : []
  for (;;) {
    const reply = await thread.run(tenant, { task, references, ...getStoredRules(rules, neededIds) })
    if ('error' in reply) throw new AppError(reply.error.code, reply.error.message, reply.error.details)
    if (!('neededIds' in reply)) return reply
    if (neededIds.length > 0) throw new Error('the thread of rule tests needs rules that it was sent')
    neededIds = [...reply.neededIds]
  }
}

function listReferences({ all }: TenantRules): RuleTestMessage['references'] {
  const correlations = all.correlations.map(({ id, rule }) => ({ id, name: rule.name, logsource: {} }))
  return [...all.rules.map(({ id, name, logsource }) => ({ id, name, logsource })), ...correlations]
}

/** The stored rules with these ids, and those that they refer to. */
function getStoredRules({ all }: TenantRules, ids: readonly string[]): Pick<RuleTestMessage, 'rules' | 'correlations'> {
  const closures = ids.map((id) => getRuleClosure(id, all))
  const rules = new Map(closures.flatMap((closure) => closure.rules.map((rule) => [rule.id, toPlainRule(rule)])))
  const correlations = new Map(closures.flatMap((closure) => closure.correlations.map((rule) => [rule.id, rule])))
  return { rules: [...rules.values()], correlations: [...correlations.values()] }
}
