import type { Pipeline } from '@tripline/detection/pipeline/pipeline'
import type { RuleTotals } from '@tripline/detection/tenants/day-totals'
import { getBucketStart, resolutions } from '@tripline/model/metric'
import type { TenantId } from '@tripline/model/tenant'
import { limits } from '../../limits.ts'
import { getLast24hCounts } from '../../metrics/last-24h-counts.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { RunningHealth } from './rule-health.ts'

export type { RuleTotals }

/** Statistics of rules that run; empty for others. */
export type RuleStats = {
  readonly of: (tenant: TenantId) => Promise<TenantRuleStats>
  /** Counts alerts by rule in the last 24 hours. */
  readonly countAlerts: (tenant: TenantId) => Promise<ReadonlyMap<string, number>>
  /** Counts matches by rule in the last 30 days, to the hour. */
  readonly countMatches: (tenant: TenantId) => Promise<ReadonlyMap<string, number>>
}

export type TenantRuleStats = {
  readonly totalsOf: (ruleId: string) => RuleTotals
  readonly lastDayOf: (ruleId: string) => RuleTotals
  /** The matches in each of the last 24 clock hours, oldest first. */
  readonly hourlyMatchesOf: (ruleId: string) => readonly number[]
  readonly healthOf: () => RunningHealth
  /** Measured cost of a rule; undefined if not measured. */
  readonly costOf: (ruleId: string) => RuleCostFigures | undefined
}

export type RuleCostFigures = {
  readonly nsPerEventP50: number
  readonly nsPerEventP99: number
  readonly cpuSharePercent: number
}

/** The pipeline's counters, and the measured costs and counts. */
type RuleStatsDeps = {
  readonly pipeline: Pick<Pipeline, 'getDegradedRules' | 'ruleHealth' | 'ruleTotals'>
  readonly metrics: Pick<Metrics, 'clock' | 'costs' | 'recorder' | 'store'>
}

/** How far back matches are counted by rule. */
const matchesMs = 30 * 86_400_000

/** Creates rule statistics from the pipeline's counters and cost samples. */
export function createRuleStats({ pipeline, metrics }: RuleStatsDeps): RuleStats {
  return {
    async countAlerts(tenant) {
      const sums = await getLast24hCounts({ metrics }, tenant, { name: 'rule_alerts', limit: limits.metrics.labelsMax })
      return new Map(sums.map(({ label, sum }) => [label, sum]))
    },
    async countMatches(tenant) {
      const { recorder, store, clock } = metrics
      await recorder.refresh(tenant)
      const to = clock.now() + 1
      const from = getBucketStart(to - matchesMs, resolutions.hour)
      const sums = await store.sums(tenant, { name: 'rule_matches', resolution: 'hour', from, to, limit: limits.metrics.labelsMax })
      return new Map(sums.map(({ label, sum }) => [label, sum]))
    },
    async of(tenant) {
      const { getTotals: totalsOf, getLastDay, getHourlyMatches } = await pipeline.ruleTotals(tenant)
      const progressOf = await pipeline.ruleHealth(tenant)
      return {
        totalsOf,
        healthOf: () => ({ progress: progressOf(), degraded: pipeline.getDegradedRules(tenant) }),
        lastDayOf: (ruleId) => getLastDay(ruleId, metrics.clock.now()),
        hourlyMatchesOf: (ruleId) => getHourlyMatches(ruleId, metrics.clock.now()),
        costOf: (ruleId) => metrics.costs.getCost(tenant, ruleId),
      }
    },
  }
}
