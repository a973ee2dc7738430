import { exportQuerySchema, exportRows, toExportSchema } from '@tripline/contract/public/export'
import type { ExportResource } from '@tripline/contract/public/export'
import { parseFilter } from '../../http/lists/parse-filter.ts'
import { parseSort } from '../../http/lists/parse-sort.ts'
import { toRangeFilter } from '../../http/lists/read-list.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { readQuery } from '../../http/validate.ts'
import { exportResources } from './export-resources.ts'
import { beginExport } from './run-export.ts'
import type { ExportDeps } from './run-export.ts'
import { otherTypes, sendFile } from './send-file.ts'

const resources = Object.keys(exportRows) as readonly ExportResource[]

/** Routes that export each resource as a file, in the words of profile B of the public API. */
export function exportRoutes(deps: ExportDeps): Route[] {
  return resources.map((resource) => ({
    method: 'GET', path: `/v1/exports/${resource}`, access: exportResources[resource].permission,
    summary: `Exports ${resource} as JSON, CSV or NDJSON`, query: exportQuerySchema, otherTypes,
    errors: ['CONFLICT', 'INVALID_QUERY_FIELD'], headers: ['Content-Disposition'], responses: { 200: toExportSchema(resource, 'b') },
    handle: (c) => handleExport(deps, c, resource),
  }))
}

async function handleExport(deps: ExportDeps, c: RequestContext, resource: ExportResource): Promise<Response> {
  const { query: { format = 'json', sort, q: text, filters, from, to } } = readQuery(c, exportQuerySchema)
  const { list: { fields, sortDefault }, timeField } = exportResources[resource]
  const where = [...toRangeFilter(c, timeField, { from, to }), ...(filters === undefined ? [] : [parseFilter(fields, filters)])]
  const order = sort === undefined ? [sortDefault] : parseSort(fields, sort)
  const selection = { where, order, ...(text !== undefined && { text }) }
  const { format: _format, ...stated } = c.req.query()
  return await sendFile(c, await beginExport(deps, getPrincipal(c), { resource, format, selection, stated }), 'b')
}
