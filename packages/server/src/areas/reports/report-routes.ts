import {
  newReportSchema, reportFileQuerySchema, reportListSchema, reportPreviewQuerySchema, reportSchema,
} from '@tripline/contract/console/response/report'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { respond, respondWithFile } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { readQuery } from '../../http/validate.ts'
import { mediaTypes } from '../../reports/report-printer.ts'
import { beginReport, getReport, listReports, previewReport, readReportFile, removeReport } from '../../reports/reports.ts'
import type { ReportDeps } from '../../reports/reports.ts'
import { printReportEntry, reportsPath } from './report-view.ts'

const path = reportsPath
const access = 'export_own'
/** The version of a report: it changes with its status alone. */
const steps = { queued: 0, running: 1, succeeded: 2, failed: 3 } as const
const previewPolicy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox"

/** Routes for the history of reports, their files and previews. */
export function reportRoutes(deps: ReportDeps): Route[] {
  return [
    {
      method: 'GET', path, access, summary: 'Lists reports, newest first', responses: { 200: reportListSchema },
      handle: async (c) => respond(c, { reports: (await listReports(deps, getPrincipal(c).tenant)).map(printReportEntry) }),
    },
    {
      method: 'POST', path, access, summary: 'Begins to make a report', body: newReportSchema, isIdempotent: true,
      headers: ['Location'], errors: ['CONFLICT', 'INVALID_PARAMETER', 'NOT_FOUND'], responses: { 202: reportSchema },
      handle: async (c) => {
        const { lang: language, ...request } = await readJson(c, newReportSchema)
        const report = printReportEntry(await beginReport(deps, getPrincipal(c), { ...request, language }))
        c.header('Location', report.status_url)
        return respond(c, report, 202)
      },
    },
    {
      method: 'GET', path: `${path}/:id`, access, summary: 'Returns a report of the history', headers: ['ETag'],
      responses: { 200: reportSchema },
      handle: async (c) => {
        const report = await getReport(deps, getPrincipal(c).tenant, readIdParam(c))
        return respondWithEtag(c, printReportEntry(report), steps[report.status])
      },
    },
    {
      method: 'GET', path: `${path}/:id/preview`, access, summary: 'Returns a report as a page, or as data to show',
      query: reportPreviewQuerySchema, errors: ['CONFLICT'],
      responseType: 'text/html', otherTypes: ['application/json'], responses: { 200: null },
      handle: async (c) => {
        const { query: { format = 'html' } } = readQuery(c, reportPreviewQuerySchema)
        const preview = await previewReport(deps, getPrincipal(c).tenant, readIdParam(c), format)
        c.header('Content-Security-Policy', previewPolicy)
        c.header('Content-Type', mediaTypes[format])
        return c.body(Uint8Array.from(preview).buffer, 200)
      },
    },
    {
      method: 'GET', path: `${path}/:id/file`, access, summary: 'Returns the file of a report, or the report in another format',
      query: reportFileQuerySchema, errors: ['CONFLICT'], headers: ['Content-Disposition', 'ETag'],
      responseType: 'application/pdf', otherTypes: ['text/html', 'text/csv', 'application/json'], responses: { 200: null },
      handle: async (c) => {
        const { query: { format } } = readQuery(c, reportFileQuerySchema)
        return respondWithFile(c, await readReportFile(deps, getPrincipal(c), readIdParam(c), format))
      },
    },
    {
      method: 'DELETE', path: `${path}/:id`, access: 'export_all', summary: 'Deletes a report with its file', responses: { 204: null },
      handle: async (c) => {
        await removeReport(deps, getPrincipal(c), readIdParam(c))
        return c.body(null, 204)
      },
    },
  ]
}
