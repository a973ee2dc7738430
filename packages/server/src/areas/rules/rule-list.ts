import type { LoadedRule } from '@tripline/detection/rules/loaded-rule'
import type { FilteredValue } from '@tripline/model/lists/evaluate-filter'
import type { Filter, SortKey } from '@tripline/model/lists/filter'
import { ruleFields } from '@tripline/model/lists/list-fields'
import { isRunning } from '@tripline/model/rule'
import type { Rule } from '@tripline/model/rule'
import type { TenantId } from '@tripline/model/tenant'
import type { TenantList } from '@tripline/state/ports/list-query'
import { createMemoryList } from '@tripline/state/ports/memory-list'
import type { EntryReader } from '@tripline/state/ports/memory-list'
import type { CursorDeps } from '../../http/lists/cursor.ts'
import { readListPage } from '../../http/lists/list-page.ts'
import type { ListPage, ListRequest } from '../../http/lists/list-page.ts'
import { getRuleHealth } from './rule-health.ts'
import type { RuleHealthReport } from './rule-health.ts'
import type { RuleCostFigures, RuleTotals, TenantRuleStats } from './rule-stats.ts'
import { judgeRule } from './rule-verdict.ts'
import { computeMatchRate, weekMs } from './rules.ts'
import type { RuleDeps, VerdictCounts } from './rules.ts'

/** What listing rules needs of the server. */
export type RuleListDeps = RuleDeps & CursorDeps

/** A rule with its statistics. */
export type RuleWithTotals = {
  readonly rule: Rule
  readonly totals: RuleTotals
  readonly verdicts: VerdictCounts
  /** Of alerts that changed in the last 7 days. */
  readonly lastWeek: VerdictCounts
  readonly cost: RuleCostFigures | undefined
  readonly health: RuleHealthReport
  /** Matches in each of the last 24 clock hours, oldest first. */
  readonly hourlyMatches: readonly number[]
  /** Who saved its version; undefined of a text that came with the server, and where it was not kept. */
  readonly updatedBy: string | undefined
}

const noVerdicts: VerdictCounts = { truePositives: 0, falsePositives: 0 }

/** Lists rules of a tenant, page by page. */
export async function listRules(deps: RuleListDeps, tenant: TenantId, request: ListRequest): Promise<ListPage<RuleWithTotals>> {
  const { list, addTotals } = await openRuleList(deps, tenant, request)
  const { entries, ...page } = await readListPage(deps, { tenant, endpoint: 'rules' }, request, list)
  return { ...page, entries: await addTotals(entries) }
}

/** Reads all rules of a selection with their statistics, for exports. */
export function createRuleScan(deps: RuleScanDeps): Pick<TenantList<RuleWithTotals>, 'scan'> {
  return {
    async* scan(tenant, selection, options) {
      const { list, addTotals } = await openRuleList(deps, tenant, selection)
      for await (const entries of list.scan(tenant, selection, options)) yield await addTotals(entries)
    },
  }
}

type RuleScanDeps = Pick<RuleListDeps, 'ruleBooks' | 'activity' | 'state' | 'clock'>

type RuleList = {
  readonly list: TenantList<LoadedRule>
  readonly reader: EntryReader<LoadedRule>
  readonly addTotals: (entries: readonly LoadedRule[]) => Promise<readonly RuleWithTotals[]>
}

/** How a list is about to be read: figures that it does not need are not counted. */
type Reading = { readonly where?: readonly Filter[]; readonly order?: readonly SortKey[]; readonly reads?: readonly RuleField[] }

