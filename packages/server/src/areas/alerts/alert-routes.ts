import { alertChangeSchema, alertDetailSchema, alertListQuerySchema, alertListSchema } from '@tripline/contract/console/alert'
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
import { alertFigureRoutes } from './alert-figure-routes.ts'
import { toAlertFilters } from './alert-selection.ts'
import { bulkChangeRoutes } from './bulk-change-routes.ts'
import { printAlertDetail, toAlertUpdate } from './alert-view.ts'
import { getAlert, listAlerts, updateAlert } from './alerts.ts'
import type { AlertDeps, AlertDetail } from './alerts.ts'

const path = '/v1/alerts'

/** Routes for the alerts of a tenant. */
export function alertRoutes(app: AlertDeps & ListRouteDeps): Route[] {
  return [
    listRoute(app, {
      path, access: 'read', summary: 'Lists alerts', name: 'alerts', isRecorded: true,
      list: lists.alerts, query: alertListQuerySchema, response: alertListSchema,
      toWhere: toAlertFilters,
      readPage: async (c, request) => {
        const { entries, ...page } = await listAlerts(app, getPrincipal(c).tenant, request)
        return { ...page, entries: entries.map(printAlert) }
      },
    }),
    ...alertFigureRoutes(app), ...bulkChangeRoutes(app),
    {
      method: 'GET', path: `${path}/:id`, access: 'read', summary: 'Returns an alert with its comments and evidence',
      headers: ['ETag'], responses: { 200: alertDetailSchema }, handle: (c) => handleDetail(app, c),
    },
    {
      method: 'PUT', path: `${path}/:id`, access: 'update_alerts',
      summary: "Updates an alert's status, assignee or verdict, or adds a comment",
      body: alertChangeSchema, checksVersion: true, headers: ['ETag'], errors: ['CONFLICT'],
      responses: { 200: alertDetailSchema }, handle: (c) => handleChange(app, c),
    },
  ]
}

async function handleDetail(app: AlertDeps, c: RequestContext): Promise<Response> {
  return respondWithAlert(c, await getAlert(app, getPrincipal(c).tenant, readIdParam(c)))
}

async function handleChange(app: AlertDeps, c: RequestContext): Promise<Response> {
  const update = toAlertUpdate(await readJson(c, alertChangeSchema))
  return respondWithAlert(c, await updateAlert(app, getPrincipal(c), { id: readIdParam(c), update, versions: readIfMatch(c) }))
}

function respondWithAlert(c: RequestContext, file: AlertDetail): Response {
  return respondWithEtag(c, printAlertDetail(file), file.alert.version)
}
