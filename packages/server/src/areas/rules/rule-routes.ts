import { mitreKey, ruleDetailSchema, ruleListQuerySchema, ruleListSchema } from '@tripline/contract/console/rule'
import type { RuleList, RuleListQuery } from '@tripline/contract/console/rule'
import { recordListRead } from '../shared/record-list-read.ts'
import type { OutcomeDeps } from '../shared/record-outcome.ts'
import { listRules, ruleWordFields } from './rule-list.ts'
import type { RuleListDeps, RuleNarrowing } from './rule-list.ts'
import { getRule } from './rules.ts'
import type { RuleDeps } from './rules.ts'
import { isTechnique, findTacticNames, tactics } from '../../model/attack.ts'
import type { Clock } from '../../runtime/runtime.ts'
import { respond } from '../../http/respond.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { printList } from '../../http/lists/print-list.ts'
import { readList } from '../../http/lists/read-list.ts'
import { readIdParam } from '../../http/id-param.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { invalidParameter, readQuery } from '../../http/validate.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { printRuleDetail, printRuleEntry } from './rule-view.ts'

const path = '/v1/detection/rules'

type RuleRouteDeps = RuleListDeps & OutcomeDeps & { readonly clock: Clock }

/** Routes that read a tenant's rules. Each handler parses, calls the use case and prints. */
export function ruleRoutes(app: RuleRouteDeps): Route[] {
  return [
    {
      method: 'GET', path, access: 'read', summary: 'Lists rules',
      query: ruleListQuerySchema, list: lists.rules, responses: { 200: ruleListSchema }, handle: (c) => handleList(app, c),
    },
    {
      method: 'GET', path: `${path}/:id`, access: 'read', summary: 'Returns a rule with its text',
      headers: ['ETag'], responses: { 200: ruleDetailSchema }, handle: (c) => handleDetail(app, c),
    },
  ]
}

async function handleList(app: RuleRouteDeps, c: RequestContext): Promise<Response> {
  const { entries, warnings, ...page } = await recordListRead(app, c, 'rules', async () => {
    const { query, warnings } = readQuery(c, ruleListQuerySchema)
    const listed = readList(lists.rules, query, [])
    const page = await listRules(app, getPrincipal(c).tenant, toRuleNarrowing(query), listed.request)
    return { ...page, warnings: [...warnings, ...listed.warnings] }
  })
  const body: RuleList = {
    rules: entries.map(printRuleEntry),
    ...printList(page, { tookMs: app.clock.elapsedMs() - c.get('startedMs'), warnings }),
  }
  return respond(c, body)
}

function toRuleNarrowing(query: RuleListQuery): RuleNarrowing {
  return {
    levels: query.level,
    isEnabled: query.enabled,
    tactics: query.tactic?.map((word) => checkAttackWord('tactic', word)),
    techniques: query.technique?.map((word) => checkAttackWord('technique', word)),
    attack: query[mitreKey]?.map((word) => checkAttackWord(mitreKey, word)),
    words: Object.fromEntries(ruleWordFields.map((field) => [field, query[field]])),
    health: query.health,
  }
}

async function handleDetail(app: RuleDeps, c: RequestContext): Promise<Response> {
  const detail = await getRule(app, getPrincipal(c).tenant, readIdParam(c))
  return respondWithEtag(c, printRuleDetail(detail), detail.rule.version)
}

/** @throws AppError INVALID_PARAMETER for a value that is not a tactic or technique, as the parameter requires. */
function checkAttackWord(parameter: 'tactic' | 'technique' | typeof mitreKey, word: string): string {
  if (parameter !== 'technique' && findTacticNames(word).length > 0) return word
  if (parameter !== 'tactic' && isTechnique(word)) return word
  const names = tactics.map(({ name }) => name).join(', ')
  const wanted = { tactic: names, technique: 'T1059, T1059.001', [mitreKey]: `${names}, or a technique such as T1059` }
  throw invalidParameter(parameter, word, { reason: `allowed: ${wanted[parameter]}` })
}
