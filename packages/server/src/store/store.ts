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

/** Which matches of a rule: from `from` on and before `to`, a page of them counted from 1. */
export type MatchQuery = {
  readonly ruleId: string
  readonly from: number | undefined
  readonly to: number | undefined
  readonly order: 'newest_first' | 'oldest_first'
  readonly page: number
  readonly size: number
}

export type MatchPage = {
  readonly matches: readonly RuleMatch[]
  /** How many there are on all pages. */
  readonly total: number
}
