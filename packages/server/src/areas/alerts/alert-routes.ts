import { alertChangeSchema, alertDetailSchema, alertListQuerySchema, alertListSchema } from '@tripline/contract/console/alert'
import type { AlertListBody } from '@tripline/contract/console/alert'
import { readIfMatch } from '../../http/etag.ts'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { printList } from '../../http/lists/print-list.ts'
import { toRangeFilter, readList } from '../../http/lists/read-list.ts'
import { buildSeverityFilter } from '../../http/lists/severity-filter.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { readQuery } from '../../http/validate.ts'
import type { Alert } from '../../model/alert.ts'
import type { Clock } from '../../runtime/runtime.ts'
import type { ListPage } from '../shared/list-page.ts'
import { recordListRead } from '../shared/record-list-read.ts'
import type { OutcomeDeps } from '../shared/record-outcome.ts'
import { parseAlertStatus, printAlert, printAlertDetail } from './alert-view.ts'
import { getAlert, listAlerts, updateAlert } from './alerts.ts'
import type { AlertDeps, AlertDetail, OnAlertUpdated } from './alerts.ts'

const path = '/v1/alerts'

type AlertRouteDeps = AlertDeps & OutcomeDeps & { readonly clock: Clock }

/** Routes for the alerts of a tenant. `onUpdated` is called after each change. */
export function alertRoutes(app: AlertRouteDeps, onUpdated: OnAlertUpdated): Route[] {
  return [
    {
      method: 'GET', path, access: 'read', summary: 'Lists alerts',
      query: alertListQuerySchema, list: lists.alerts, responses: { 200: alertListSchema }, handle: (c) => handleList(app, c),
    },
    {
      method: 'GET', path: `${path}/:id`, access: 'read', summary: 'Returns an alert with its comments and evidence',
      headers: ['ETag'], responses: { 200: alertDetailSchema }, handle: (c) => handleDetail(app, c),
    },
    {
      method: 'PUT', path: `${path}/:id`, access: 'update_alerts',
      summary: "Updates an alert's status, assignee or verdict, or adds a comment",
      body: alertChangeSchema, checksVersion: true, headers: ['ETag'], errors: ['CONFLICT'],
      responses: { 200: alertDetailSchema }, handle: (c) => handleChange(app, c, onUpdated),
    },
  ]
}

async function handleList(app: AlertRouteDeps, c: RequestContext): Promise<Response> {
  const { entries, warnings, ...page } = await recordListRead(app, c, 'alerts', () => readPage(app, c))
  const body: AlertListBody = {
    alerts: entries.map(printAlert),
    ...printList(page, { tookMs: app.clock.elapsedMs() - c.get('startedMs'), warnings }),
  }
  return respond(c, body)
}

async function readPage(app: AlertDeps, c: RequestContext): Promise<ListPage<Alert> & { readonly warnings: readonly string[] }> {
  const { query, warnings } = readQuery(c, alertListQuerySchema)
  const { severity, status, from, to, ...paging } = query
  const listed = readList(lists.alerts, paging, [
    ...(severity === undefined ? [] : [buildSeverityFilter('severity', 'in', severity)]),
    ...(status === undefined ? [] : [{ field: 'status', operator: 'in', value: status.map(parseAlertStatus) } as const]),
    ...toRangeFilter(c, 'created_at', { from, to }),
  ])
  return { ...await listAlerts(app, getPrincipal(c).tenant, listed.request), warnings: [...warnings, ...listed.warnings] }
}

async function handleDetail(app: AlertDeps, c: RequestContext): Promise<Response> {
  return respondWithAlert(c, await getAlert(app, getPrincipal(c).tenant, readIdParam(c)))
}

async function handleChange(app: AlertDeps, c: RequestContext, onUpdated: OnAlertUpdated): Promise<Response> {
  const { status, assignee, notes, verdict } = await readJson(c, alertChangeSchema)
  const update = {
    ...(status !== undefined && { status: parseAlertStatus(status) }),
    ...(assignee !== undefined && { assignee }),
    ...(verdict !== undefined && { verdict }),
    ...(notes !== undefined && { comment: notes }),
  }
  return respondWithAlert(c, await updateAlert(app, getPrincipal(c), { id: readIdParam(c), update, versions: readIfMatch(c) }, onUpdated))
}

function respondWithAlert(c: RequestContext, file: AlertDetail): Response {
  return respondWithEtag(c, printAlertDetail(file), file.alert.version)
}
