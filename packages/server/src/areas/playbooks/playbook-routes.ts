import {
  newPlaybookSchema, playbookListSchema, playbookPatchSchema, playbookRunListSchema, playbookRunQuerySchema, playbookRunSchema,
  playbookSchema, playbookStartSchema,
} from '@tripline/contract/console/response/playbook'
import type { Playbook } from '@tripline/model/playbooks/playbook'
import { readIfMatch } from '../../http/etag.ts'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { listRoute } from '../../http/lists/list-route.ts'
import type { ListRouteDeps } from '../../http/lists/list-route.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import {
  changePlaybook, createPlaybook, getPlaybook, listPlaybookRuns, listPlaybooks, removePlaybook, runPlaybook,
} from '../../playbooks/playbooks.ts'
import type { PlaybookDeps } from '../../playbooks/playbooks.ts'
import { printPlaybook, printRun } from './playbook-view.ts'

const path = '/v1/playbooks'
const access = 'edit_playbooks'

/** Routes for playbooks and their runs. */
export function playbookRoutes(deps: PlaybookDeps & ListRouteDeps): Route[] {
  return [
    {
      method: 'GET', path, access: 'read', summary: 'Lists playbooks', responses: { 200: playbookListSchema },
      handle: async (c) => respond(c, { playbooks: (await listPlaybooks(deps, getPrincipal(c).tenant)).map(printPlaybook) }),
    },
    {
      method: 'POST', path, access, isIdempotent: true, summary: 'Creates a playbook', body: newPlaybookSchema,
      headers: ['ETag', 'Location'], errors: ['CONFLICT', 'INVALID_PARAMETER', 'INVALID_QUERY_FIELD'], responses: { 201: playbookSchema },
      handle: async (c) => {
        const { trigger, filter, steps, enabled: isEnabled, ...rest } = await readJson(c, newPlaybookSchema)
        const stated = { ...rest, isAutomatic: trigger === 'match', filter: toFilterText(filter), steps, isEnabled }
        const playbook = await createPlaybook(deps, getPrincipal(c), stated)
        c.header('Location', `${path}/${playbook.id}`)
        return respondWithPlaybook(c, playbook, 201)
      },
    },
    {
      method: 'GET', path: `${path}/:id`, access: 'read', summary: 'Returns a playbook',
      headers: ['ETag'], responses: { 200: playbookSchema },
      handle: async (c) => respondWithPlaybook(c, await getPlaybook(deps, getPrincipal(c).tenant, readIdParam(c))),
    },
    {
      method: 'PATCH', path: `${path}/:id`, access, summary: 'Updates a playbook; omitted attributes are kept', body: playbookPatchSchema,
      checksVersion: true, headers: ['ETag'], errors: ['CONFLICT', 'INVALID_PARAMETER', 'INVALID_QUERY_FIELD'],
      responses: { 200: playbookSchema },
      handle: async (c) => {
        const { trigger, filter, steps, enabled, name, description } = await readJson(c, playbookPatchSchema)
        const patch = {
          ...(name !== undefined && { name }), ...(description !== undefined && { description }),
          ...(trigger !== undefined && { isAutomatic: trigger === 'match' }), ...(filter !== undefined && { filter: toFilterText(filter) }),
          ...(steps !== undefined && { steps }), ...(enabled !== undefined && { isEnabled: enabled }),
        }
        return respondWithPlaybook(c, await changePlaybook(deps, getPrincipal(c), readIdParam(c), { patch, versions: readIfMatch(c) }))
      },
    },
    {
      method: 'DELETE', path: `${path}/:id`, access, summary: 'Deletes a playbook; its runs stay', responses: { 204: null },
      handle: async (c) => {
        await removePlaybook(deps, getPrincipal(c), readIdParam(c))
        return c.body(null, 204)
      },
    },
    {
      method: 'POST', path: `${path}/:id/run`, access: 'update_alerts', isIdempotent: true,
      summary: 'Runs a playbook about an alert or incident',
      body: playbookStartSchema, errors: ['CONFLICT'], responses: { 202: playbookRunSchema },
      handle: async (c) => {
        const { subject_id: subjectId } = await readJson(c, playbookStartSchema)
        return respond(c, printRun(await runPlaybook(deps, getPrincipal(c), readIdParam(c), subjectId.toLowerCase())), 202)
      },
    },
    listRoute(deps, {
      path: `${path}/:id/runs`, access: 'read', summary: 'Lists the runs of a playbook with their steps', name: 'runs',
      list: lists.playbookRuns, query: playbookRunQuerySchema, response: playbookRunListSchema,
      toWhere: () => [],
      readPage: async (c, request) => {
        const { entries, ...page } = await listPlaybookRuns(deps, getPrincipal(c).tenant, readIdParam(c), request)
        return { ...page, entries: entries.map(printRun) }
      },
    }),
  ]
}

function toFilterText(filter: { readonly [name: string]: unknown } | null): string {
  return filter === null ? '' : JSON.stringify(filter)
}

function respondWithPlaybook(c: RequestContext, playbook: Playbook, status: 200 | 201 = 200): Response {
  return respondWithEtag(c, printPlaybook(playbook), playbook.version, status)
}
