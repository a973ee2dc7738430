import { RuleSet } from '@tripline/engine'
import type { CompiledCorrelation } from '@tripline/engine'

/** The transitive closure of rules: they and the rules that they refer to, directly or indirectly. */
export function getRuleClosure(of: string | readonly string[], { rules, correlations }: RuleSet): RuleSet {
  const byId = new Map(correlations.map((correlation) => [correlation.id, correlation]))
  const needed: CompiledCorrelation[] = []
  const ids = new Set(typeof of === 'string' ? [of] : of)
  // Iteration over a set includes elements added on the way.
  for (const one of ids) {
    const correlation = byId.get(one)
    if (correlation === undefined) continue
    needed.push(correlation)
    for (const { ruleId } of correlation.members) ids.add(ruleId)
  }
  return new RuleSet(rules.filter((rule) => ids.has(rule.id) && !byId.has(rule.id)), { correlations: needed })
}
