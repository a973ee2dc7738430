import { AppError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import type { ProvisioningToken } from '@tripline/model/access/provisioning'
import { mapRole } from '@tripline/model/access/role-mapping'
import type { TenantRole } from '@tripline/model/access/role-mapping'
import { createUuidV7 } from '@tripline/model/ids'
import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import { notFound } from '@tripline/state/ports/version-conflict'
import { createToken, provisioningTokenPrefix } from '../../access/keys/connector-token.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { limits } from '../../limits.ts'
import { toGroupClaims } from '../../scim/user-resource.ts'
import type { AdminDeps } from '../shared/admin-deps.ts'

/** What an identity provider provisioned, for the settings of a tenant. */
type Provisioning = {
  readonly tokens: readonly ProvisioningToken[]
  readonly userCount: number
  readonly usersWithoutRole: number
  readonly groups: readonly ProvisionedGroupRole[]
}

type ProvisionedGroupRole = {
  readonly id: string
  readonly name: string
  readonly externalId: string
  readonly memberCount: number
  readonly role: TenantRole | undefined
}

/** Returns the tokens of a tenant, and what came by them. */
export async function getProvisioning({ state }: Pick<AdminDeps, 'state'>, tenant: TenantId): Promise<Provisioning> {
  const { provisioning, users, tenants } = state
  const [tokens, stated, groups, counts, all, stored] = await Promise.all([
    provisioning.listTokens(tenant), provisioning.listUsers(tenant), provisioning.listGroups(tenant),
    provisioning.countMembers(tenant), users.list(tenant), tenants.get(tenant),
  ])
  const { roleMapping } = resolveSettings(stored ?? { settings: {} })
  const present = new Set(stated.filter(({ isRemoved }) => !isRemoved).map(({ userId }) => userId))
  return {
    tokens, userCount: present.size, usersWithoutRole: all.filter(({ id, roles }) => present.has(id) && roles.length === 0).length,
    groups: groups.map((group) => {
      const { id, displayName: name, externalId } = group
      const role = mapRole({ groups: toGroupClaims([group]) }, roleMapping, limits.auth.claimValuesMax)
      return { id, name, externalId, memberCount: counts.get(id) ?? 0, role }
    }),
  }
}

/**
 * Issues a token, whose text only this result has. A second one can be issued, so that a provider is given the new one before the
 * old one is revoked.
 *
 * @throws AppError CONFLICT where the tenant has as many tokens as it may have.
 */
export async function issueProvisioningToken(
  deps: AdminDeps, caller: Principal,
): Promise<{ readonly text: string; readonly token: ProvisioningToken }> {
  const at = deps.clock.now()
  const { text, hash } = createToken(provisioningTokenPrefix, deps)
  const unused = { lastUsedAt: undefined, lastUsedIp: undefined }
  const token: ProvisioningToken = {
    id: createUuidV7(at, deps.randomBytes), hash, createdBy: caller.actor.id, createdAt: at,
    expiresAt: at + limits.scim.tokenLifetimeMs, ...unused,
  }
  await deps.state.transaction(async (stores) => {
    const { tokensMax } = limits.scim
    if ((await stores.provisioning.listTokens(caller.tenant)).length >= tokensMax) {
      throw new AppError('CONFLICT', `the tenant has ${tokensMax} tokens of SCIM already; revoke one first`)
    }
    await stores.provisioning.insertToken(caller.tenant, token)
    const target = { type: 'scim_token', id: token.id }
    await recordAudit(stores, caller, { at, action: 'scim_token.create', target, diff: { expires_at: [null, token.expiresAt] } })
  })
  return { text, token }
}

/** Revokes a token: the next request with it is refused. @throws StoreError NOT_FOUND. */
export async function revokeProvisioningToken({ state, clock }: AdminDeps, caller: Principal, id: string): Promise<void> {
  await state.transaction(async (stores) => {
    if (!await stores.provisioning.removeToken(caller.tenant, id)) throw notFound('token')
    await recordAudit(stores, caller, { at: clock.now(), action: 'scim_token.revoke', target: { type: 'scim_token', id } })
  })
}
