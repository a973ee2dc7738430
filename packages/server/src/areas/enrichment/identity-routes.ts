import {
  identityChangeSchema, identityListQuerySchema, identityListSchema, identitySchema,
} from '@tripline/contract/console/enrichment/identity'
import type { IdentityBody, IdentityListQuery } from '@tripline/contract/console/enrichment/identity'
import type { Filter } from '@tripline/model/lists/filter'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { readJson } from '../../http/json-body.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { listRoute } from '../../http/lists/list-route.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { identityRows, parseDirectoryUserFacts } from '../../ingestion/imports/identity-row.ts'
import { openImportFile } from '../../ingestion/imports/open-import-file.ts'
import { listRecords } from './enrichment-records.ts'
import { enrichmentRoutes } from './enrichment-routes.ts'
import type { EnrichmentRouteDeps } from './enrichment-routes.ts'
import { identityKind } from './identities.ts'
import type { DirectoryUserWithAlerts } from './identities.ts'

const path = '/v1/identities'

/** Routes for the directory users of a tenant, which the API calls identities. */
export function identityRoutes(deps: EnrichmentRouteDeps): Route[] {
  return enrichmentRoutes(deps, {
    kind: identityKind, path, names: { many: 'identities', one: 'an identity' }, print: printIdentity,
    schemas: { entry: identitySchema, change: identityChangeSchema, row: identityRows.schema },
    listRoute: listRoute(deps, {
      path, access: 'read', summary: 'Lists identities', name: 'identities', isRecorded: true,
      list: lists.identities, query: identityListQuerySchema, response: identityListSchema, toWhere: toIdentityFilters,
      readPage: async (c, request) => {
        const { entries, ...page } = await listRecords(deps, identityKind, getPrincipal(c).tenant, request)
        return { ...page, entries: entries.map(printIdentity) }
      },
    }),
    readChange: async (c) => parseDirectoryUserFacts(await readJson(c, identityChangeSchema)),
    openFile: (bytes, format) => openImportFile(bytes, format, identityRows),
  })
}

function toIdentityFilters({ department, is_privileged: isPrivileged }: IdentityListQuery): readonly Filter[] {
  return [
    ...(department === undefined ? [] : [{ field: 'department', operator: 'in', value: department } as const]),
    ...(isPrivileged === undefined ? [] : [{ field: 'is_privileged', operator: 'eq', value: Number(isPrivileged) } as const]),
  ]
}

function printIdentity(person: DirectoryUserWithAlerts): IdentityBody {
  const { id, name, email, department, isPrivileged, aliases, lastSeenAt, openAlertCount, sources } = person
  return {
    id, name, email, department, is_privileged: isPrivileged, aliases: [...aliases], last_seen: formatTimestamp(lastSeenAt),
    open_alerts: openAlertCount, sources: [...sources],
  }
}
