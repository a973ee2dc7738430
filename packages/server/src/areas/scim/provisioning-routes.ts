import { createdProvisioningTokenSchema, provisioningSchema } from '@tripline/contract/console/access/provisioning'
import type { ProvisioningBody } from '@tripline/contract/console/access/provisioning'
import type { ProvisioningToken } from '@tripline/model/access/provisioning'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { readIdParam } from '../../http/id-param.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import type { AdminDeps } from '../shared/admin-deps.ts'
import { getProvisioning, issueProvisioningToken, revokeProvisioningToken } from './provisioning-settings.ts'
import { scimBase } from './scim-routes.ts'

const path = '/v1/settings/scim'
const access = 'administer_tenant'

/** Routes for the tokens with which an identity provider provisions users, and for what it provisioned. */
export function provisioningRoutes(deps: AdminDeps & { readonly publicUrl: string }): Route[] {
  return [
    {
      method: 'GET', path, access, summary: 'Returns the tokens of SCIM, and what an identity provider provisioned',
      responses: { 200: provisioningSchema },
      handle: async (c) => {
        const { tokens, userCount, usersWithoutRole, groups } = await getProvisioning(deps, getPrincipal(c).tenant)
        const body: ProvisioningBody = {
          base_url: deps.publicUrl === '' ? null : `${deps.publicUrl.replace(/\/$/, '')}${scimBase}`,
          tokens: tokens.map(printToken), user_count: userCount, users_without_role: usersWithoutRole,
          groups: groups.map(({ id, name, externalId, memberCount, role }) => ({
            id, name, external_id: externalId === '' ? null : externalId, member_count: memberCount, role: role ?? null,
          })),
        }
        return respond(c, body)
      },
    },
    {
      method: 'POST', path: `${path}/tokens`, access, isIdempotent: true,
      summary: 'Issues a token of SCIM, which is shown only in this response',
      errors: ['CONFLICT'], responses: { 201: createdProvisioningTokenSchema },
      handle: async (c) => {
        const { text, token } = await issueProvisioningToken(deps, getPrincipal(c))
        return respond(c, { ...printToken(token), token: text }, 201)
      },
    },
    {
      method: 'DELETE', path: `${path}/tokens/:id`, access, summary: 'Revokes a token of SCIM', responses: { 204: null },
      handle: async (c) => {
        await revokeProvisioningToken(deps, getPrincipal(c), readIdParam(c))
        return c.body(null, 204)
      },
    },
  ]
}

type TokenBody = ProvisioningBody['tokens'][number]

function printToken({ id, createdBy, createdAt, expiresAt, lastUsedAt, lastUsedIp }: ProvisioningToken): TokenBody {
  return {
    id, created_by: createdBy, created_at: formatTimestamp(createdAt), expires_at: formatTimestamp(expiresAt),
    last_used_at: lastUsedAt === undefined ? null : formatTimestamp(lastUsedAt), last_used_ip: lastUsedIp ?? null,
  }
}
