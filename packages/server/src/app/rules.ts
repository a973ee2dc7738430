import type { HealthState } from '@tripline/engine'
import { AppError } from '../domain/app-error.ts'
import { hasTactic, hasTechnique } from '../domain/attack.ts'
import { consoleLevels, levelRank } from '../domain/level.ts'
import type { ConsoleLevel } from '../domain/level.ts'
import { isRunning } from '../domain/rule.ts'
import type { Rule } from '../domain/rule.ts'
import type { TenantId } from '../domain/tenant.ts'
import { membersOf, requiredFieldsOf } from '../rules/loaded-rule.ts'
import type { LoadedRule } from '../rules/loaded-rule.ts'
import type { RuleBook } from '../rules/rule-book.ts'
import type { MatchPage, MatchQuery } from '../store/store.ts'
import type { App } from './app.ts'
import type { RuleCostFigures, RuleTotals } from './rule-activity.ts'

export type { RuleTotals }

/** A rule and what it has done. */
export type RuleWithTotals = {
  readonly rule: Rule
  readonly totals: RuleTotals
  readonly verdicts: VerdictCounts
  readonly cost: RuleCostFigures | undefined
}

/** How many alerts of a rule were what. */
export type VerdictCounts = { readonly truePositives: number; readonly falsePositives: number }

/** A rule with all that is known of it. */
export type RuleInDetail = {
  readonly rule: Rule
  readonly lastDay: RuleTotals
  readonly lastWeek: VerdictCounts
  readonly cost: RuleCostFigures | undefined
  readonly health: RuleStateOfHealth
  /** The fields without which it cannot match, and whether an event that it met had them. */
  readonly requiredFields: readonly { readonly field: string; readonly isSeen: boolean }[]
  /** The tests of its text, as they stand there. */
  readonly tests: readonly unknown[]
  readonly nowMs: number
}

/** How a rule does, and a sentence on it where something is wrong. */
export type RuleStateOfHealth = {
  readonly state: HealthState | 'not_running' | 'broken' | 'idle' | 'running'
  readonly problem: string | undefined
}

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

type SortedRule = Pick<RuleWithTotals, 'rule' | 'totals'>

/** Compares rules by each field that a list can be sorted by (decisions, Table 3.2). */
const comparisons = {
  title: (a, b) => compareTexts(a.rule.title, b.rule.title),
  level: (a, b) => levelRank[a.rule.level] - levelRank[b.rule.level],
  status: (a, b) => compareTexts(a.rule.maturity, b.rule.maturity),
  enabled: (a, b) => Number(isRunning(a.rule)) - Number(isRunning(b.rule)),
  updated_at: (a, b) => a.rule.updatedAt - b.rule.updatedAt,
  matches_total: (a, b) => a.totals.matches - b.totals.matches,
  match_rate: (a, b) => matchRate(a.totals) - matchRate(b.totals),
} satisfies { readonly [field: string]: (a: SortedRule, b: SortedRule) => number }

export type RuleSortField = keyof typeof comparisons

export function isRuleSortField(field: string): field is RuleSortField {
  return Object.hasOwn(comparisons, field)
}

export const ruleSortFields = Object.keys(comparisons).filter(isRuleSortField)

export type RulePage = { readonly rules: readonly RuleWithTotals[]; readonly total: number }

/** Lists a page of the rules that a query keeps, and how many it keeps in all. */
export async function listRules(app: App, tenant: TenantId, query: RuleQuery): Promise<RulePage> {
  const book = await app.ruleBooks.of(tenant)
  const rules = book.rules
    .filter(({ rule }) => isKept(rule, query))
    .map(({ rule }) => ({ rule, totals: app.activity.totalsOf(tenant, rule.id) }))
    .sort((a, b) => compareRules(a, b, query.order))
  const start = (query.page - 1) * query.size
  const page: RuleWithTotals[] = []
  for (const { rule, totals } of rules.slice(start, start + query.size)) {
    const { true_positive: truePositives, false_positive: falsePositives } = await app.state.alerts.verdicts(tenant, rule.id)
    page.push({ rule, totals, verdicts: { truePositives, falsePositives }, cost: app.activity.costOf(tenant, rule.id) })
  }
  return { rules: page, total: rules.length }
}

