import { preferencesSchema, profileSchema } from '@tripline/contract/console/access/account'
import type { z } from 'zod'
import { readIfMatch } from '../../http/etag.ts'
import { readJson } from '../../http/json-body.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { limits } from '../../limits.ts'
import { printSessionUser } from '../shared/print-session-user.ts'
import { printResponseTargets } from '../shared/sla.ts'
import { getPreferences, getProfile, putPreferences } from './profile.ts'
import type { OwnProfile, ProfileDeps } from './profile.ts'

const access = 'own_account'
const preferencesPath = '/v1/me/preferences'

/** Routes for the own profile and preferences. */
export function profileRoutes(deps: ProfileDeps): Route[] {
  return [
    {
      method: 'GET', path: '/v1/auth/me', access, summary: 'Returns the authenticated user, with rights, tenant and limits',
      responses: { 200: profileSchema }, handle: async (c) => respond(c, printProfile(await getProfile(deps, getPrincipal(c)))),
    },
    {
      method: 'GET', path: preferencesPath, access, summary: 'Returns your preferences', headers: ['ETag'],
      responses: { 200: preferencesSchema },
      handle: async (c) => {
        const { content, version } = await getPreferences(deps, getPrincipal(c))
        return respondWithEtag(c, { preferences: content }, version)
      },
    },
    {
      method: 'PUT', path: preferencesPath, access, summary: 'Replaces your preferences', checksVersion: true,
      body: preferencesSchema, headers: ['ETag'], responses: { 200: preferencesSchema },
      handle: async (c) => {
        const { preferences } = await readJson(c, preferencesSchema)
        const stored = await putPreferences(deps, getPrincipal(c), { content: preferences, versions: readIfMatch(c) })
        return respondWithEtag(c, { preferences: stored.content }, stored.version)
      },
    },
  ]
}

function printProfile({ user, factor, permissions, tenant, tenants }: OwnProfile): z.output<typeof profileSchema> {
  const { rate, push, profile } = limits
  return {
    ...printSessionUser(tenant.id, user, factor),
    permissions: [...permissions],
    tenant: {
      id: tenant.id, name: tenant.name, timezone: tenant.timezone, response_targets: printResponseTargets(tenant.responseTargets),
    },
    tenants: tenants.map(({ id, name }) => ({ id, name })),
    limits: {
      user_requests_per_minute: rate.userRequestsMax, tenant_requests_per_minute: rate.tenantRequestsMax,
      sockets: push.userConnectionsMax, preferences_bytes: profile.preferencesBytesMax,
    },
  }
}