/** Opens the rules of a tenant as a list in memory, which is about to be read. */
export async function openRuleList(
  deps: RuleScanDeps, tenant: TenantId, { where = [], order = [], reads = [] }: Reading,
): Promise<RuleList> {
  const { ruleBooks, activity, state, clock } = deps
  const book = await ruleBooks.get(tenant)
  const { totalsOf, lastDayOf, hourlyMatchesOf, costOf, healthOf } = await activity.of(tenant)
  // Computed for all rules at once, and only if needed.
  let health: ReturnType<typeof healthOf> | undefined
  const reportOf = (loaded: LoadedRule) => getRuleHealth(loaded, book, (health ??= healthOf()))
  const isByAlerts = order.some(({ field }) => field === 'alerts_last_24h')
  const alertCounts = isByAlerts ? await activity.countAlerts(tenant) : new Map<string, number>()
  const isByVerdict = reads.includes('verdict') || where.some((filter) => namesField(filter, 'verdict'))
  const countVerdicts = async (ids: readonly string[]): Promise<(id: string) => VerdictCounts> => {
    const counts = await state.alerts.verdicts(tenant, ids)
    return (id) => {
      const { true_positive: truePositives = 0, false_positive: falsePositives = 0 } = counts.get(id) ?? {}
      return { truePositives, falsePositives }
    }
  }
  const judgedOf = isByVerdict ? await countVerdicts(book.rules.map(({ rule }) => rule.id)) : () => noVerdicts
  const reader = createRuleReader({
    totalsOf, lastDayOf, costOf, alertCounts,
    stateOf: (loaded) => reportOf(loaded).state,
    verdictOf: (loaded) => {
      const { id } = loaded.rule
      return judgeRule({ health: reportOf(loaded), verdicts: judgedOf(id), cost: costOf(id) })?.value ?? ''
    },
  })
  return {
    list: createMemoryList(() => book.rules, reader),
    reader,
    addTotals: async (entries) => {
      const rules = entries.map(({ rule }) => rule)
      const ids = rules.map(({ id }) => id)
      const verdictsOf = await countVerdicts(ids)
      const judged = await state.alerts.judgedSince(tenant, ids, clock.now() - weekMs)
      const authors = await state.ruleVersions.authors(tenant, rules)
      return entries.map((loaded) => {
        const { rule } = loaded
        return {
          rule, totals: totalsOf(rule.id), cost: costOf(rule.id), verdicts: verdictsOf(rule.id),
          lastWeek: judged.get(rule.id) ?? noVerdicts, health: reportOf(loaded), hourlyMatches: hourlyMatchesOf(rule.id),
          updatedBy: authors.get(rule.id),
        }
      })
    },
  }
}

type RuleField = keyof typeof ruleFields

/** Figures of a rule that are computed on demand: a page shows few of thousands. */
type RuleFigures = Pick<TenantRuleStats, 'totalsOf' | 'lastDayOf' | 'costOf'> & {
  readonly stateOf: (loaded: LoadedRule) => string
  /** Empty for a rule that does not run. */
  readonly verdictOf: (loaded: LoadedRule) => string
  readonly alertCounts: ReadonlyMap<string, number>
}

/** Reads the sortable and filterable fields of rules. */
function createRuleReader({ totalsOf, lastDayOf, costOf, stateOf, verdictOf, alertCounts }: RuleFigures): EntryReader<LoadedRule> {
  const values: { readonly [field in RuleField]: (entry: LoadedRule) => FilteredValue } = {
    title: ({ rule }) => rule.title,
    level: ({ rule }) => rule.level,
    status: ({ rule }) => rule.maturity,
    enabled: ({ rule }) => Number(isRunning(rule)),
    updated_at: ({ rule }) => rule.updatedAt,
    matches_total: ({ rule }) => totalsOf(rule.id).matches,
    match_rate: ({ rule }) => computeMatchRate(totalsOf(rule.id)),
    matches_last_24h: ({ rule }) => lastDayOf(rule.id).matches,
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
    verdict: (loaded) => verdictOf(loaded),
    lifecycle: ({ rule }) => rule.lifecycle,
    product_folded: ({ rule }) => (rule.logsource.product ?? '').toLowerCase(),
    category_folded: ({ rule }) => (rule.logsource.category ?? '').toLowerCase(),
    service_folded: ({ rule }) => (rule.logsource.service ?? '').toLowerCase(),
    author_folded: ({ rule }) => rule.author.toLowerCase(),
    tag_folded: ({ rule }) => rule.tags.map((tag) => tag.toLowerCase()),
  }
  return {
    fields: ruleFields,
    read: (entry, field) => (isRuleField(field) ? values[field](entry) : ''),
    getId: ({ rule }) => rule.id,
    getTexts: ({ rule }) => [rule.title, rule.description, rule.id, ...rule.tags],
  }
}

function namesField(filter: Filter, field: RuleField): boolean {
  if ('not' in filter) return namesField(filter.not, field)
  if ('field' in filter) return filter.field === field
  return ('and' in filter ? filter.and : filter.or).some((one) => namesField(one, field))
}

function isRuleField(field: string): field is RuleField {
  return Object.hasOwn(ruleFields, field)
}
