import type { Rule } from '../domain/rule.ts'
import type { TenantId } from '../domain/tenant.ts'
import { getRequiredFields } from '../rules/loaded-rule.ts'
import type { LoadedRule } from '../rules/loaded-rule.ts'
import type { TenantRules } from '../rules/tenant-rules.ts'
import type { App } from './app.ts'
import { getRuleHealth } from './rule-health.ts'
import type { RuleHealthReport } from './rule-health.ts'
import type { RuleCostFigures, RuleTotals } from './rule-stats.ts'
import { requireFound } from './version-conflict.ts'

/** How many alerts of a rule were what. */
export type VerdictCounts = { readonly truePositives: number; readonly falsePositives: number }

/** A rule with all that is known of it. */
export type RuleWithStats = {
  readonly rule: Rule
  readonly lastDay: RuleTotals
  readonly lastWeek: VerdictCounts
  readonly cost: RuleCostFigures | undefined
  readonly health: RuleHealthReport
  /** The fields without which it cannot match, and whether an event that it met had them. */
  readonly requiredFields: readonly { readonly field: string; readonly isSeen: boolean }[]
  /** The tests of its text, as they stand there. */
  readonly tests: readonly unknown[]
  readonly nowMs: number
}

/** A rule with what it did and how it does. @throws AppError NOT_FOUND. */
export async function getRule(app: App, tenant: TenantId, id: string): Promise<RuleWithStats> {
  const book = await app.ruleBooks.get(tenant)
  const loaded = requireRule(book, id)
  const nowMs = app.clock.now()
  const { lastDayOf, costOf, ...activity } = await app.activity.of(tenant)
  const health = activity.healthOf()
  const met = health.get(id)
  const missing = new Set(met?.missingFields)
  const isMet = (met?.metEvents ?? 0) > 0
  return {
    rule: loaded.rule,
    lastDay: lastDayOf(id),
    lastWeek: await countVerdictsSince(app, tenant, id, nowMs - weekMs),
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

/** The share of evaluations that were matches, to six decimals; 0 before the first (D-13). */
export function computeMatchRate({ evaluations, matches }: RuleTotals): number {
  return evaluations === 0 ? 0 : Math.round((matches / evaluations) * 1e6) / 1e6
}

function getRuleTests({ parts: [own] }: LoadedRule): readonly unknown[] {
  const tests = own?.rule.custom['tests']
  return Array.isArray(tests) ? tests : []
}

const weekMs = 604_800_000

/** How many alerts of a rule have a verdict and changed since a moment. */
async function countVerdictsSince({ state }: App, tenant: TenantId, ruleId: string, since: number): Promise<VerdictCounts> {
  const countOf = async (verdict: string): Promise<number> => {
    const conditions = { rule_id: ruleId, verdict }
    const equal = Object.entries(conditions).map(([field, value]) => ({ field, operator: 'eq', value }) as const)
    const filter = { and: [...equal, { field: 'updated_at', operator: 'gte', value: since } as const] }
    return (await state.alerts.list(tenant, { filter, sort: [], limit: 1 })).total.count
  }
  return { truePositives: await countOf('true_positive'), falsePositives: await countOf('false_positive') }
}
