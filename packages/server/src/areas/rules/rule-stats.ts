import type { Pipeline } from '../../detection/pipeline/pipeline.ts'
import type { RuleTotals } from '../../detection/tenants/day-totals.ts'
import type { RuleCostSampler } from '../../metrics/rule-cost-sampler.ts'
import type { TenantId } from '../../model/tenant.ts'
import type { RunningHealth } from './rule-health.ts'

export type { RuleTotals }

/** Statistics of rules that run; empty for others. */
export type RuleStats = { readonly of: (tenant: TenantId) => Promise<TenantRuleStats> }

export type TenantRuleStats = {
  readonly totalsOf: (ruleId: string) => RuleTotals
  readonly lastDayOf: (ruleId: string) => RuleTotals
  readonly healthOf: () => RunningHealth
  /** Measured cost of a rule; undefined if not measured. */
  readonly costOf: (ruleId: string) => RuleCostFigures | undefined
}

export type RuleCostFigures = {
  readonly nsPerEventP50: number
  readonly nsPerEventP99: number
  readonly cpuSharePercent: number
}

/** Creates rule statistics from the pipeline's counters and cost samples. */
export function createRuleStats(
  { pipeline, costs, now }: { readonly pipeline: Pipeline; readonly costs: RuleCostSampler; readonly now: () => number },
): RuleStats {
  return {
    async of(tenant) {
      const { getTotals: totalsOf, getLastDay } = await pipeline.ruleTotals(tenant)
      const progressOf = await pipeline.ruleHealth(tenant)
      return {
        totalsOf,
        healthOf: () => ({ progress: progressOf(), degraded: pipeline.getDegradedRules(tenant) }),
        lastDayOf: (ruleId) => getLastDay(ruleId, now()),
        costOf: (ruleId) => costs.getCost(tenant, ruleId),
      }
    },
  }
}
