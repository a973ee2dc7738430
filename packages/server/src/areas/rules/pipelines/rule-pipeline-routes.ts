import {
  changedRulePipelineSchema, newRulePipelineSchema, rulePipelineListSchema, rulePipelinePatchSchema, rulePipelineSchema,
  rulePipelineTestResultSchema, rulePipelineTestSchema,
} from '@tripline/contract/console/rules/rule-pipeline'
import type { ChangedRulePipelineBody, RulePipelineBody } from '@tripline/contract/console/rules/rule-pipeline'
import { omitUndefined } from '@tripline/common/omit-undefined'
import type { StoredRulePipeline } from '@tripline/model/rule'
import { readIfMatch } from '../../../http/etag.ts'
import { formatTimestamp } from '../../../http/format-timestamp.ts'
import { readIdParam } from '../../../http/id-param.ts'
import { readJson } from '../../../http/json-body.ts'
import { parseJsonBody, withBody } from '../../../http/read-body.ts'
import { respondWithEtag } from '../../../http/respond-with-etag.ts'
import { respond } from '../../../http/respond.ts'
import { getPrincipal } from '../../../http/route.ts'
import type { Route } from '../../../http/route.ts'
import { checkBody } from '../../../http/validate.ts'
import { limits } from '../../../limits.ts'
import { findPipelineProblem } from './load-rewriting.ts'
import { changePipeline, createPipeline, getPipeline, listPipelines, removePipeline } from './rule-pipelines.ts'
import type { RulePipelineDeps } from './rule-pipelines.ts'
import { testPipelines } from './test-pipelines.ts'

const path = '/v1/detection/rule-pipelines'
const onePath = `${path}/:id`
const changeErrors = ['CONFLICT', 'INVALID_PARAMETER', 'RATE_LIMITED'] as const

/** Routes for the processing pipelines of a tenant. */
export function rulePipelineRoutes(deps: RulePipelineDeps): Route[] {
  return [
    {
      method: 'GET', path, access: 'read', summary: 'Lists the rule pipelines in the order in which they run',
      responses: { 200: rulePipelineListSchema },
      handle: async (c) => {
        const { pipelines, ...effect } = await listPipelines(deps, getPrincipal(c).tenant)
        return respond(c, { pipelines: pipelines.map(printPipeline), ...printEffect(effect) })
      },
    },
    {
      method: 'POST', path, access: 'edit_rules', isIdempotent: true, summary: 'Creates a rule pipeline and rewrites the rules with it',
      body: newRulePipelineSchema, headers: ['ETag', 'Location'], errors: changeErrors, responses: { 201: changedRulePipelineSchema },
      handle: async (c) => {
        const { name, text, priority, enabled: isEnabled } = await readJson(c, newRulePipelineSchema)
        const change = await createPipeline(deps, getPrincipal(c), { name, text, priority, isEnabled })
        c.header('Location', `${path}/${change.pipeline.id}`)
        return respondWithEtag(c, printChange(change), change.pipeline.version, 201)
      },
    },
    {
      method: 'GET', path: onePath, access: 'read', summary: 'Returns a rule pipeline', headers: ['ETag'],
      responses: { 200: rulePipelineSchema },
      handle: async (c) => {
        const pipeline = await getPipeline(deps, getPrincipal(c).tenant, readIdParam(c))
        return respondWithEtag(c, printPipeline(pipeline), pipeline.version)
      },
    },
    {
      method: 'PATCH', path: onePath, access: 'edit_rules',
      summary: 'Changes a rule pipeline and rewrites the rules; omitted attributes are kept',
      body: rulePipelinePatchSchema, checksVersion: true, headers: ['ETag'], errors: changeErrors,
      responses: { 200: changedRulePipelineSchema },
      handle: async (c) => {
        const { name, text, priority, enabled: isEnabled } = await readJson(c, rulePipelinePatchSchema)
        const patch = omitUndefined({ name, text, priority, isEnabled })
        const change = await changePipeline(deps, getPrincipal(c), readIdParam(c), { patch, versions: readIfMatch(c) })
        return respondWithEtag(c, printChange(change), change.pipeline.version)
      },
    },
    {
      method: 'DELETE', path: onePath, access: 'edit_rules', summary: 'Deletes a rule pipeline and rewrites the rules without it',
      checksVersion: true, errors: ['INVALID_PARAMETER', 'RATE_LIMITED'], responses: { 204: null },
      handle: async (c) => {
        await removePipeline(deps, getPrincipal(c), readIdParam(c), readIfMatch(c))
        return c.body(null, 204)
      },
    },
    {
      method: 'POST', path: `${path}/test`, access: 'test_rules', isCompressed: true,
      summary: 'Shows what rule pipelines make of a rule, and whether it then matches events; nothing is stored',
      body: rulePipelineTestSchema, errors: ['INVALID_PARAMETER', 'INVALID_RULE', 'PAYLOAD_TOO_LARGE', 'RATE_LIMITED'],
      responses: { 200: rulePipelineTestResultSchema },
      handle: async (c) => await withBody(c, limits.ruleTest.bodyBytesMax, async (bytes) => {
        const { definition, pipelines, events } = checkBody(parseJsonBody(c, bytes), rulePipelineTestSchema)
        const { problem, changes, results } = await testPipelines(deps, getPrincipal(c).tenant, { definition, pipelines, events })
        return respond(c, {
          problem: problem ?? null,
          changes: changes.map(({ part, before, after }) => ({ part, before: before ?? null, after: after ?? null })),
          results: results.map(({ isMatch, matchedConditions }, index) => {
            return { event_index: index, matched: isMatch, matched_conditions: [...matchedConditions] }
          }),
        })
      }),
    },
  ]
}

function printPipeline(pipeline: StoredRulePipeline): RulePipelineBody {
  const { id, name, text, priority, isEnabled, version, createdBy, updatedBy, createdAt, updatedAt } = pipeline
  return {
    id, name, text, priority, enabled: isEnabled, revision: version,
    problem: isEnabled ? findPipelineProblem(pipeline) ?? null : null,
    created_by: createdBy, updated_by: updatedBy, created_at: formatTimestamp(createdAt), updated_at: formatTimestamp(updatedAt),
  }
}

function printEffect({ changedCount, refusedCount }: { readonly changedCount: number; readonly refusedCount: number }) {
  return { rules_changed: changedCount, rules_refused: refusedCount }
}

function printChange({ pipeline, effectiveFromOffset, ...effect }: Awaited<ReturnType<typeof createPipeline>>): ChangedRulePipelineBody {
  return { pipeline: printPipeline(pipeline), ...printEffect(effect), effective_from_offset: effectiveFromOffset ?? null }
}
