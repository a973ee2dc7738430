import { hasTactic, hasTechnique } from '../domain/attack.ts'
import { consoleLevels, levelRank } from '../domain/level.ts'
import type { ConsoleLevel } from '../domain/level.ts'
import { isRunning } from '../domain/rule.ts'
import type { Rule } from '../domain/rule.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { App } from './app.ts'
import type { RuleCostFigures, RuleTotals } from './rule-activity.ts'
import { healthOf } from './rule-health.ts'
import type { RuleStateOfHealth } from './rule-health.ts'
import { matchRate } from './rules.ts'
import type { VerdictCounts } from './rules.ts'

/** A rule and what it has done. */
export type RuleWithTotals = {
  readonly rule: Rule
  readonly totals: RuleTotals
  readonly verdicts: VerdictCounts
  readonly cost: RuleCostFigures | undefined
}

/** What of a rule a list can be narrowed by, whole words in either case. */
const words = {
  status: ({ maturity }) => [maturity],
  origin: ({ origin }) => [origin],
  product: ({ logsource }) => [logsource.product ?? ''],
  category: ({ logsource }) => [logsource.category ?? ''],
  service: ({ logsource }) => [logsource.service ?? ''],
  author: ({ author }) => [author],
  tag: ({ tags }) => tags,
} satisfies { readonly [field: string]: (rule: Rule) => readonly string[] }

export type RuleWordField = keyof typeof words

/** Which rules, in which order, which page of them. Several values of one filter mean any of them (G7). */
export type RuleQuery = {
  readonly levels: readonly ConsoleLevel[] | undefined
  readonly isEnabled: boolean | undefined
  readonly tactics: readonly string[] | undefined
  readonly techniques: readonly string[] | undefined
  /** Tactics or techniques. */
  readonly attack: readonly string[] | undefined
  readonly words: { readonly [field in RuleWordField]?: readonly string[] | undefined }
  readonly health: readonly RuleStateOfHealth['state'][] | undefined
  /** What title, description, id or a tag contains, in either case. */
  readonly text: string | undefined
  readonly order: readonly { readonly field: RuleSortField; readonly direction: 'asc' | 'desc' }[]
  readonly page: number
  readonly size: number
}

type SortedRule = Pick<RuleWithTotals, 'rule' | 'totals' | 'cost'>

/** Compares rules by each field that a list can be sorted by (decisions, Table 3.2). */
const comparisons = {
  title: (a, b) => compareTexts(a.rule.title, b.rule.title),
  level: (a, b) => levelRank[a.rule.level] - levelRank[b.rule.level],
  status: (a, b) => compareTexts(a.rule.maturity, b.rule.maturity),
  enabled: (a, b) => Number(isRunning(a.rule)) - Number(isRunning(b.rule)),
  updated_at: (a, b) => a.rule.updatedAt - b.rule.updatedAt,
  matches_total: (a, b) => a.totals.matches - b.totals.matches,
  match_rate: (a, b) => matchRate(a.totals) - matchRate(b.totals),
  cost: (a, b) => (a.cost?.cpuSharePercent ?? 0) - (b.cost?.cpuSharePercent ?? 0),
} satisfies { readonly [field: string]: (a: SortedRule, b: SortedRule) => number }

export type RuleSortField = keyof typeof comparisons

export function isRuleSortField(field: string): field is RuleSortField {
  return Object.hasOwn(comparisons, field)
}

export const ruleSortFields = Object.keys(comparisons).filter(isRuleSortField)

export type RulePage = { readonly rules: readonly RuleWithTotals[]; readonly total: number }

/** Lists a page of the rules that a query keeps, and how many it keeps in all. */
export async function listRules({ ruleBooks, activity, state }: App, tenant: TenantId, query: RuleQuery): Promise<RulePage> {
  const book = await ruleBooks.of(tenant)
  // It is told of all rules together, and costs nothing where nobody asks.
  const met = query.health && activity.healthOf(tenant)
  const rules = book.rules
    .filter(({ rule }) => isKept(rule, query))
    .filter((loaded) => met === undefined || query.health?.includes(healthOf(loaded, book, met).state))
    .map(({ rule }) => ({ rule, totals: activity.totalsOf(tenant, rule.id), cost: activity.costOf(tenant, rule.id) }))
    .sort((a, b) => compareRules(a, b, query.order))
  const start = (query.page - 1) * query.size
  const page: RuleWithTotals[] = []
  for (const entry of rules.slice(start, start + query.size)) {
    const { true_positive: truePositives, false_positive: falsePositives } = await state.alerts.verdicts(tenant, entry.rule.id)
    page.push({ ...entry, verdicts: { truePositives, falsePositives } })
  }
  return { rules: page, total: rules.length }
}

function isKept(rule: Rule, { levels, isEnabled, tactics, techniques, attack, words: wanted, text }: RuleQuery): boolean {
  return (
    (levels?.includes(consoleLevels[rule.level]) ?? true) &&
    (isEnabled === undefined || isRunning(rule) === isEnabled) &&
    (tactics?.some((word) => hasTactic(rule.attack, word)) ?? true) &&
    (techniques?.some((word) => hasTechnique(rule.attack, word)) ?? true) &&
    (attack?.some((word) => hasTactic(rule.attack, word) || hasTechnique(rule.attack, word)) ?? true) &&
    ruleWordFields.every((field) => hasWord(words[field](rule), wanted[field])) &&
    (text === undefined || contains([rule.title, rule.description, rule.id, ...rule.tags], text))
  )
}

export const ruleWordFields = Object.keys(words).filter((field): field is RuleWordField => Object.hasOwn(words, field))

function hasWord(values: readonly string[], wanted: readonly string[] | undefined): boolean {
  if (wanted === undefined) return true
  const lowered = wanted.map((word) => word.toLowerCase())
  return values.some((value) => lowered.includes(value.toLowerCase()))
}

function contains(values: readonly string[], text: string): boolean {
  const lowered = text.toLowerCase()
  return values.some((value) => value.toLowerCase().includes(lowered))
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
