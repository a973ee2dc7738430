import type { LoadedRule } from '../../detection/rules/loaded-rule.ts'
import { hasTactic, hasTechnique } from '../../model/attack.ts'
import { consoleLevels } from '../../model/level.ts'
import type { ConsoleLevel } from '../../model/level.ts'
import type { FilteredValue } from '../../model/lists/evaluate-filter.ts'
import { ruleFields } from '../../model/lists/list-fields.ts'
import { isRunning } from '../../model/rule.ts'
import type { Rule } from '../../model/rule.ts'
import type { TenantId } from '../../model/tenant.ts'
import { readListPage } from '../shared/list-page.ts'
import type { CursorDeps, ListPage, ListRequest } from '../shared/list-page.ts'
import { paginateArray } from '../shared/paginate-array.ts'
import type { EntryReader } from '../shared/paginate-array.ts'
import { getRuleHealth } from './rule-health.ts'
import type { RuleHealthReport } from './rule-health.ts'
import type { RuleCostFigures, RuleTotals, TenantRuleStats } from './rule-stats.ts'
import { computeMatchRate } from './rules.ts'
import type { RuleDeps, VerdictCounts } from './rules.ts'

/** What listing rules needs of the server. */
export type RuleListDeps = RuleDeps & CursorDeps

/** A rule with its statistics. */
export type RuleWithTotals = {
  readonly rule: Rule
  readonly totals: RuleTotals
  readonly verdicts: VerdictCounts
  readonly cost: RuleCostFigures | undefined
}

/** Attributes that a list can be narrowed by, as whole words, case-insensitive. */
const ruleWords = {
  status: ({ maturity }) => [maturity],
  origin: ({ origin }) => [origin],
  product: ({ logsource }) => [logsource.product ?? ''],
  category: ({ logsource }) => [logsource.category ?? ''],
  service: ({ logsource }) => [logsource.service ?? ''],
  author: ({ author }) => [author],
  tag: ({ tags }) => tags,
} satisfies { readonly [field: string]: (rule: Rule) => readonly string[] }

type RuleWordField = keyof typeof ruleWords

/** Restrictions from the simple query parameters. Several values of one parameter match any of them. */
export type RuleNarrowing = {
  readonly levels: readonly ConsoleLevel[] | undefined
  readonly isEnabled: boolean | undefined
  readonly tactics: readonly string[] | undefined
  readonly techniques: readonly string[] | undefined
  /** Tactics or techniques. */
  readonly attack: readonly string[] | undefined
  readonly words: { readonly [field in RuleWordField]?: readonly string[] | undefined }
  readonly health: readonly RuleHealthReport['state'][] | undefined
}

/** Lists rules of a tenant, page by page. */
export async function listRules(
  app: RuleListDeps, tenant: TenantId, narrowing: RuleNarrowing, request: ListRequest,
): Promise<ListPage<RuleWithTotals>> {
  const { ruleBooks, activity, state } = app
  const book = await ruleBooks.get(tenant)
  const { totalsOf, costOf, healthOf: metOf } = await activity.of(tenant)
  // Computed for all rules at once, and only if needed.
  let met: ReturnType<typeof metOf> | undefined
  const stateOf = (loaded: LoadedRule) => getRuleHealth(loaded, book, (met ??= metOf())).state
  const alertCounts = await countAlertsByRule(app, tenant, request)
  return await readListPage(app, { tenant, endpoint: 'rules', narrowing }, request, async (query) => {
    const { health } = narrowing
    const rules = book.rules.filter((loaded) => {
      return isKept(loaded.rule, narrowing) && (health === undefined || health.includes(stateOf(loaded)))
    })
    const { entries, ...page } = paginateArray(rules, createRuleReader({ totalsOf, costOf, stateOf, alertCounts }), query)
    const shown: RuleWithTotals[] = []
    for (const { rule } of entries) {
      const { true_positive: truePositives, false_positive: falsePositives } = await state.alerts.verdicts(tenant, rule.id)
      const verdicts = { truePositives, falsePositives }
      shown.push({ rule, totals: totalsOf(rule.id), cost: costOf(rule.id), verdicts })
    }
    return { entries: shown, ...page }
  })
}

