import type { Clock } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import { isAllowed, isPermission, permissions } from '@tripline/model/access/permission'
import type { Permission } from '@tripline/model/access/permission'
import type { Principal } from '@tripline/model/access/principal'
import type { User } from '@tripline/model/access/user'
import type { Preferences } from '@tripline/model/preferences'
import type { Tenant } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import type { StateStore } from '@tripline/state/ports/state-store'
import { requireFound, unwrapChange } from '@tripline/state/ports/version-conflict'
import type { ExpectedVersions } from '@tripline/state/ports/version-conflict'
import { getSecondFactorState } from '../../access/second-factor.ts'
import type { SecondFactorState } from '../../access/second-factor.ts'
import type { AuthService } from '../../access/open-auth.ts'
import { limits } from '../../limits.ts'

/** What the own profile needs of the server. */
export type ProfileDeps = {
  readonly state: StateStore
  readonly identity: AuthService
  /** Settings of tenants that do not set their own. */
  readonly settingDefaults: TenantSettings
  readonly clock: Pick<Clock, 'now'>
}

/** A user with what pages need to know of the user's rights and tenant. */
export type OwnProfile = {
  readonly user: User
  readonly factor: SecondFactorState
  readonly permissions: readonly Permission[]
  readonly tenant: Pick<Tenant, 'id' | 'name'> & Pick<TenantSettings, 'timezone' | 'responseTargets'>
  /** The other tenants in which the account has an active user, by id. */
  readonly tenants: readonly Pick<Tenant, 'id' | 'name'>[]
}

/** Gets the profile of the authenticated user. @throws AppError NOT_FOUND for a user who was removed meanwhile. */
export async function getProfile({ state, identity, settingDefaults }: ProfileDeps, caller: Principal): Promise<OwnProfile> {
  const user = requireFound(await state.users.get(caller.tenant, caller.actor.id), 'user')
  const tenant = requireFound(await state.tenants.get(caller.tenant), 'tenant')
  const factor = await getSecondFactorState(identity, tenant.id, user, caller.externalClaims)
  const names = Object.keys(permissions).filter(isPermission)
  const held = names.filter((name) => isAllowed(caller.grants, name) && (name === 'own_account' || caller.isRestricted !== true))
  const { timezone, responseTargets } = resolveSettings(tenant, settingDefaults)
  return {
    user, factor, permissions: held,
    tenant: { id: tenant.id, name: tenant.name, timezone, responseTargets },
    tenants: await listOtherTenants(state, caller, user),
  }
}

/** The preferences of the authenticated user. */
export function getPreferences({ state }: ProfileDeps, { tenant, actor }: Principal): Promise<Preferences> {
  return state.preferences.get(tenant, actor.id)
}

/**
 * Replaces the preferences of the authenticated user. They change nothing but what this user sees, and pages store them at each
 * resized column, so they are not on the audit trail.
 *
 * @throws AppError INVALID_BODY for more bytes than the limit, PRECONDITION_FAILED for an unexpected version.
 */
export async function putPreferences(
  { state, clock }: ProfileDeps, { tenant, actor }: Principal,
  { content, versions }: Pick<Preferences, 'content'> & { readonly versions: ExpectedVersions },
): Promise<Preferences> {
  const { preferencesBytesMax } = limits.profile
  if (Buffer.byteLength(JSON.stringify(content)) > preferencesBytesMax) {
    const message = `must have at most ${preferencesBytesMax} bytes as JSON`
    throw new AppError('INVALID_BODY', `preferences: ${message}`, { errors: [{ path: 'preferences', message }] })
  }
  return await state.transaction(async ({ preferences }) => {
    const { version } = await preferences.get(tenant, actor.id)
    const expectedVersion = versions === undefined || versions.includes(version) ? version : versions[0] ?? -1
    return unwrapChange(await preferences.put(tenant, actor.id, content, { expectedVersion, at: clock.now() }), 'preferences')
  })
}

/** A user of an external issuer proved no account here: one with the same address may belong to another person. */
async function listOtherTenants(
  { accounts, tenants, users }: StateStore, caller: Principal, { email, externalIssuer }: User,
): Promise<readonly Pick<Tenant, 'id' | 'name'>[]> {
  if (externalIssuer !== undefined) return []
  const { memberships } = (await accounts.find(email)) ?? { memberships: [] }
  const found: Pick<Tenant, 'id' | 'name'>[] = []
  for (const { tenant: id, userId } of memberships) {
    if (id === caller.tenant || found.length === limits.profile.tenantsListedMax) continue
    const [tenant, user] = [await tenants.get(id), await users.get(id, userId)]
    if (tenant?.isActive === true && user?.isActive === true) found.push({ id, name: tenant.name })
  }
  return found
}
