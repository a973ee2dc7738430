import {
  compileContextQuerySchema, compileContextSchema, ruleVersionListSchema, ruleVersionSchema,
} from '@tripline/contract/console/rules/rule-authoring'
import type { CompileContextBody } from '@tripline/contract/console/rules/rule-authoring'
import { changedRuleSchema, ruleChangeQuerySchema } from '@tripline/contract/console/rule-change'
import { createHash } from 'node:crypto'
import { printRuleSchema } from '@tripline/contract/rule-file'
import { z } from 'zod'
import { readIfMatch } from '../../../http/etag.ts'
import { formatTimestamp } from '../../../http/format-timestamp.ts'
import { readIdParam } from '../../../http/id-param.ts'
import { respond } from '../../../http/respond.ts'
import { respondWithEtag } from '../../../http/respond-with-etag.ts'
import { getPrincipal } from '../../../http/route.ts'
import type { RequestContext, Route } from '../../../http/route.ts'
import { readQuery } from '../../../http/validate.ts'
import { printChangedRule } from '../rule-view.ts'
import { getRule } from '../rules.ts'
import type { RuleDeps } from '../rules.ts'
import { collectCompileContext } from './compile-context.ts'
import { getRuleVersion, listRuleVersions, restoreRuleVersion } from './rule-versions.ts'
import type { RuleVersionDeps } from './rule-versions.ts'
import type { RuleChangeDeps } from '../change-rule.ts'

const path = '/v1/detection/rules/:id/versions'

/** Routes for authors of rules: earlier versions, and what a text is compiled with. */
export function ruleAuthoringRoutes(deps: RuleVersionDeps & RuleChangeDeps & RuleDeps): Route[] {
  return [
    {
      method: 'GET', path: '/v1/detection/compile-context', access: 'read', isCompressed: true,
      summary: 'Returns what a rule is compiled with besides its text: filters, exceptions, pipelines, placeholders, and other rules',
      query: compileContextQuerySchema, headers: ['ETag'], errors: ['NOT_FOUND', 'PAYLOAD_TOO_LARGE'],
      responses: { 200: compileContextSchema },
      handle: async (c) => {
        const { rule, refers_to: names = [] } = readQuery(c, compileContextQuerySchema).query
        const context = await collectCompileContext(deps, getPrincipal(c).tenant, { ruleId: rule?.toLowerCase(), names })
        const body: CompileContextBody = {
          filters: context.filters.map(({ path: source = '', text }) => ({ path: source, text })),
          pipelines: [...context.pipelines],
          placeholders: Object.fromEntries(Object.entries(context.placeholders).map(([name, values]) => [name, [...values]])),
          rules: context.rules.map(({ id, title, definition: text }) => ({ id, title, text })),
          unknown: [...context.unknownNames],
          engine_version: context.engineVersion,
        }
        // It has no version of its own: a change of any rule, exception or pipeline makes another one.
        c.header('ETag', `"${createHash('sha256').update(JSON.stringify(body)).digest('hex')}"`)
        return respond(c, body)
      },
    },
    {
      // Without a login: an editor that checks a file by the schema has none.
      method: 'GET', path: '/v1/schema/sigma-rule.json', access: 'anyone', isCompressed: true,
      summary: 'Returns the JSON Schema of rules with their tests, for editors', responses: { 200: z.record(z.string(), z.unknown()) },
      handle: (c) => respond(c, printRuleSchema()),
    },
    {
      method: 'GET', path, access: 'read', summary: 'Lists the kept versions of a rule', responses: { 200: ruleVersionListSchema },
      handle: async (c) => {
        const id = readIdParam(c)
        const versions = await listRuleVersions(deps, getPrincipal(c).tenant, id)
        return respond(c, {
          rule_id: id,
          versions: versions.map(({ version, savedAt, savedBy, isTextChanged }) => {
            return { version, saved_at: formatTimestamp(savedAt), saved_by: savedBy, text_changed: isTextChanged }
          }),
        })
      },
    },
    {
      method: 'GET', path: `${path}/:version`, access: 'read', summary: 'Returns the text of a rule under one of its versions',
      responses: { 200: ruleVersionSchema },
      handle: async (c) => {
        const asked = readVersionParams(c)
        const { version, savedAt, savedBy, definition } = await getRuleVersion(deps, getPrincipal(c).tenant, asked)
        return respond(c, { rule_id: asked.ruleId, version, saved_at: formatTimestamp(savedAt), saved_by: savedBy, definition })
      },
    },
    {
      method: 'POST', path: `${path}/:version/restore`, access: 'edit_rules',
      summary: 'Gives a rule the text of an earlier version, as a new version',
      query: ruleChangeQuerySchema, checksVersion: true, headers: ['ETag'], errors: ['INVALID_RULE', 'RULE_TEST_FAILED', 'CONFLICT'],
      responses: { 200: changedRuleSchema },
      handle: async (c) => {
        const isForced = readQuery(c, ruleChangeQuerySchema).query.force ?? false
        const { ruleId, version } = readVersionParams(c)
        const change = await restoreRuleVersion(deps, getPrincipal(c), { ruleId, version, versions: readIfMatch(c), isForced })
        const detail = { ...(await getRule(deps, getPrincipal(c).tenant, ruleId)), rule: change.rule }
        return respondWithEtag(c, printChangedRule(detail, change), change.rule.version)
      },
    },
  ]
}

/** The rule and the version of a path; what is no number is no version. */
function readVersionParams(c: RequestContext): { readonly ruleId: string; readonly version: number } {
  const text = readIdParam(c, 'version')
  return { ruleId: readIdParam(c), version: /^\d{1,9}$/.test(text) ? Number(text) : -1 }
}
