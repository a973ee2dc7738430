import {
  changedRuleSchema, createdRulesSchema, newExceptionBodySchema, newRuleBodySchema, ruleAttributesSchema, ruleChangeBodySchema,
  ruleChangeQuerySchema,
} from '@tripline/contract/console/rule-change'
import { ruleBulkResultSchema, ruleBulkSchema } from '@tripline/contract/console/rules/rule-bulk'
import type { RuleBulkResultBody } from '@tripline/contract/console/rules/rule-bulk'
import type { ChangedRuleBody, NewRuleBody, RuleChangeBody } from '@tripline/contract/console/rule-change'
import type { z } from 'zod'
import { ruleAuthoringRoutes } from './authoring/authoring-routes.ts'
import { addException } from './add-exception.ts'
import { changeRule, removeRule, resetRule } from './change-rule.ts'
import type { RuleChange, RuleChangeDeps, RuleEdit } from './change-rule.ts'
import { createRules } from './create-rule.ts'
import { getRule } from './rules.ts'
import type { RuleDeps } from './rules.ts'
import { switchRules } from './switch-rules.ts'
import { limits } from '../../limits.ts'
import { readIfMatch } from '../../http/etag.ts'
import { readJson } from '../../http/json-body.ts'
import { readIdParam } from '../../http/id-param.ts'
import { parseJsonBody, withBody } from '../../http/read-body.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { checkBody, readQuery } from '../../http/validate.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { respond } from '../../http/respond.ts'
import { printChangedRule } from './rule-view.ts'

const path = '/v1/detection/rules'
type RuleChangeRouteDeps = RuleChangeDeps & RuleDeps
type FailedRule = RuleBulkResultBody['failed'][number]

/** Errors of a change of a rule's text. */
const textErrors = ['INVALID_RULE', 'RULE_TEST_FAILED', 'CONFLICT'] as const

/** Routes that change a tenant's rules: update, create, delete, add an exception, reset; and what their authors need for it. */
export function ruleChangeRoutes(deps: RuleChangeRouteDeps): Route[] {
  return [
    {
      method: 'PUT', path: `${path}/:id`, access: 'edit_rules',
      summary: "Updates a rule's text, attributes, state or exceptions",
      query: ruleChangeQuerySchema, body: ruleChangeBodySchema, checksVersion: true, headers: ['ETag'], errors: textErrors,
      responses: { 200: changedRuleSchema },
      handle: (c) => handleChange(deps, c),
    },
    {
      method: 'POST', path, access: 'edit_rules', isIdempotent: true, summary: 'Creates a rule, or several that refer to each other',
      query: ruleChangeQuerySchema, body: newRuleBodySchema, optionalHeaders: ['ETag', 'Location'], errors: textErrors,
      responses: { 201: createdRulesSchema },
      handle: (c) => handleCreate(deps, c),
    },
    {
      method: 'DELETE', path: `${path}/:id`, access: 'edit_rules', summary: 'Deletes a custom rule',
      checksVersion: true, errors: ['CONFLICT'], responses: { 204: null }, handle: (c) => handleDelete(deps, c),
    },
    {
      method: 'POST', path: `${path}/:id/exceptions`, access: 'suppress_briefly', isIdempotent: true,
      summary: 'Adds an exception to a rule; over 7 days requires `suppress`',
      body: newExceptionBodySchema, checksVersion: true, headers: ['ETag'], errors: ['INVALID_RULE'],
      responses: { 201: changedRuleSchema }, handle: (c) => handleException(deps, c),
    },
    {
      method: 'POST', path: `${path}/:id/reset`, access: 'edit_rules',
      summary: 'Resets a built-in rule to its original text',
      checksVersion: true, headers: ['ETag'], errors: ['CONFLICT', 'INVALID_RULE'],
      responses: { 200: changedRuleSchema }, handle: (c) => handleReset(deps, c),
    },
    {
      method: 'POST', path: `${path}/bulk`, access: 'edit_rules', summary: 'Enables or disables many rules at once',
      body: ruleBulkSchema, responses: { 200: ruleBulkResultSchema }, handle: (c) => handleBulk(deps, c),
    },
    ...ruleAuthoringRoutes(deps),
  ]
}

async function handleChange(deps: RuleChangeRouteDeps, c: RequestContext): Promise<Response> {
  const isForced = readQuery(c, ruleChangeQuerySchema).query.force ?? false
  const terms = { versions: readIfMatch(c), isForced }
  return await withBody(c, limits.ruleTest.bodyBytesMax, async (bytes) => {
    const edit = readEdit(checkBody(parseJsonBody(c, bytes), ruleChangeBodySchema))
    return await respondWithRule(deps, c, await changeRule(deps, getPrincipal(c), readIdParam(c), edit, terms))
  })
}