/** A rule with what it did and how it does. @throws AppError NOT_FOUND. */
export async function getRule(app: App, tenant: TenantId, id: string): Promise<RuleInDetail> {
  const book = await app.ruleBooks.of(tenant)
  const loaded = ruleIn(book, id)
  const nowMs = app.clock.now()
  const health = app.activity.healthOf(tenant, id)
  const missing = new Set(health?.missingFields)
  const isMet = (health?.metEvents ?? 0) > 0
  return {
    rule: loaded.rule,
    lastDay: app.activity.lastDayOf(tenant, id),
    lastWeek: await verdictsSince(app, tenant, id, nowMs - weekMs),
    cost: app.activity.costOf(tenant, id),
    health: healthOf(loaded, book, health?.state),
    requiredFields: requiredFieldsOf(loaded).map((field) => ({ field, isSeen: isMet && !missing.has(field) })),
    tests: testsOf(loaded),
    nowMs,
  }
}

/** A page of the matches of a rule. @throws AppError NOT_FOUND for a rule that is not there. */
export async function listMatches(app: App, tenant: TenantId, query: MatchQuery): Promise<MatchPage> {
  ruleIn(await app.ruleBooks.of(tenant), query.ruleId)
  return await app.matches.list(tenant, query)
}

/** @throws AppError NOT_FOUND. */
export function ruleIn(book: RuleBook, id: string): LoadedRule {
  const loaded = book.get(id)
  if (loaded === undefined) throw new AppError('NOT_FOUND', 'there is no rule with this id')
  return loaded
}

/** The share of evaluations that were matches, to six decimals; 0 before the first (D-13). */
export function matchRate({ evaluations, matches }: RuleTotals): number {
  return evaluations === 0 ? 0 : Math.round((matches / evaluations) * 1e6) / 1e6
}

function testsOf({ parts: [own] }: LoadedRule): readonly unknown[] {
  const tests = own?.rule.custom['tests']
  return Array.isArray(tests) ? tests : []
}

const weekMs = 604_800_000

/** How many alerts of a rule have a verdict and changed since a moment. */
async function verdictsSince({ state }: App, tenant: TenantId, ruleId: string, since: number): Promise<VerdictCounts> {
  const countOf = async (verdict: string): Promise<number> => {
    const conditions = { rule_id: ruleId, verdict }
    const equal = Object.entries(conditions).map(([field, value]) => ({ field, operator: 'eq', value }) as const)
    const filter = { and: [...equal, { field: 'updated_at', operator: 'gte', value: since } as const] }
    return (await state.alerts.list(tenant, { filter, sort: [], limit: 1 })).total.count
  }
  return { truePositives: await countOf('true_positive'), falsePositives: await countOf('false_positive') }
}

/** A correlation has no events of its own: it is idle where a rule that it names does not run. */
function healthOf(
  { rule, parts, problem }: LoadedRule, { running }: RuleBook, state: HealthState | undefined,
): RuleStateOfHealth {
  if (problem !== undefined) return { state: 'broken', problem }
  if (!isRunning(rule)) return { state: 'not_running', problem: undefined }
  const runningIds = new Set(running.correlations.map(({ id }) => id))
  const resting = membersOf(parts[0]).find((id) => running.get(id) === undefined && !runningIds.has(id))
  if (resting !== undefined) return { state: 'idle', problem: `the rule ${resting}, which it names, does not run` }
  return { state: state ?? 'running', problem: undefined }
}

function isKept(rule: Rule, { levels, isEnabled, tactics, techniques, attack }: RuleQuery): boolean {
  return (
    (levels?.includes(consoleLevels[rule.level]) ?? true) &&
    (isEnabled === undefined || isRunning(rule) === isEnabled) &&
    (tactics?.some((word) => hasTactic(rule.attack, word)) ?? true) &&
    (techniques?.some((word) => hasTechnique(rule.attack, word)) ?? true) &&
    (attack?.some((word) => hasTactic(rule.attack, word) || hasTechnique(rule.attack, word)) ?? true)
  )
}

/** By the fields asked for, then the newest first, then by id: an order without ties. */
function compareRules(a: SortedRule, b: SortedRule, order: RuleQuery['order']): number {
  for (const { field, direction } of order) {
    const difference = comparisons[field](a, b)
    if (difference !== 0) return direction === 'asc' ? difference : -difference
  }
  return b.rule.updatedAt - a.rule.updatedAt || compareTexts(a.rule.id, b.rule.id)
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
