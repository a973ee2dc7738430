import {
  incidentAlertsSchema, incidentCommentSchema, incidentCommentsSchema, incidentDetailSchema, incidentListQuerySchema, incidentListSchema,
  incidentMergeSchema, incidentPatchSchema, incidentSplitSchema, incidentTimelineSchema, newIncidentCommentSchema, newIncidentSchema,
  timelineQuerySchema,
} from '@tripline/contract/console/incident'
import { readIfMatch } from '../../http/etag.ts'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { listRoute } from '../../http/lists/list-route.ts'
import type { ListParameters, ListRouteDeps } from '../../http/lists/list-route.ts'
import { toRangeFilter } from '../../http/lists/read-list.ts'
import { buildSeverityFilter } from '../../http/lists/severity-filter.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import {
  commentIncident, createIncident, getIncident, listIncidentComments, listIncidents, listIncidentTimeline, updateIncident,
} from '../../incidents/incidents.ts'
import type { IncidentDeps, IncidentDetail } from '../../incidents/incidents.ts'
import { addIncidentAlerts, mergeIncidents, removeIncidentAlert, splitIncident } from '../../incidents/move-alerts.ts'
import type { ReadSlaTerms } from '../shared/sla.ts'
import { printComment, printIncident, printIncidentDetail, printTimelineEntry } from './incident-view.ts'

const path = '/v1/incidents'
const access = 'update_alerts'

type IncidentRouteDeps = IncidentDeps & ListRouteDeps & { readonly readSla: ReadSlaTerms }

/** The parameters of the list of incidents. */
export const incidentListParameters: ListParameters<typeof incidentListQuerySchema> = {
  query: incidentListQuerySchema,
  toWhere: ({ severity, status, assignee, from, to }, c) => [
    ...(severity === undefined ? [] : [buildSeverityFilter('severity', 'in', severity)]),
    ...(status === undefined ? [] : [{ field: 'status', operator: 'in', value: status } as const]),
    ...(assignee === undefined ? [] : [{ field: 'assignee', operator: 'eq', value: assignee } as const]),
    ...toRangeFilter(c, 'created_at', { from, to }),
  ],
}

/** Routes for the incidents of a tenant. */
export function incidentRoutes(deps: IncidentRouteDeps): Route[] {
  return [...recordRoutes(deps), ...commentRoutes(deps), ...membershipRoutes(deps)]
}

function recordRoutes(deps: IncidentRouteDeps): Route[] {
  return [
    listRoute(deps, {
      path, access: 'read', summary: 'Lists incidents', name: 'incidents', isRecorded: true,
      list: lists.incidents, ...incidentListParameters, response: incidentListSchema,
      readPage: async (c, request) => {
        const { tenant } = getPrincipal(c)
        const { entries, ...page } = await listIncidents(deps, tenant, request)
        const terms = await deps.readSla(tenant)
        return { ...page, entries: entries.map((incident) => printIncident(incident, terms)) }
      },
    }),
    {
      method: 'POST', path, access, isIdempotent: true, summary: 'Opens an incident, with alerts or without',
      body: newIncidentSchema, headers: ['ETag', 'Location'], errors: ['CONFLICT', 'NOT_FOUND'], responses: { 201: incidentDetailSchema },
      handle: async (c) => {
        const { alert_ids: alertIds, severity: level, assignee, ...texts } = await readJson(c, newIncidentSchema)
        const asked = { ...texts, level, assignee: assignee ?? undefined, alertIds, origin: 'user' } as const
        return respondWithCreated(deps, c, await createIncident(deps, getPrincipal(c), asked))
      },
    },
    {
      method: 'GET', path: `${path}/:id`, access: 'read', summary: 'Returns an incident with its alerts, comments and timeline',
      headers: ['ETag'], responses: { 200: incidentDetailSchema },
      handle: async (c) => respondWithIncident(deps, c, await getIncident(deps, getPrincipal(c).tenant, readIdParam(c))),
    },
    {
      method: 'PATCH', path: `${path}/:id`, access, summary: "Updates an incident's attributes, or adds a comment",
      body: incidentPatchSchema, checksVersion: true, headers: ['ETag'], errors: ['CONFLICT'], responses: { 200: incidentDetailSchema },
      handle: async (c) => {
        const { severity: level, resolution_note: resolutionNote, status, title, description, assignee, comment } =
          await readJson(c, incidentPatchSchema)
        const update = {
          ...(title !== undefined && { title }), ...(description !== undefined && { description }), ...(status !== undefined && { status }),
          ...(level !== undefined && { level }), ...(assignee !== undefined && { assignee }),
          ...(resolutionNote !== undefined && { resolutionNote }), ...(comment !== undefined && { comment }),
        }
        const change = { id: readIdParam(c), update, versions: readIfMatch(c) }
        return respondWithIncident(deps, c, await updateIncident(deps, getPrincipal(c), change))
      },
    },
  ]
}

