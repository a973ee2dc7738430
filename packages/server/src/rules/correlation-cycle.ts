import type { TenantRules } from './tenant-rules.ts'
import { getMemberIds } from './loaded-rule.ts'

/** Whether a correlation leads back to itself through the rules that it names. */
export function isInCycle({ all }: TenantRules, id: string): boolean {
  const correlations = new Map(all.correlations.map((correlation) => [correlation.id, correlation]))
  const reached = new Set(getMemberIds(correlations.get(id)))
  // A set goes on over what is added to it on the way.
  for (const one of reached) for (const member of getMemberIds(correlations.get(one))) reached.add(member)
  return reached.has(id)
}