type RuleField = keyof typeof ruleFields

/** Alerts per rule in the last 24 hours, counted only if the list is sorted by them. */
async function countAlertsByRule(
  { activity }: Pick<RuleListDeps, 'activity'>, tenant: TenantId, { sort }: ListRequest,
): Promise<ReadonlyMap<string, number>> {
  if (!sort.some(({ field }) => field === 'alerts_last_24h')) return new Map()
  return await activity.countAlerts(tenant)
}

/** Figures of a rule that are computed on demand: a page shows few of thousands. */
type RuleFigures = Pick<TenantRuleStats, 'totalsOf' | 'costOf'> & {
  readonly stateOf: (loaded: LoadedRule) => string
  readonly alertCounts: ReadonlyMap<string, number>
}

/** Reads the sortable and filterable fields of rules. */
function createRuleReader({ totalsOf, costOf, stateOf, alertCounts }: RuleFigures): EntryReader<LoadedRule> {
  const values: { readonly [field in RuleField]: (entry: LoadedRule) => FilteredValue } = {
    title: ({ rule }) => rule.title,
    level: ({ rule }) => rule.level,
    status: ({ rule }) => rule.maturity,
    enabled: ({ rule }) => Number(isRunning(rule)),
    updated_at: ({ rule }) => rule.updatedAt,
    matches_total: ({ rule }) => totalsOf(rule.id).matches,
    match_rate: ({ rule }) => computeMatchRate(totalsOf(rule.id)),
    alerts_last_24h: ({ rule }) => alertCounts.get(rule.id) ?? 0,
    cost: ({ rule }) => costOf(rule.id)?.cpuSharePercent ?? 0,
    tactic: ({ rule }) => rule.attack.tactics,
    technique: ({ rule }) => rule.attack.techniques,
    product: ({ rule }) => rule.logsource.product ?? '',
    category: ({ rule }) => rule.logsource.category ?? '',
    service: ({ rule }) => rule.logsource.service ?? '',
    origin: ({ rule }) => rule.origin,
    author: ({ rule }) => rule.author,
    tag: ({ rule }) => rule.tags,
    health: (loaded) => stateOf(loaded),
  }
  return {
    fields: ruleFields,
    read: (entry, field) => (isRuleField(field) ? values[field](entry) : ''),
    getId: ({ rule }) => rule.id,
    getTexts: ({ rule }) => [rule.title, rule.description, rule.id, ...rule.tags],
  }
}

function isRuleField(field: string): field is RuleField {
  return Object.hasOwn(ruleFields, field)
}

function isKept(rule: Rule, { levels, isEnabled, tactics, techniques, attack, words: wanted }: RuleNarrowing): boolean {
  return (
    (levels?.includes(consoleLevels[rule.level]) ?? true) &&
    (isEnabled === undefined || isRunning(rule) === isEnabled) &&
    (tactics?.some((word) => hasTactic(rule.attack, word)) ?? true) &&
    (techniques?.some((word) => hasTechnique(rule.attack, word)) ?? true) &&
    (attack?.some((word) => hasTactic(rule.attack, word) || hasTechnique(rule.attack, word)) ?? true) &&
    ruleWordFields.every((field) => wanted[field] === undefined || hasWord(ruleWords[field](rule), wanted[field]))
  )
}

export const ruleWordFields = Object.keys(ruleWords).filter((field): field is RuleWordField => Object.hasOwn(ruleWords, field))

function hasWord(values: readonly string[], wanted: readonly string[]): boolean {
  const lowered = wanted.map((word) => word.toLowerCase())
  return values.some((value) => lowered.includes(value.toLowerCase()))
}
