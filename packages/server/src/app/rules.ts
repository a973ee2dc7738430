import { AppError } from '../domain/app-error.ts'
import { hasTactic, hasTechnique } from '../domain/attack.ts'
import { consoleLevels, levelRank } from '../domain/level.ts'
import type { ConsoleLevel } from '../domain/level.ts'
import type { Rule } from '../domain/rule.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { RuleTotals } from '../pipeline/day-totals.ts'
import type { MatchPage, MatchQuery } from '../store/store.ts'
import type { App } from './app.ts'

export type { RuleTotals }

/** A rule and what it has done. */
export type RuleWithTotals = { readonly rule: Rule; readonly totals: RuleTotals }

/** Which rules, in which order, which page of them. Several values of one filter mean any of them (G7). */
export type RuleQuery = {
  readonly levels: readonly ConsoleLevel[] | undefined
  readonly isEnabled: boolean | undefined
  readonly tactics: readonly string[] | undefined
  readonly techniques: readonly string[] | undefined
  /** Tactics or techniques. */
  readonly attack: readonly string[] | undefined
  readonly order: readonly { readonly field: RuleSortField; readonly direction: 'asc' | 'desc' }[]
  readonly page: number
  readonly size: number
}

/** Compares rules by each field that a list can be sorted by (decisions, Table 3.2). */
const comparisons = {
  title: (a, b) => compareTexts(a.rule.title, b.rule.title),
  level: (a, b) => levelRank[a.rule.level] - levelRank[b.rule.level],
  status: (a, b) => compareTexts(a.rule.maturity, b.rule.maturity),
  enabled: (a, b) => Number(a.rule.isEnabled) - Number(b.rule.isEnabled),
  updated_at: (a, b) => a.rule.updatedAt - b.rule.updatedAt,
  matches_total: (a, b) => a.totals.matches - b.totals.matches,
  match_rate: (a, b) => matchRate(a.totals) - matchRate(b.totals),
} satisfies { readonly [field: string]: (a: RuleWithTotals, b: RuleWithTotals) => number }

export type RuleSortField = keyof typeof comparisons

export function isRuleSortField(field: string): field is RuleSortField {
  return Object.hasOwn(comparisons, field)
}

export const ruleSortFields = Object.keys(comparisons).filter(isRuleSortField)

export type RulePage = { readonly rules: readonly RuleWithTotals[]; readonly total: number }

/** Lists a page of the rules that a query keeps, and how many it keeps in all. */
export async function listRules(app: App, tenant: TenantId, query: RuleQuery): Promise<RulePage> {
  const { totalsOf } = await app.pipeline.ruleTotals(tenant)
  const rules = (await app.rules.list(tenant))
    .filter((rule) => isKept(rule, query))
    .map((rule) => ({ rule, totals: totalsOf(rule.id) }))
    .sort((a, b) => compareRules(a, b, query.order))
  const start = (query.page - 1) * query.size
  return { rules: rules.slice(start, start + query.size), total: rules.length }
}

/** A rule and what it did in the last day. @throws AppError NOT_FOUND. */
export async function getRule(app: App, tenant: TenantId, id: string): Promise<{ rule: Rule; lastDay: RuleTotals }> {
  const rule = await findRule(app, tenant, id)
  const { lastDayOf } = await app.pipeline.ruleTotals(tenant)
  return { rule, lastDay: lastDayOf(id, app.clock.now()) }
}

/** A page of the matches of a rule. @throws AppError NOT_FOUND for a rule that is not there. */
export async function listMatches(app: App, tenant: TenantId, query: MatchQuery): Promise<MatchPage> {
  await findRule(app, tenant, query.ruleId)
  return await app.state.alerts.matches(tenant, query)
}

/** @throws AppError NOT_FOUND. */
export async function findRule(app: App, tenant: TenantId, id: string): Promise<Rule> {
  const rule = await app.rules.get(tenant, id)
  if (rule === undefined) throw new AppError('NOT_FOUND', 'there is no rule with this id')
  return rule
}

/** The share of evaluations that were matches, to six decimals; 0 before the first (D-13). */
export function matchRate({ evaluations, matches }: RuleTotals): number {
  return evaluations === 0 ? 0 : Math.round((matches / evaluations) * 1e6) / 1e6
}

function isKept(rule: Rule, { levels, isEnabled, tactics, techniques, attack }: RuleQuery): boolean {
  return (
    (levels?.includes(consoleLevels[rule.level]) ?? true) &&
    (isEnabled === undefined || rule.isEnabled === isEnabled) &&
    (tactics?.some((word) => hasTactic(rule.attack, word)) ?? true) &&
    (techniques?.some((word) => hasTechnique(rule.attack, word)) ?? true) &&
    (attack?.some((word) => hasTactic(rule.attack, word) || hasTechnique(rule.attack, word)) ?? true)
  )
}

/** By the fields asked for, then the newest first, then by id: an order without ties. */
function compareRules(a: RuleWithTotals, b: RuleWithTotals, order: RuleQuery['order']): number {
  for (const { field, direction } of order) {
    const difference = comparisons[field](a, b)
    if (difference !== 0) return direction === 'asc' ? difference : -difference
  }
  return b.rule.updatedAt - a.rule.updatedAt || compareTexts(a.rule.id, b.rule.id)
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
