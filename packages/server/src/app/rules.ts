import { AppError } from '../domain/app-error.ts'
import type { FieldValue } from '../domain/filter-holds.ts'
import { ruleFields } from '../domain/list-fields.ts'
import type { Rule } from '../domain/rule.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { RuleTotals } from '../pipeline/day-totals.ts'
import { streamOf } from './app.ts'
import type { App } from './app.ts'
import { readListPage } from './list-page.ts'
import type { ListPage, ListRequest } from './list-page.ts'
import { pageOfAll } from './page-of-all.ts'
import type { EntryReader } from './page-of-all.ts'

export type { RuleTotals }

/** A rule and what it has done. */
export type RuleWithTotals = { readonly rule: Rule; readonly totals: RuleTotals }

/** A page of the rules of a tenant. */
export async function listRules(app: App, tenant: TenantId, request: ListRequest): Promise<ListPage<RuleWithTotals>> {
  const { detection } = streamOf(app, tenant)
  return await readListPage(app, { tenant, endpoint: 'rules' }, request, async (query) => {
    const rules = (await app.rules.list(tenant)).map((rule) => ({ rule, totals: detection.totalsOf(rule.id) }))
    return pageOfAll(rules, ruleReader, query)
  })
}

/** A rule and what it did in the last day. @throws AppError NOT_FOUND. */
export async function getRule(app: App, tenant: TenantId, id: string): Promise<{ rule: Rule; lastDay: RuleTotals }> {
  const rule = await findRule(app, tenant, id)
  return { rule, lastDay: streamOf(app, tenant).detection.lastDayOf(id, app.clock.now()) }
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

type RuleField = keyof typeof ruleFields

/** What a rule has in each field that a list can be sorted or filtered by (Table 3.2). */
const ruleValues: { readonly [field in RuleField]: (entry: RuleWithTotals) => FieldValue } = {
  title: ({ rule }) => rule.title,
  level: ({ rule }) => rule.level,
  status: ({ rule }) => rule.maturity,
  enabled: ({ rule }) => Number(rule.isEnabled),
  updated_at: ({ rule }) => rule.updatedAt,
  matches_total: ({ totals }) => totals.matches,
  match_rate: ({ totals }) => matchRate(totals),
  tactic: ({ rule }) => rule.attack.tactics,
  technique: ({ rule }) => rule.attack.techniques,
  product: ({ rule }) => rule.logsource.product ?? '',
  category: ({ rule }) => rule.logsource.category ?? '',
  service: ({ rule }) => rule.logsource.service ?? '',
  origin: ({ rule }) => rule.origin,
  author: ({ rule }) => rule.author,
  tag: ({ rule }) => rule.tags,
}

const ruleReader: EntryReader<RuleWithTotals> = {
  fields: ruleFields,
  read: (entry, field) => (isRuleField(field) ? ruleValues[field](entry) : ''),
  idOf: ({ rule }) => rule.id,
  textsOf: ({ rule }) => [rule.title, rule.description, rule.id, ...rule.tags],
}

function isRuleField(field: string): field is RuleField {
  return Object.hasOwn(ruleFields, field)
}
