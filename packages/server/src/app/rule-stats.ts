import type { RuleHealth } from '@tripline/engine'
import type { TenantId } from '../domain/tenant.ts'
import type { RuleCostSampler } from '../metrics/rule-cost-sampler.ts'
import type { RuleTotals } from '../pipeline/day-totals.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'

export type { RuleHealth, RuleTotals }

/** What rules have done where they run; nothing where they do not. */
export type RuleStats = { readonly of: (tenant: TenantId) => Promise<TenantRuleStats> }

export type TenantRuleStats = {
  readonly totalsOf: (ruleId: string) => RuleTotals
  readonly lastDayOf: (ruleId: string) => RuleTotals
  /** How far events have come with each rule that runs, by id; correlations are not among them. */
  readonly healthOf: () => ReadonlyMap<string, RuleHealth>
  /** What a rule costs; undefined where nobody measured it. */
  readonly costOf: (ruleId: string) => RuleCostFigures | undefined
}

export type RuleCostFigures = {
  readonly nsPerEventP50: number
  readonly nsPerEventP99: number
  readonly cpuSharePercent: number
}

/** What rules have done since ever, as the pipeline counts it, and what they cost. */
export function createRuleStats(
  { pipeline, costs, now }: { readonly pipeline: Pipeline; readonly costs: RuleCostSampler; readonly now: () => number },
): RuleStats {
  return {
    async of(tenant) {
      const { getTotals: totalsOf, getLastDay } = await pipeline.ruleTotals(tenant)
      const healthOf = await pipeline.ruleHealth(tenant)
      return {
        totalsOf,
        healthOf,
        lastDayOf: (ruleId) => getLastDay(ruleId, now()),
        costOf: (ruleId) => costs.getCost(tenant, ruleId),
      }
    },
  }
}
