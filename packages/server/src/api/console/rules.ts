import type { App } from '../../app/app.ts'
import { testRule } from '../../app/rule-test.ts'
import { listRules, ruleWordFields } from '../../app/rule-list.ts'
import type { RuleNarrowing } from '../../app/rule-list.ts'
import { getRule } from '../../app/rules.ts'
import {
  mitreKey, newRuleId, ruleDetailSchema, ruleListQuerySchema, ruleListSchema, ruleTestBodySchema, ruleTestQuerySchema,
  ruleTestResultSchema,
} from '../../contract/rule.ts'
import type { RuleList, RuleListQuery } from '../../contract/rule.ts'
import { isTechnique, tacticNames, tactics } from '../../domain/attack.ts'
import type { Io } from '../../runtime.ts'
import { limits } from '../../limits.ts'
import { answer } from '../respond.ts'
import { lists } from '../lists/list-definition.ts'
import { printList } from '../lists/print-list.ts'
import { readList } from '../lists/read-list.ts'
import { pathId } from '../id-param.ts'
import { parseJsonBody, withBody } from '../read-body.ts'
import { callerOf } from '../route.ts'
import type { RequestContext, Route } from '../route.ts'
import { checkBody, invalidParameter, readQuery } from '../validate.ts'
import { answerVersioned } from '../respond-with-etag.ts'
import { printRuleDetail, printRuleEntry, printTestResults } from './rule-view.ts'

const path = '/v1/detection/rules'

/** The rules of a tenant: list, detail, test. Each handler reads, calls the use case, and prints. */
export function ruleRoutes(app: App, { elapsedMs }: Pick<Io, 'elapsedMs'>): Route[] {
  return [
    {
      method: 'GET', path, access: 'read', summary: 'Lists rules',
      query: ruleListQuerySchema, answers: { 200: ruleListSchema }, handle: (c) => answerList(app, c, elapsedMs),
    },
    {
      method: 'GET', path: `${path}/:id`, access: 'read', summary: 'Shows a rule with its text',
      answers: { 200: ruleDetailSchema }, handle: (c) => answerDetail(app, c),
    },
    {
      method: 'POST', path: `${path}/:id/test`, access: 'test_rules', summary: 'Tries a rule on events',
      query: ruleTestQuerySchema, body: ruleTestBodySchema, answers: { 200: ruleTestResultSchema }, handle: (c) => answerTest(app, c),
    },
  ]
}

async function answerList(app: App, c: RequestContext, elapsedMs: Io['elapsedMs']): Promise<Response> {
  const { query, warnings } = readQuery(c, ruleListQuerySchema)
  const listed = readList(lists.rules, query, [])
  const { entries, ...page } = await listRules(app, callerOf(c).tenant, narrowingOf(query), listed.request)
  const body: RuleList = {
    rules: entries.map(printRuleEntry),
    ...printList(page, { tookMs: elapsedMs() - c.get('startedMs'), warnings: [...warnings, ...listed.warnings] }),
  }
  return answer(c, body)
}

function narrowingOf(query: RuleListQuery): RuleNarrowing {
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

async function answerDetail(app: App, c: RequestContext): Promise<Response> {
  const detail = await getRule(app, callerOf(c).tenant, pathId(c))
  return answerVersioned(c, printRuleDetail(detail), detail.rule.version)
}

async function answerTest(app: App, c: RequestContext): Promise<Response> {
  const { query } = readQuery(c, ruleTestQuerySchema)
  const id = pathId(c)
  return await withBody(c, { bytesMax: limits.ruleTest.bodyBytesMax, budget: app.bodies }, async (bytes) => {
    const { events, definition, explain } = checkBody(parseJsonBody(c, bytes), ruleTestBodySchema)
    const results = await testRule(app, callerOf(c).tenant, { ruleId: id === newRuleId ? undefined : id, definition, events })
    return answer(c, printTestResults(results, { isExplained: explain ?? query.explain ?? false }))
  })
}

/** @throws AppError INVALID_PARAMETER for a word that names no tactic, or no technique, where one is wanted. */
function checkAttackWord(parameter: 'tactic' | 'technique' | typeof mitreKey, word: string): string {
  if (parameter !== 'technique' && tacticNames(word).length > 0) return word
  if (parameter !== 'tactic' && isTechnique(word)) return word
  const names = tactics.map(({ name }) => name).join(', ')
  const wanted = { tactic: names, technique: 'T1059, T1059.001', [mitreKey]: `${names}, or a technique such as T1059` }
  throw invalidParameter(parameter, word, { reason: `allowed: ${wanted[parameter]}` })
}
