import {
  newReportScheduleSchema, reportScheduleListSchema, reportSchedulePatchSchema, reportScheduleSchema,
} from '@tripline/contract/console/report-schedule'
import { reportSchema } from '@tripline/contract/console/response/report'
import { readIfMatch } from '../../http/etag.ts'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { changeSchedule, createSchedule, getSchedule, removeSchedule, runSchedule } from '../../reports/report-schedules.ts'
import type { ScheduleDeps } from '../../reports/report-schedules.ts'
import { printReportEntry } from './report-view.ts'
import { printSchedule, readNewSchedule, readScheduleChange } from './schedule-view.ts'

const path = '/v1/report-schedules'
const onePath = `${path}/:id`
// Reports leave by channels: who may edit these may say which reports go there.
const edit = 'edit_webhooks'

/** Routes for the schedules of reports. */
export function scheduleRoutes(deps: ScheduleDeps): Route[] {
  return [
    {
      method: 'GET', path, access: 'export_own', summary: 'Lists schedules of reports', responses: { 200: reportScheduleListSchema },
      handle: async (c) => respond(c, { schedules: (await deps.state.reportSchedules.list(getPrincipal(c).tenant)).map(printSchedule) }),
    },
    {
      method: 'POST', path, access: edit, isIdempotent: true, summary: 'Schedules a report, and where it is sent',
      body: newReportScheduleSchema, headers: ['ETag', 'Location'], errors: ['CONFLICT', 'NOT_FOUND'],
      responses: { 201: reportScheduleSchema },
      handle: async (c) => {
        const schedule = await createSchedule(deps, getPrincipal(c), readNewSchedule(await readJson(c, newReportScheduleSchema)))
        c.header('Location', `${path}/${schedule.id}`)
        return respondWithEtag(c, printSchedule(schedule), schedule.version, 201)
      },
    },
    {
      method: 'GET', path: onePath, access: 'export_own', summary: 'Returns a schedule of reports', headers: ['ETag'],
      responses: { 200: reportScheduleSchema },
      handle: async (c) => {
        const schedule = await getSchedule(deps, getPrincipal(c).tenant, readIdParam(c))
        return respondWithEtag(c, printSchedule(schedule), schedule.version)
      },
    },
    {
      method: 'PATCH', path: onePath, access: edit, summary: 'Changes or pauses a schedule of reports; omitted attributes are kept',
      body: reportSchedulePatchSchema, checksVersion: true, headers: ['ETag'], errors: ['CONFLICT'],
      responses: { 200: reportScheduleSchema },
      handle: async (c) => {
        const patch = readScheduleChange(await readJson(c, reportSchedulePatchSchema))
        const schedule = await changeSchedule(deps, getPrincipal(c), readIdParam(c), { patch, versions: readIfMatch(c) })
        return respondWithEtag(c, printSchedule(schedule), schedule.version)
      },
    },
    {
      method: 'DELETE', path: onePath, access: edit, summary: 'Deletes a schedule of reports; its reports stay', checksVersion: true,
      responses: { 204: null },
      handle: async (c) => {
        await removeSchedule(deps, getPrincipal(c), readIdParam(c), readIfMatch(c))
        return c.body(null, 204)
      },
    },
    {
      method: 'POST', path: `${onePath}/run`, access: edit, isIdempotent: true,
      summary: 'Makes the report of a schedule now and sends it', headers: ['Location'],
      responses: { 202: reportSchema },
      handle: async (c) => {
        const report = printReportEntry(await runSchedule(deps, getPrincipal(c), readIdParam(c)))
        c.header('Location', report.status_url)
        return respond(c, report, 202)
      },
    },
  ]
}
