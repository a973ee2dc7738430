import { prepareRules } from '@tripline/engine'
import type { RuleSet } from '@tripline/engine'
import type { TenantId } from '@tripline/model/tenant'
import type { FairTurns } from './fair-turns.ts'

/** How turns are asked for, and their clock. */
type Turns = Pick<FairTurns, 'next' | 'elapsedMs'>

/** Builds the indexes of a tenant's rules in turns; those that are built already take none. */
export async function prepareRuleSet(turns: Turns, tenant: TenantId, ruleSet: RuleSet): Promise<void> {
  let turnEndsMs = -Infinity
  for (const _units of prepareRules(ruleSet)) {
    if (turns.elapsedMs() < turnEndsMs) continue
    // A stage, and with it other tenants, or a request waits for the rules.
    const turnMs = await turns.next(`rules of ${tenant}`, [tenant], true)
    turnEndsMs = turns.elapsedMs() + turnMs
  }
}
