import type { Rule } from '@tripline/model/rule'
import type { TenantId } from '@tripline/model/tenant'

/** Stores the rules of tenants. */
export type RuleStore = {
  /** Adds or replaces rules by id. */
  readonly put: (tenant: TenantId, rules: readonly Rule[]) => Promise<void>
  /** All rules of a tenant, by id. */
  readonly list: (tenant: TenantId) => Promise<readonly Rule[]>
  readonly get: (tenant: TenantId, id: string) => Promise<Rule | undefined>
}

/** The text of a rule under one of its versions. */
type RuleVersion = { readonly version: number; readonly definition: string; readonly savedAt: number }

/**
 * Reads what the texts of a tenant's own rules were: each saved version is kept, also after the rule is removed, because alerts
 * name the version that raised them. A built-in rule that the tenant did not change has no text of its own.
 */
export type RuleVersionStore = {
  readonly get: (tenant: TenantId, ruleId: string, version: number) => Promise<RuleVersion | undefined>
}
