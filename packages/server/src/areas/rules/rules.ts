import type { Runtime } from '@tripline/common/runtime'
import { getRequiredFields } from '@tripline/detection/rules/loaded-rule'
import type { LoadedRule } from '@tripline/detection/rules/loaded-rule'
import type { RuleRegistry } from '@tripline/detection/rules/rule-registry'
import type { TenantRules } from '@tripline/detection/rules/tenant-rules'
import type { Rule } from '@tripline/model/rule'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { requireFound } from '@tripline/state/ports/version-conflict'
import { getRuleHealth } from './rule-health.ts'
import type { RuleHealthReport } from './rule-health.ts'
import type { RuleCostFigures, RuleStats, RuleTotals } from './rule-stats.ts'

/** What reading rules needs of the server. */
export type RuleDeps = {
  readonly state: Pick<StateStore, 'alerts' | 'ruleVersions'>
  readonly ruleBooks: Pick<RuleRegistry, 'get'>
  readonly activity: RuleStats
  readonly clock: Pick<Runtime, 'now'>
}

/** Numbers of alerts of a rule by verdict. */
export type VerdictCounts = { readonly truePositives: number; readonly falsePositives: number }

/** A rule with its statistics, cost and health. */
export type RuleWithStats = {
  readonly rule: Rule
  readonly lastDay: RuleTotals
  readonly lastWeek: VerdictCounts
  readonly cost: RuleCostFigures | undefined
  readonly health: RuleHealthReport
  /** Fields without which it cannot match, and whether a routed event had them. */
  readonly requiredFields: readonly { readonly field: string; readonly isSeen: boolean }[]
  /** The tests in its text, unparsed. */
  readonly tests: readonly unknown[]
  readonly nowMs: number
}

/** The time of the recent verdicts on alerts of a rule. */
export const weekMs = 604_800_000

/** Gets a rule with its statistics and health. @throws AppError NOT_FOUND. */
export async function getRule(deps: RuleDeps, tenant: TenantId, id: string): Promise<RuleWithStats> {
  const book = await deps.ruleBooks.get(tenant)
  const loaded = requireRule(book, id)
  const nowMs = deps.clock.now()
  const { lastDayOf, costOf, ...activity } = await deps.activity.of(tenant)
  const health = activity.healthOf()
  const met = health.progress.get(id)
  const missing = new Set(met?.missingFields)
  const isMet = (met?.metEvents ?? 0) > 0
  return {
    rule: loaded.rule,
    lastDay: lastDayOf(id),
    lastWeek: await countVerdictsSince(deps, tenant, id, nowMs - weekMs),
    cost: costOf(id),
    health: getRuleHealth(loaded, book, health),
    requiredFields: getRequiredFields(loaded).map((field) => ({ field, isSeen: isMet && !missing.has(field) })),
    tests: getRuleTests(loaded),
    nowMs,
  }
}

/** @throws AppError NOT_FOUND. */
export function requireRule(book: TenantRules, id: string): LoadedRule {
  return requireFound(book.get(id), 'rule')
}

/** The share of evaluations that matched, to six decimals; 0 before the first. */
export function computeMatchRate({ evaluations, matches }: RuleTotals): number {
  return evaluations === 0 ? 0 : Math.round((matches / evaluations) * 1e6) / 1e6
}

function getRuleTests({ parts: [own] }: LoadedRule): readonly unknown[] {
  const tests = own?.rule.custom['tests']
  return Array.isArray(tests) ? tests : []
}

/** Counts alerts of a rule by verdict that changed since a time. */
async function countVerdictsSince(
  { state }: Pick<RuleDeps, 'state'>, tenant: TenantId, ruleId: string, since: number,
): Promise<VerdictCounts> {
  const countOf = async (verdict: string): Promise<number> => {
    const conditions = { rule_id: ruleId, verdict }
    const equal = Object.entries(conditions).map(([field, value]) => ({ field, operator: 'eq', value }) as const)
    const where = [...equal, { field: 'updated_at', operator: 'gte', value: since } as const]
    return (await state.alerts.list(tenant, { where, limit: 1 })).total.count
  }
  return { truePositives: await countOf('true_positive'), falsePositives: await countOf('false_positive') }
}
