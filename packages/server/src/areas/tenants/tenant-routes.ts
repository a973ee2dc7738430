import {
  createdTenantSchema, newTenantBodySchema, tenantListSchema, tenantPatchSchema, tenantSchema,
} from '@tripline/contract/console/access/tenant'
import { readIfMatch } from '../../http/etag.ts'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import type { AdminDeps } from '../shared/admin-deps.ts'
import { getTenant } from './tenant-settings.ts'
import { printTenant } from './tenant-view.ts'
import { changeTenant, createTenant, listTenants } from './tenants.ts'

const path = '/v1/tenants'
const access = 'administer_platform'

type TenantRouteDeps = AdminDeps & {
  /** Polls for the tenants that are active. */
  readonly connectors: { readonly runner: { readonly syncTenants: () => Promise<void> } }
}

/** Routes for tenants, for platform operators. They expose nothing of a tenant's data. */
export function tenantRoutes(deps: TenantRouteDeps): Route[] {
  return [
    {
      method: 'GET', path, access, summary: 'Lists the tenants', responses: { 200: tenantListSchema },
      handle: async (c) => respond(c, { tenants: (await listTenants(deps)).map(printTenant) }),
    },
    {
      method: 'POST', path, access, isIdempotent: true, summary: 'Creates a tenant, optionally with its first admin',
      body: newTenantBodySchema, headers: ['ETag', 'Location'], responses: { 201: createdTenantSchema },
      handle: async (c) => {
        const order = await readJson(c, newTenantBodySchema)
        const { tenant, oneTimePassword = null } = await createTenant(deps, getPrincipal(c), order)
        c.header('Location', `${path}/${tenant.id}`)
        return respondWithEtag(c, { ...printTenant(tenant), one_time_password: oneTimePassword }, tenant.version, 201)
      },
    },
    {
      method: 'GET', path: `${path}/:id`, access, summary: 'Returns a tenant', headers: ['ETag'], responses: { 200: tenantSchema },
      handle: async (c) => {
        const tenant = await getTenant(deps, readIdParam(c))
        return respondWithEtag(c, printTenant(tenant), tenant.version)
      },
    },
    {
      method: 'PATCH', path: `${path}/:id`, access, summary: 'Updates, enables or disables a tenant',
      body: tenantPatchSchema, checksVersion: true, headers: ['ETag'], errors: ['CONFLICT', 'INVALID_PARAMETER'],
      responses: { 200: tenantSchema },
      handle: async (c) => {
        const said = await readJson(c, tenantPatchSchema)
        const { name, is_active: isActive, plan } = said
        const { api_requests_per_minute: apiRequestsPerMinute, egress_allow_cidrs: egressAllowCidrs } = said
        const change = { patch: { name, isActive, plan, apiRequestsPerMinute, egressAllowCidrs }, versions: readIfMatch(c) }
        const tenant = await changeTenant(deps, getPrincipal(c), readIdParam(c), change)
        await deps.connectors.runner.syncTenants()
        return respondWithEtag(c, printTenant(tenant), tenant.version)
      },
    },
  ]
}
