import { AppError } from '@tripline/contract/app-error'
import {
  incidentAlerts, incidentComment, incidentParameters, incidentSources, newIncidentComment, newPublicIncident, publicIncident,
  publicIncidentChange, publicIncidentDetail,
} from '@tripline/contract/public/incident'
import type { PublicIncidentDetail } from '@tripline/contract/public/incident'
import type { Incident } from '@tripline/model/incidents/incident'
import type { IncidentStatus } from '@tripline/model/incidents/incident-status'
import { levelOfSeverity } from '@tripline/model/public-words'
import { isAnyOf, publicList, toPublicRange } from '../../http/public/public-list.ts'
import { one, publicRoute, whole } from '../../http/public/public-route.ts'
import type { PublicAnswer, PublicRoute } from '../../http/public/public-route.ts'
import {
  commentIncident, createIncident, getIncident, listIncidentComments, listIncidents, updateIncident,
} from '../../incidents/incidents.ts'
import type { IncidentDeps, IncidentDetail } from '../../incidents/incidents.ts'
import { addIncidentAlerts, mergeIncidents, removeIncidentAlert } from '../../incidents/move-alerts.ts'
import { toPublicComment, toPublicIncident, toPublicIncidentDetail } from './public-incident-view.ts'

type PublicIncidentDeps = IncidentDeps & {
  /** Where the console is; empty if not configured. */
  readonly publicUrl: string
}

const path = '/incidents'
const common = { resource: 'incidents', permission: 'read' } as const
const changing = { resource: 'incidents', permission: 'update_alerts', errors: ['CONFLICT'] } as const

/** Incidents in the public API. */
export function publicIncidentRoutes(deps: PublicIncidentDeps): PublicRoute[] {
  return [...recordRoutes(deps), ...commentRoutes(deps), ...membershipRoutes(deps)]
}

function recordRoutes(deps: PublicIncidentDeps): PublicRoute[] {
  return [
    publicList({
      ...common, path, summary: 'Lists incidents', parameters: incidentParameters, entry: publicIncident,
      sorting: {
        sort: { created_at: 'created_at', updated_at: 'updated_at', severity: 'severity', status: 'status', alert_count: 'alert_count' },
        sortDefault: { field: 'created_at', direction: 'desc' },
      },
      toWhere: ({ severity, status, assignee, from, to }) => [
        ...isAnyOf('severity', severity?.map((each) => levelOfSeverity[each])), ...isAnyOf('status', status),
        ...isAnyOf('assignee', assignee), ...toPublicRange('created_at', { from, to }),
      ],
      readPage: async ({ tenant }, request) => {
        const { entries, ...page } = await listIncidents(deps, tenant, request)
        return { ...page, entries: entries.map(toPublicIncident) }
      },
    }),
    publicRoute({
      ...changing, method: 'POST', path, summary: 'Opens an incident, with alerts or without', isIdempotent: true,
      body: newPublicIncident, response: one(publicIncidentDetail, 201), errors: ['CONFLICT', 'NOT_FOUND'],
      async handle({ caller, body: { severity, assignee, alert_ids: alertIds, ...texts } }) {
        const level = severity && levelOfSeverity[severity]
        const asked = { ...texts, level, assignee: assignee ?? undefined, alertIds, origin: 'api' } as const
        const detail = await createIncident(deps, caller, asked)
        return { ...answer(deps, detail), headers: { Location: `/api/v1${path}/${detail.incident.id}` } }
      },
    }),
    publicRoute({
      ...common, method: 'GET', path: `${path}/:id`, summary: 'Returns an incident with its alerts, comments and timeline',
      response: one(publicIncidentDetail), hasVersion: true,
      handle: async ({ caller: { tenant }, id }) => answer(deps, await getIncident(deps, tenant, id)),
    }),
    publicRoute({
      ...changing, method: 'PATCH', path: `${path}/:id`, summary: "Changes an incident's attributes, or adds a comment",
      body: publicIncidentChange, response: one(publicIncidentDetail), hasVersion: true,
      async handle({ caller, id, body, versions }) {
        if (Object.keys(body).length === 0) {
          throw new AppError('INVALID_PARAMETER', 'the body must contain at least one change', { parameter: 'body', value: '{}' })
        }
        const { status, severity, resolution_note: resolutionNote, ...texts } = body
        const level = severity === undefined ? {} : { level: severity === null ? null : levelOfSeverity[severity] }
        const update = (current: Incident) => ({
          ...texts, ...level, ...(resolutionNote !== undefined && { resolutionNote }),
          ...(status !== undefined && { status: pickStatus(status, current) }),
        })
        return answer(deps, await updateIncident(deps, caller, { id, update, versions }))
      },
    }),
  ]
}

/** A word that stands for the current status already changes nothing: a profile must not undo what it cannot show. */
function pickStatus(meant: readonly IncidentStatus[], { status }: Incident): IncidentStatus {
  return meant.includes(status) ? status : meant[0] ?? status
}

function commentRoutes(deps: PublicIncidentDeps): PublicRoute[] {
  return [
    publicRoute({
      ...common, method: 'GET', path: `${path}/:id/comments`, summary: 'Lists the comments of an incident',
      response: whole(incidentComment),
      handle: async ({ caller: { tenant }, id }) => {
        const comments = await listIncidentComments(deps, tenant, id)
        return { body: comments.map((comment) => toPublicComment(id, comment)) }
      },
    }),
    publicRoute({
      ...changing, method: 'POST', path: `${path}/:id/comments`, summary: 'Adds a comment to an incident', isIdempotent: true,
      body: newIncidentComment, response: one(incidentComment, 201),
      handle: async ({ caller, id, body: { content } }) => ({
        body: toPublicComment(id, await commentIncident(deps, caller, id, content)), headers: { Location: `/api/v1${path}/${id}/comments` },
      }),
    }),
  ]
}

function membershipRoutes(deps: PublicIncidentDeps): PublicRoute[] {
  const answering = { ...changing, response: one(publicIncidentDetail), hasVersion: true } as const
  return [
    publicRoute({
      ...answering, method: 'POST', path: `${path}/:id/alerts`, summary: 'Adds alerts to an incident', isIdempotent: true,
      body: incidentAlerts,
      handle: async ({ caller, id, versions, body: { alert_ids: alertIds } }) =>
        answer(deps, await addIncidentAlerts(deps, caller, { id, versions, alertIds })),
    }),
    publicRoute({
      ...answering, method: 'DELETE', path: `${path}/:id/alerts/:alertId`, summary: 'Removes an alert from an incident',
      handle: async ({ caller, id, versions, getParam }) =>
        answer(deps, await removeIncidentAlert(deps, caller, { id, versions, alertId: getParam('alertId').toLowerCase() })),
    }),
    publicRoute({
      ...answering, method: 'POST', path: `${path}/:id/merge`, summary: 'Merges other incidents into one', isIdempotent: true,
      body: incidentSources,
      handle: async ({ caller, id, versions, body: { incident_ids: sourceIds } }) =>
        answer(deps, await mergeIncidents(deps, caller, { id, versions, sourceIds })),
    }),
  ]
}

function answer({ publicUrl }: PublicIncidentDeps, detail: IncidentDetail): Exclude<PublicAnswer<PublicIncidentDetail>, Response> {
  return { body: toPublicIncidentDetail(detail, publicUrl), version: detail.incident.version }
}