async function handleCreate(deps: RuleChangeRouteDeps, c: RequestContext): Promise<Response> {
  const isForced = readQuery(c, ruleChangeQuerySchema).query.force ?? false
  return await withBody(c, limits.ruleTest.bodyBytesMax, async (bytes) => {
    const body = checkBody(parseJsonBody(c, bytes), newRuleBodySchema)
    const changes = await createRules(deps, getPrincipal(c), { ...readSwitches(body), definition: body.definition }, { isForced })
    const [change] = changes
    if (change === undefined || changes.length > 1) {
      return respond(c, { rules: await Promise.all(changes.map((created) => printRule(deps, c, created))) }, 201)
    }
    c.header('Location', `${path}/${change.rule.id}`)
    return await respondWithRule(deps, c, change, 201)
  })
}

async function handleException(deps: RuleChangeRouteDeps, c: RequestContext): Promise<Response> {
  const { expires_at: expiresAt, ...sent } = await readJson(c, newExceptionBodySchema)
  const asked = { exception: { ...sent, expiresAt }, versions: readIfMatch(c) }
  return await respondWithRule(deps, c, await addException(deps, getPrincipal(c), readIdParam(c), asked), 201)
}

async function handleDelete(deps: RuleChangeRouteDeps, c: RequestContext): Promise<Response> {
  await removeRule(deps, getPrincipal(c), readIdParam(c), { versions: readIfMatch(c) })
  return c.body(null, 204)
}

async function handleReset(deps: RuleChangeRouteDeps, c: RequestContext): Promise<Response> {
  return await respondWithRule(deps, c, await resetRule(deps, getPrincipal(c), readIdParam(c), { versions: readIfMatch(c) }))
}

async function handleBulk(deps: RuleChangeRouteDeps, c: RequestContext): Promise<Response> {
  const { ids, set } = await readJson(c, ruleBulkSchema)
  const { effectiveFromOffset = null, failed, ...counts } = await switchRules(deps, getPrincipal(c), { ids, isEnabled: set.enabled })
  return respond(c, { ...counts, failed: failed.map(printFailure), effective_from_offset: effectiveFromOffset })
}

function printFailure({ id, error: { code, message } }: Awaited<ReturnType<typeof switchRules>>['failed'][number]): FailedRule {
  if (code === 'NOT_FOUND' || code === 'CONFLICT' || code === 'INVALID_RULE') return { id, code, message }
  throw new Error(`a rule cannot be switched for a reason that the contract lacks: ${code}`)
}

async function respondWithRule(deps: RuleDeps, c: RequestContext, change: RuleChange, status: 200 | 201 = 200): Promise<Response> {
  return respondWithEtag(c, await printRule(deps, c, change), change.rule.version, status)
}

async function printRule(deps: RuleDeps, c: RequestContext, change: RuleChange): Promise<ChangedRuleBody> {
  // Another request may have changed it since; the response shows the result of this change.
  const detail = { ...(await getRule(deps, getPrincipal(c).tenant, change.rule.id)), rule: change.rule }
  return printChangedRule(detail, change)
}

function readEdit({ definition, enabled, lifecycle, filters, ...attributes }: RuleChangeBody): RuleEdit {
  return { definition, ...readSwitches({ enabled, lifecycle, filters }), attributes: readAttributes(attributes) }
}

function readSwitches({ enabled, lifecycle, filters }: Pick<NewRuleBody, 'enabled' | 'lifecycle' | 'filters'>): RuleEdit {
  const exceptions = filters?.map(({ expires_at: expiresAt, ...exception }) => ({ ...exception, expiresAt }))
  return { isEnabled: enabled, lifecycle, exceptions }
}

/** Maps fields of the API to Sigma attributes. */
function readAttributes(attributes: z.infer<typeof ruleAttributesSchema>): Map<string, unknown> {
  const edits = new Map<string, unknown>()
  for (const name of ruleAttributesSchema.keyof().options) {
    const value = attributes[name]
    if (value === undefined) continue
    edits.set(name === 'false_positives' ? 'falsepositives' : name, name === 'logsource' ? dropEmptyFields(value) : (value ?? undefined))
  }
  return edits
}

/** A logsource without empty fields, which the API prints for unset ones. */
function dropEmptyFields(logsource: unknown): unknown {
  return Object.fromEntries(Object.entries(logsource ?? {}).filter(([, value]) => value !== ''))
}
