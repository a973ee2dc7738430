import {
  identityChangeSchema, identityListQuerySchema, identityListSchema, identitySchema,
} from '@tripline/contract/console/identity'
import type { IdentityBody } from '@tripline/contract/console/identity'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { lists } from '../../http/lists/list-definition.ts'
import type { Route } from '../../http/route.ts'
import { identityRows, parseDirectoryUserFacts } from '../../ingestion/imports/identity-row.ts'
import { enrichmentRoutes } from './enrichment-routes.ts'
import type { EnrichmentRouteDeps } from './enrichment-routes.ts'
import { identityKind, directoryUserSortFields } from './identities.ts'
import type { DirectoryUserWithAlerts } from './identities.ts'

/** Routes for the directory users of a tenant, which the API calls identities. */
export function identityRoutes(app: EnrichmentRouteDeps): Route[] {
  return enrichmentRoutes(app, {
    kind: identityKind,
    path: '/v1/identities',
    names: { many: 'identities', one: 'an identity', list: 'identities' },
    schemas: { entry: identitySchema, list: identityListSchema, query: identityListQuerySchema, change: identityChangeSchema },
    sortFields: directoryUserSortFields,
    definition: lists.identities,
    toQuery: ({ department, is_privileged }, { page }) => ({
      filter: { departments: department, isPrivileged: is_privileged }, ...page,
    }),
    print: printIdentity,
    toChange: parseDirectoryUserFacts,
    rows: identityRows,
  })
}

function printIdentity(person: DirectoryUserWithAlerts): IdentityBody {
  const { id, name, email, department, isPrivileged, aliases, lastSeenAt, openAlertCount, sources } = person
  return {
    id, name, email, department, is_privileged: isPrivileged, aliases: [...aliases], last_seen: formatTimestamp(lastSeenAt),
    open_alerts: openAlertCount, sources: [...sources],
  }
}
