import { eventExportQuerySchema, eventRow } from '@tripline/contract/console/event-export'
import { listParameters } from '@tripline/contract/list'
import { exportQuerySchema, exportRows, toFileSchema } from '@tripline/contract/public/export'
import type { ExportResource } from '@tripline/contract/public/export'
import type { ListParameters } from '../../http/lists/list-route.ts'
import { parseFilter } from '../../http/lists/parse-filter.ts'
import { parseSort } from '../../http/lists/parse-sort.ts'
import { toRangeFilter } from '../../http/lists/read-list.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { readQuery } from '../../http/validate.ts'
import type { EventScan } from '../shared/event-scan.ts'
import { exportList, exportResources } from './export-resources.ts'
import { beginExport } from './run-export.ts'
import type { ExportDeps } from './run-export.ts'
import { otherTypes, sendFile } from './send-file.ts'

const resources = Object.keys(exportRows) as readonly ExportResource[]

/** The parameters of the lists that have some of their own: an export takes them too. */
type OwnParameters = { readonly [Resource in ExportResource]?: ListParameters }

/** What other areas know of lists and events. */
type Exportable = { readonly own: OwnParameters; readonly scanEvents: EventScan }

/** Routes that export each resource as a file, in the words of profile B of the public API, and events. */
export function exportRoutes(deps: ExportDeps, { own, scanEvents }: Exportable): Route[] {
  return [eventRoute(deps, scanEvents), ...resources.map((resource) => listExportRoute(deps, resource, own[resource]))]
}

const file = { otherTypes, headers: ['Content-Disposition'] } as const

function listExportRoute(deps: ExportDeps, resource: ExportResource, own: ListParameters | undefined): Route {
  const { list: { fields, sortDefault }, timeField, permission } = exportResources[resource]
  const ownShape = Object.fromEntries(Object.entries(own?.query.shape ?? {}).filter(([name]) => !Object.hasOwn(listParameters, name)))
  const schema = exportQuerySchema.extend(ownShape)
  const toWhere = async (c: RequestContext, range: Parameters<typeof toRangeFilter>[2]) => [
    ...(await own?.toWhere(readQuery(c, own.query).query, c) ?? []),
    ...('from' in ownShape ? [] : toRangeFilter(c, timeField, range)),
  ]
  return {
    method: 'GET', path: `/v1/exports/${resource}`, access: permission, summary: `Exports ${resource} as JSON, CSV or NDJSON`,
    query: schema, ...file, errors: ['CONFLICT', 'INVALID_QUERY_FIELD'], responses: { 200: toFileSchema(exportRows[resource], 'b') },
    handle: async (c) => {
      const { query: { format = 'json', sort, q: text, filters, from, to } } = readQuery(c, exportQuerySchema)
      const where = [...await toWhere(c, { from, to }), ...(filters === undefined ? [] : [parseFilter(fields, filters)])]
      const order = sort === undefined ? [sortDefault] : parseSort(fields, sort)
      const caller = getPrincipal(c)
      const source = exportList(deps, caller.tenant, resource, { where, order, ...(text !== undefined && { text }) })
      return await sendFile(c, await beginExport(deps, caller, { ...source, format, stated: getStated(c) }), 'b')
    },
  }
}

function eventRoute(deps: ExportDeps, scanEvents: EventScan): Route {
  return {
    method: 'GET', path: '/v1/exports/events', access: 'export_all',
    summary: 'Exports the events that a search finds as JSON, CSV or NDJSON, oldest first', query: eventExportQuerySchema, ...file,
    optionalHeaders: ['X-Query-Warnings'], errors: ['CONFLICT', 'INVALID_QUERY'], responses: { 200: toFileSchema(eventRow, 'b') },
    handle: async (c) => {
      const { query: { format = 'json', q: query = '', from, to } } = readQuery(c, eventExportQuerySchema)
      const caller = getPrincipal(c)
      const { scan, warnings } = scanEvents(caller.tenant, { query, from, to })
      const source = { resource: 'events', permission: 'export_all', row: eventRow, scan } as const
      const begun = await beginExport(deps, caller, { ...source, format, stated: getStated(c) })
      if (warnings.length > 0) c.header('X-Query-Warnings', warnings.join(', '))
      return await sendFile(c, begun, 'b')
    },
  }
}

/** The parameters as they were sent, but for the format. */
function getStated(c: RequestContext): { readonly [name: string]: string } {
  const { format: _format, ...stated } = c.req.query()
  return stated
}
