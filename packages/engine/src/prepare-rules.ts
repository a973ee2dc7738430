import { prepareRuleCosts } from './costs/rule-costs.ts'
import type { RuleSet } from './rule-set.ts'
import { prepareIndexes } from './run/prepare-indexes.ts'
import type { WorkSteps } from './step-work.ts'

/**
 * Does ahead what an engine does once for its rules, in steps, for those who share a thread with others: the indexes that
 * its first events need, and what its costs tell of each rule. An engine does at once what is missing, which takes most of
 * a second for thousands of rules. Rules that are prepared already take no steps.
 */
export function* prepareRules(ruleSet: RuleSet): WorkSteps<undefined> {
  yield* prepareIndexes(ruleSet)
  yield* prepareRuleCosts(ruleSet)
  return undefined
}
