import { alertChangeSchema, alertDetailSchema, alertListSchema } from '@tripline/contract/console/alert'
import { checkAccess } from '../../access/authenticate-request.ts'
import { readIfMatch } from '../../http/etag.ts'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { listRoute } from '../../http/lists/list-route.ts'
import type { ListRouteDeps } from '../../http/lists/list-route.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { printAlert } from '../shared/print-alert.ts'
import type { ReadSlaTerms } from '../shared/sla.ts'
import { alertFigureRoutes } from './alert-figure-routes.ts'
import { createAlertListParameters } from './alert-selection.ts'
import { bulkChangeRoutes } from './bulk-change-routes.ts'
import { printAlertDetail, toAlertUpdate } from './alert-view.ts'
import { getAlert, listAlerts, updateAlert } from './alerts.ts'
import type { AlertDeps, AlertDetail } from './alerts.ts'

const path = '/v1/alerts'

type AlertRouteDeps = AlertDeps & ListRouteDeps & { readonly readSla: ReadSlaTerms }

/** Routes for the alerts of a tenant. */
export function alertRoutes(deps: AlertRouteDeps): Route[] {
  return [
    listRoute(deps, {
      path, access: 'read', summary: 'Lists alerts', name: 'alerts', isRecorded: true,
      list: lists.alerts, ...createAlertListParameters(deps), response: alertListSchema,
      readPage: async (c, request) => {
        const { tenant } = getPrincipal(c)
        const { entries, ...page } = await listAlerts(deps, tenant, request)
        const terms = await deps.readSla(tenant)
        return { ...page, entries: entries.map((alert) => printAlert(alert, terms)) }
      },
    }),
    ...alertFigureRoutes(deps), ...bulkChangeRoutes(deps),
    {
      method: 'GET', path: `${path}/:id`, access: 'read', summary: 'Returns an alert with its comments and evidence',
      headers: ['ETag'], responses: { 200: alertDetailSchema }, handle: (c) => handleDetail(deps, c),
    },
    {
      method: 'PUT', path: `${path}/:id`, access: 'answer_alerts',
      summary: "Updates an alert's verdict, status or assignee, or adds a comment; viewers give verdicts and comments only",
      body: alertChangeSchema, checksVersion: true, headers: ['ETag'], errors: ['CONFLICT'],
      responses: { 200: alertDetailSchema }, handle: (c) => handleChange(deps, c),
    },
  ]
}

async function handleDetail(deps: AlertRouteDeps, c: RequestContext): Promise<Response> {
  return await respondWithAlert(deps, c, await getAlert(deps, getPrincipal(c).tenant, readIdParam(c)))
}

async function handleChange(deps: AlertRouteDeps, c: RequestContext): Promise<Response> {
  const update = toAlertUpdate(await readJson(c, alertChangeSchema))
  const isAnswer = update.status === undefined && update.assignee === undefined
  if (!isAnswer) checkAccess(getPrincipal(c), 'update_alerts')
  return await respondWithAlert(deps, c, await updateAlert(deps, getPrincipal(c), { id: readIdParam(c), update, versions: readIfMatch(c) }))
}

async function respondWithAlert({ readSla }: AlertRouteDeps, c: RequestContext, file: AlertDetail): Promise<Response> {
  return respondWithEtag(c, printAlertDetail(file, await readSla(getPrincipal(c).tenant)), file.alert.version)
}
