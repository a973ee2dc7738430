import type { RuleMatch } from '../domain/match.ts'
import type { Rule } from '../domain/rule.ts'
import type { TenantId } from '../domain/tenant.ts'

/** Keeps the rules of tenants. */
export type RuleStore = {
  /** Adds rules; one whose id the tenant has already replaces it. */
  readonly put: (tenant: TenantId, rules: readonly Rule[]) => Promise<void>
  /** All rules of a tenant, by id. */
  readonly list: (tenant: TenantId) => Promise<readonly Rule[]>
  readonly get: (tenant: TenantId, id: string) => Promise<Rule | undefined>
}

/** Keeps the matches of tenants. */
export type MatchStore = {
  /** Adds matches. One whose id is there already changes nothing, so a batch may be handed over again. */
  readonly insert: (tenant: TenantId, matches: readonly RuleMatch[]) => Promise<void>
}
