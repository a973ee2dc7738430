import { AppError } from '@tripline/contract/app-error'
import type { EventObject } from '@tripline/engine'
import type { TenantId } from '@tripline/model/tenant'
import { testRule } from './rule-test.ts'
import type { RuleTestDeps } from './rule-test.ts'

/** Lists the comparisons of a stored rule that hold for an event. */
type FindMatchedConditions = (tenant: TenantId, ruleId: string, event: EventObject) => Promise<readonly string[]>

/**
 * Creates a function that explains why a rule matched an event. The rule may have been changed or deleted since, and is then
 * explained as it is now, by nothing if it no longer holds; one that is too costly to be run again is not explained either.
 */
export function createConditionFinder(deps: RuleTestDeps): FindMatchedConditions {
  return async (tenant, ruleId, event) => {
    try {
      const [result] = await testRule(deps, tenant, { ruleId, definition: undefined, events: [event], isExplained: false })
      return result?.matchedConditions ?? []
    } catch (error) {
      if (error instanceof AppError) return []
      throw error
    }
  }
}
