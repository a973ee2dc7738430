import { limits } from '@tripline/contract/limits'
import { mitreKey, ruleDetailSchema, ruleListQuerySchema, ruleListSchema } from '@tripline/contract/console/rule'
import type { RuleListQuery } from '@tripline/contract/console/rule'
import { ruleFacetsSchema, ruleSummaryQuerySchema } from '@tripline/contract/console/rules/rule-summary'
import type { RuleFacet } from '@tripline/contract/console/rules/rule-summary'
import { isTechnique, findTacticNames, tactics } from '@tripline/model/attack'
import type { Filter, FilterValue } from '@tripline/model/lists/filter'
import { listTechniqueIds } from '@tripline/rule-tools'
import { listRules } from './rule-list.ts'
import type { RuleListDeps } from './rule-list.ts'
import { ruleFacetFields, summarizeRules } from './rule-summary.ts'
import { getRule } from './rules.ts'
import type { RuleDeps } from './rules.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { listRoute } from '../../http/lists/list-route.ts'
import type { ListRouteDeps } from '../../http/lists/list-route.ts'
import { readList } from '../../http/lists/read-list.ts'
import { buildSeverityFilter } from '../../http/lists/severity-filter.ts'
import { readIdParam } from '../../http/id-param.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { invalidParameter, readQuery } from '../../http/validate.ts'
import { formatDuration } from '../../http/round.ts'
import { respond } from '../../http/respond.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { printRuleDetail, printRuleEntry } from './rule-view.ts'

const path = '/v1/detection/rules'
const allFacets = Object.keys(ruleFacetFields) as RuleFacet[]

/** The parameters of the list of rules. */
export const ruleListParameters = { query: ruleListQuerySchema, toWhere: toRuleFilters }

/** Routes that read and count a tenant's rules. Each handler parses, calls the use case and prints. */
export function ruleRoutes(deps: RuleListDeps & ListRouteDeps): Route[] {
  return [
    listRoute(deps, {
      path, access: 'read', summary: 'Lists rules', name: 'rules', isRecorded: true,
      list: lists.rules, ...ruleListParameters, response: ruleListSchema,
      readPage: async (c, request) => {
        const { entries, ...page } = await listRules(deps, getPrincipal(c).tenant, request)
        return { ...page, entries: entries.map(printRuleEntry) }
      },
    }),
    {
      method: 'GET', path: `${path}/summary`, access: 'read', summary: 'Counts rules by what they have',
      query: ruleSummaryQuerySchema, errors: ['INVALID_QUERY_FIELD', 'INVALID_PARAMETER'], responses: { 200: ruleFacetsSchema },
      handle: (c) => handleSummary(deps, c),
    },
    {
      method: 'GET', path: `${path}/:id`, access: 'read', summary: 'Returns a rule with its text',
      headers: ['ETag'], responses: { 200: ruleDetailSchema }, handle: (c) => handleDetail(deps, c),
    },
  ]
}

async function handleSummary(deps: RuleListDeps & ListRouteDeps, c: RequestContext): Promise<Response> {
  const { query: { facets = allFacets, limit = limits.ruleSummary.facetValuesDefault, q, filters, ...own }, warnings } =
    readQuery(c, ruleSummaryQuerySchema)
  const { request: { where, text } } = readList(lists.rules, { q, filters }, { where: toRuleFilters(own), values: own })
  const summary = await summarizeRules(deps, getPrincipal(c).tenant, { where, text, facets: [...new Set(facets)], limit })
  return respond(c, {
    ...summary, total_estimate: summary.total, truncated: false,
    took_ms: formatDuration(deps.clock.elapsedMs() - c.get('startedMs')), query_warnings: [...warnings],
  })
}

function toRuleFilters(query: RuleListQuery): readonly Filter[] {
  const { level, enabled, tactic, technique, [mitreKey]: attack, ...words } = query
  const isAny = (field: string, values: readonly FilterValue[] | undefined): readonly Filter[] =>
    values === undefined ? [] : [{ field, operator: 'in', value: values }]
  const hasWord = (field: string, values: readonly string[] | undefined): readonly Filter[] =>
    isAny(`${field}_folded`, values?.map((word) => word.toLowerCase()))
  const isOf = (parameter: 'tactic' | 'technique' | typeof mitreKey, values: readonly string[] | undefined): readonly Filter[] => {
    if (values === undefined) return []
    for (const word of values) checkAttackWord(parameter, word)
    const tactics = isAny('tactic', parameter === 'technique' ? [] : values.flatMap(findTacticNames))
    const techniques = isAny('technique', parameter === 'tactic' ? [] : values.flatMap(listTechniqueIds))
    return [{ or: [...tactics, ...techniques] }]
  }
  return [
    ...(level === undefined ? [] : [buildSeverityFilter('level', 'in', level)]),
    ...isAny('enabled', enabled === undefined ? undefined : [Number(enabled)]),
    ...isOf('tactic', tactic),
    ...isOf('technique', technique),
    ...isOf(mitreKey, attack),
    ...isAny('status', words.status),
    ...isAny('origin', words.origin),
    ...hasWord('product', words.product),
    ...hasWord('category', words.category),
    ...hasWord('service', words.service),
    ...hasWord('author', words.author),
    ...hasWord('tag', words.tag),
    ...isAny('health', words.health),
    ...isAny('verdict', words.verdict),
  ]
}

async function handleDetail(deps: RuleDeps, c: RequestContext): Promise<Response> {
  const detail = await getRule(deps, getPrincipal(c).tenant, readIdParam(c))
  return respondWithEtag(c, printRuleDetail(detail), detail.rule.version)
}

/** @throws AppError INVALID_PARAMETER for a value that is not a tactic or technique, as the parameter requires. */
function checkAttackWord(parameter: 'tactic' | 'technique' | typeof mitreKey, word: string): void {
  if (parameter !== 'technique' && findTacticNames(word).length > 0) return
  if (parameter !== 'tactic' && isTechnique(word)) return
  const names = tactics.map(({ name }) => name).join(', ')
  const wanted = { tactic: names, technique: 'T1059, T1059.001', [mitreKey]: `${names}, or a technique such as T1059` }
  throw invalidParameter(parameter, word, { reason: `allowed: ${wanted[parameter]}` })
}
