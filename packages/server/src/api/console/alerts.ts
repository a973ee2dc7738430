import { getAlert, listAlerts, updateAlert } from '../../app/alerts.ts'
import type { AlertUpdated } from '../../app/alerts.ts'
import type { App } from '../../app/app.ts'
import { alertChangeSchema, alertDetailSchema, alertListQuerySchema, alertListSchema } from '../../contract/alert.ts'
import type { AlertListBody } from '../../contract/alert.ts'
import type { Io } from '../../io.ts'
import { limits } from '../../limits.ts'
import { answer } from '../answer.ts'
import { printEtag, readIfMatch } from '../etag.ts'
import { compareLevels } from '../lists/compare-levels.ts'
import { lists } from '../lists/list-definition.ts'
import { printList } from '../lists/print-list.ts'
import { rangeOf, readList } from '../lists/read-list.ts'
import { parseJsonBody, withBody } from '../read-body.ts'
import { callerOf } from '../route.ts'
import type { RequestContext, Route } from '../route.ts'
import { checkBody, readQuery } from '../validate.ts'
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
  const file = await getAlert(app, callerOf(c).tenant, alertIdOf(c))
  c.header('ETag', printEtag(file.alert.version))
  return answer(c, printAlertDetail(file))
}

async function answerChange(app: App, c: RequestContext, onUpdated: AlertUpdated): Promise<Response> {
  return await withBody(c, { bytesMax: limits.request.bodyBytesMax, budget: app.bodies }, async (bytes) => {
    const { status, assignee, notes, verdict } = checkBody(parseJsonBody(c, bytes), alertChangeSchema)
    const update = {
      ...(status !== undefined && { status: alertStatusOf(status) }),
      ...(assignee !== undefined && { assignee }),
      ...(verdict !== undefined && { verdict }),
      ...(notes !== undefined && { comment: notes }),
    }
    const file = await updateAlert(app, callerOf(c), { id: alertIdOf(c), update, versions: readIfMatch(c) }, onUpdated)
    c.header('ETag', printEtag(file.alert.version))
    return answer(c, printAlertDetail(file))
  })
}

/** Ids of alerts are UUIDs, whose case means nothing. */
function alertIdOf(c: RequestContext): string {
  return (c.req.param('id') ?? '').toLowerCase()
}
