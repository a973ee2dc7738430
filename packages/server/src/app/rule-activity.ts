import type { RuleHealth } from '@tripline/engine'
import type { TenantId } from '../domain/tenant.ts'
import type { RuleTotals } from '../pipeline/day-totals.ts'

export type { RuleHealth, RuleTotals }

/** What rules have done where they run; nothing where they do not. */
export type RuleActivity = {
  readonly totalsOf: (tenant: TenantId, ruleId: string) => RuleTotals
  readonly lastDayOf: (tenant: TenantId, ruleId: string) => RuleTotals
  /** How far events have come with each rule that runs, by id; correlations are not among them. */
  readonly healthOf: (tenant: TenantId) => ReadonlyMap<string, RuleHealth>
  /** What a rule costs; undefined where nobody measured it. */
  readonly costOf: (tenant: TenantId, ruleId: string) => RuleCostFigures | undefined
}

export type RuleCostFigures = {
  readonly nsPerEventP50: number
  readonly nsPerEventP99: number
  readonly cpuSharePercent: number
}