function commentRoutes(deps: IncidentRouteDeps): Route[] {
  return [
    {
      method: 'GET', path: `${path}/:id/comments`, access: 'read', summary: 'Lists the comments of an incident',
      responses: { 200: incidentCommentsSchema },
      handle: async (c) => {
        const id = readIdParam(c)
        const comments = await listIncidentComments(deps, getPrincipal(c).tenant, id)
        return respond(c, { comments: comments.map((comment) => printComment(id, comment)) })
      },
    },
    {
      method: 'POST', path: `${path}/:id/comments`, access, isIdempotent: true, summary: 'Adds a comment to an incident',
      body: newIncidentCommentSchema, errors: ['CONFLICT'], responses: { 201: incidentCommentSchema },
      handle: async (c) => {
        const id = readIdParam(c)
        const { content } = await readJson(c, newIncidentCommentSchema)
        return respond(c, printComment(id, await commentIncident(deps, getPrincipal(c), id, content)), 201)
      },
    },
    listRoute(deps, {
      path: `${path}/:id/timeline`, access: 'read', summary: 'Lists what happened to an incident, in order', name: 'timeline',
      list: lists.timeline, query: timelineQuerySchema, response: incidentTimelineSchema,
      toWhere: () => [],
      readPage: async (c, request) => {
        const { entries, ...page } = await listIncidentTimeline(deps, getPrincipal(c).tenant, readIdParam(c), request)
        return { ...page, entries: entries.map(printTimelineEntry) }
      },
    }),
  ]
}

function membershipRoutes(deps: IncidentRouteDeps): Route[] {
  const changing = {
    access, checksVersion: true, headers: ['ETag'], errors: ['CONFLICT'], responses: { 200: incidentDetailSchema },
  } as const
  return [
    {
      ...changing, method: 'POST', path: `${path}/:id/alerts`, summary: 'Adds alerts to an incident', body: incidentAlertsSchema,
      isIdempotent: true,
      handle: async (c) => {
        const { alert_ids: alertIds } = await readJson(c, incidentAlertsSchema)
        return respondWithIncident(deps, c, await addIncidentAlerts(deps, getPrincipal(c), { ...readTarget(c), alertIds }))
      },
    },
    {
      ...changing, method: 'DELETE', path: `${path}/:id/alerts/:alertId`, summary: 'Removes an alert from an incident',
      handle: async (c) => {
        const alertId = (c.req.param('alertId') ?? '').toLowerCase()
        return respondWithIncident(deps, c, await removeIncidentAlert(deps, getPrincipal(c), { ...readTarget(c), alertId }))
      },
    },
    {
      ...changing, method: 'POST', path: `${path}/:id/merge`, summary: 'Merges other incidents into one', body: incidentMergeSchema,
      isIdempotent: true,
      handle: async (c) => {
        const { incident_ids: sourceIds } = await readJson(c, incidentMergeSchema)
        return respondWithIncident(deps, c, await mergeIncidents(deps, getPrincipal(c), { ...readTarget(c), sourceIds }))
      },
    },
    {
      ...changing, method: 'POST', path: `${path}/:id/split`, summary: 'Splits alerts off into a new incident', body: incidentSplitSchema,
      isIdempotent: true, headers: ['ETag', 'Location'], responses: { 201: incidentDetailSchema },
      handle: async (c) => {
        const { alert_ids: alertIds, title } = await readJson(c, incidentSplitSchema)
        return respondWithCreated(deps, c, await splitIncident(deps, getPrincipal(c), { ...readTarget(c), alertIds, title }))
      },
    },
  ]
}

function readTarget(c: RequestContext) {
  return { id: readIdParam(c), versions: readIfMatch(c) }
}

async function respondWithIncident({ readSla }: IncidentRouteDeps, c: RequestContext, detail: IncidentDetail): Promise<Response> {
  const terms = await readSla(getPrincipal(c).tenant)
  return respondWithEtag(c, printIncidentDetail(detail, terms), detail.incident.version)
}

async function respondWithCreated({ readSla }: IncidentRouteDeps, c: RequestContext, detail: IncidentDetail): Promise<Response> {
  const terms = await readSla(getPrincipal(c).tenant)
  c.header('Location', `${path}/${detail.incident.id}`)
  return respondWithEtag(c, printIncidentDetail(detail, terms), detail.incident.version, 201)
}
