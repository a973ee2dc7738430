import { getAlert, listAlerts, updateAlert } from '../../app/alerts.ts'
import type { AlertFile, AlertUpdated } from '../../app/alerts.ts'
import type { App } from '../../app/app.ts'
import { alertChangeSchema, alertDetailSchema, alertListQuerySchema, alertListSchema } from '../../contract/alert.ts'
import type { AlertListBody } from '../../contract/alert.ts'
import type { Io } from '../../runtime.ts'
import { readIfMatch } from '../etag.ts'
import { pathId } from '../id-param.ts'
import { readJson } from '../json-body.ts'
import { lists } from '../lists/list-definition.ts'
import { printList } from '../lists/print-list.ts'
import { rangeOf, readList } from '../lists/read-list.ts'
import { compareLevels } from '../lists/severity-filter.ts'
import { answerVersioned } from '../respond-with-etag.ts'
import { answer } from '../respond.ts'
import { callerOf } from '../route.ts'
import type { RequestContext, Route } from '../route.ts'
import { readQuery } from '../validate.ts'
import { alertStatusOf, printAlert, printAlertDetail } from './alert-view.ts'

const path = '/v1/alerts'

/** The alerts of a tenant: list, detail, change. `onUpdated` is told of each change. */
export function alertRoutes(app: App, { elapsedMs }: Pick<Io, 'elapsedMs'>, onUpdated: AlertUpdated): Route[] {
  return [
    {
      method: 'GET', path, access: 'read', summary: 'Lists alerts',
      query: alertListQuerySchema, answers: { 200: alertListSchema }, handle: (c) => answerList(app, c, elapsedMs),
    },
    {
      method: 'GET', path: `${path}/:id`, access: 'read', summary: 'Shows an alert with its comments and evidence',
      answers: { 200: alertDetailSchema }, handle: (c) => answerDetail(app, c),
    },
    {
      method: 'PUT', path: `${path}/:id`, access: 'update_alerts',
      summary: 'Changes status, assignee or verdict of an alert, or adds a comment',
      body: alertChangeSchema, answers: { 200: alertDetailSchema }, handle: (c) => answerChange(app, c, onUpdated),
    },
  ]
}

async function answerList(app: App, c: RequestContext, elapsedMs: Io['elapsedMs']): Promise<Response> {
  const { query, warnings } = readQuery(c, alertListQuerySchema)
  const { severity, status, from, to, ...paging } = query
  const listed = readList(lists.alerts, paging, [
    ...(severity === undefined ? [] : [compareLevels('severity', 'in', severity)]),
    ...(status === undefined ? [] : [{ field: 'status', operator: 'in', value: status.map(alertStatusOf) } as const]),
    ...rangeOf(c, 'created_at', { from, to }),
  ])
  const { entries, ...page } = await listAlerts(app, callerOf(c).tenant, listed.request)
  const body: AlertListBody = {
    alerts: entries.map(printAlert),
    ...printList(page, { tookMs: elapsedMs() - c.get('startedMs'), warnings: [...warnings, ...listed.warnings] }),
  }
  return answer(c, body)
}

async function answerDetail(app: App, c: RequestContext): Promise<Response> {
  return answerFile(c, await getAlert(app, callerOf(c).tenant, pathId(c)))
}

async function answerChange(app: App, c: RequestContext, onUpdated: AlertUpdated): Promise<Response> {
  const { status, assignee, notes, verdict } = await readJson(app, c, alertChangeSchema)
  const update = {
    ...(status !== undefined && { status: alertStatusOf(status) }),
    ...(assignee !== undefined && { assignee }),
    ...(verdict !== undefined && { verdict }),
    ...(notes !== undefined && { comment: notes }),
  }
  return answerFile(c, await updateAlert(app, callerOf(c), { id: pathId(c), update, versions: readIfMatch(c) }, onUpdated))
}

function answerFile(c: RequestContext, file: AlertFile): Response {
  return answerVersioned(c, printAlertDetail(file), file.alert.version)
}
