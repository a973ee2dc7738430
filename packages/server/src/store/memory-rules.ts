import type { Rule } from '../domain/rule.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { RuleStore } from './store.ts'

/** A rule store in memory; it ends with the process. */
export function memoryRules(): RuleStore {
  const rulesOf = new Map<TenantId, Map<string, Rule>>()
  return {
    async put(tenant, rules) {
      const known = rulesOf.get(tenant) ?? new Map<string, Rule>()
      rulesOf.set(tenant, known)
      for (const rule of rules) known.set(rule.id, rule)
    },
    async list(tenant) {
      const rules = [...(rulesOf.get(tenant)?.values() ?? [])]
      return rules.sort((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)))
    },
    async get(tenant, id) {
      return rulesOf.get(tenant)?.get(id)
    },
  }
}
