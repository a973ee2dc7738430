import { exportParameters, exportRows, toFileSchema } from '@tripline/contract/public/export'
import type { ExportResource } from '@tripline/contract/public/export'
import { levelOfSeverity } from '@tripline/model/public-words'
import type { Filter } from '@tripline/model/lists/filter'
import { isAnyOf, toPublicRange } from '../../http/public/public-list.ts'
import { publicRoute } from '../../http/public/public-route.ts'
import type { PublicRoute } from '../../http/public/public-route.ts'
import { exportList, exportResources } from './export-resources.ts'
import { beginExport } from './run-export.ts'
import type { ExportDeps, ExportFile } from './run-export.ts'
import { otherTypes, sendFile } from './send-file.ts'

const resources = Object.keys(exportRows) as readonly ExportResource[]

/** Exports in the public API: a route for each resource, so that each documents its filters. */
export function publicExportRoutes(deps: ExportDeps): PublicRoute[] {
  return resources.map((resource) => publicRoute<ExportFile, Parameters>({
    method: 'GET', path: `/export/${resource}`, resource: 'export', permission: exportResources[resource].permission,
    summary: `Exports ${resource} as JSON, CSV or NDJSON`, errors: ['CONFLICT'],
    parameters: resource === 'alerts' || resource === 'incidents' ? exportParameters[resource] : exportParameters.common,
    optionalHeaders: ['Content-Disposition'],
    response: {
      status: 200, otherTypes, toSchema: (profile) => toFileSchema(exportRows[resource], profile), render: (_profile, file) => file,
      send: (c, profile, file) => sendFile(c, file, profile),
    },
    async handle({ caller, query }) {
      const { format = 'json', search, from, to, ...rest } = query
      const { list: { sortDefault }, timeField } = exportResources[resource]
      const where: readonly Filter[] = [
        ...toPublicRange(timeField, { from, to }),
        ...isAnyOf('severity', rest.severity?.map((each) => levelOfSeverity[each])),
        ...isAnyOf('status', rest.status),
        ...isAnyOf('product', rest.source_type),
      ]
      const selection = { where, order: [sortDefault], ...(search !== undefined && { text: search }) }
      const source = exportList(deps, caller.tenant, resource, selection)
      return { body: await beginExport(deps, caller, { ...source, format, stated: query }) }
    },
  }))
}

/** All parameters; a resource declares those that it has. */
type Parameters = typeof exportParameters.common & Partial<Omit<typeof exportParameters.alerts, 'status'>> & {
  readonly status?: typeof exportParameters.alerts.status | typeof exportParameters.incidents.status
}
