import type { App } from '../../app/app.ts'
import { identityKind, personSortFields } from '../../app/identities.ts'
import type { PersonWithAlerts } from '../../app/identities.ts'
import {
  identityChangeSchema, identityListQuerySchema, identityListSchema, identitySchema,
} from '../../contract/identity.ts'
import type { IdentityBody } from '../../contract/identity.ts'
import { identityRows, personFactsOf } from '../../imports/identity-row.ts'
import type { Io } from '../../runtime.ts'
import { printInstant } from '../format-timestamp.ts'
import { lists } from '../lists/list-definition.ts'
import type { Route } from '../route.ts'
import { knownRoutes } from './enrichment-routes.ts'

/** The persons of a tenant, whom the API calls identities. */
export function identityRoutes(app: App, io: Pick<Io, 'elapsedMs'>): Route[] {
  return knownRoutes(app, io, {
    kind: identityKind,
    path: '/v1/identities',
    names: { many: 'identities', one: 'an identity', list: 'identities' },
    schemas: { entry: identitySchema, list: identityListSchema, query: identityListQuerySchema, change: identityChangeSchema },
    sortFields: personSortFields,
    definition: lists.identities,
    queryOf: ({ department, is_privileged }, { page }) => ({
      filter: { departments: department, isPrivileged: is_privileged }, ...page,
    }),
    print: printIdentity,
    changeOf: personFactsOf,
    rows: identityRows,
  })
}

function printIdentity(person: PersonWithAlerts): IdentityBody {
  const { id, name, email, department, isPrivileged, aliases, lastSeenAt, openAlertCount, sources } = person
  return {
    id, name, email, department, is_privileged: isPrivileged, aliases: [...aliases], last_seen: printInstant(lastSeenAt),
    open_alerts: openAlertCount, sources: [...sources],
  }
}
