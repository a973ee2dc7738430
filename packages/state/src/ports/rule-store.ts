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
