import type { RuleHealth } from '@tripline/engine'
import type { RuleTotals } from './day-totals.ts'

/**
 * Adds to the health of rules what was counted in the last day before their engine began: a restart forgets how far events came with
 * a rule, and without this its first hours would say of every rule that no event has its log source.
 */
export function addLastDay(
  health: ReadonlyMap<string, RuleHealth>, lastDayOf: (ruleId: string) => RuleTotals,
): ReadonlyMap<string, RuleHealth> {
  return new Map(Array.from(health, ([id, one]) => [id, one.state === 'matched' ? one : addTotals(one, lastDayOf(id))]))
}

function addTotals(health: RuleHealth, { evaluations, matches }: RuleTotals): RuleHealth {
  if (matches > 0) return { ...health, state: 'matched', missingFields: [] }
  // How far these events came is not known any more.
  return evaluations > 0 && health.state === 'never_routed' ? { ...health, state: 'never_matched' } : health
}
