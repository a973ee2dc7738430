import type { RuleBook } from './tenant-rules.ts'
import { membersOf } from './loaded-rule.ts'

/** Whether a correlation leads back to itself through the rules that it names. */
export function isInCircle({ all }: RuleBook, id: string): boolean {
  const correlations = new Map(all.correlations.map((correlation) => [correlation.id, correlation]))
  const reached = new Set(membersOf(correlations.get(id)))
  // A set goes on over what is added to it on the way.
  for (const one of reached) for (const member of membersOf(correlations.get(one))) reached.add(member)
  return reached.has(id)
}
