import type { TenantRules } from './tenant-rules.ts'
import { getMemberIds } from './loaded-rule.ts'

/** Whether a correlation refers back to itself through its members. */
export function isInCycle({ all }: TenantRules, id: string): boolean {
  const correlations = new Map(all.correlations.map((correlation) => [correlation.id, correlation]))
  const reached = new Set(getMemberIds(correlations.get(id)))
  // Iterating over a set includes the members added meanwhile.
  for (const one of reached) for (const member of getMemberIds(correlations.get(one))) reached.add(member)
  return reached.has(id)
}
