import type { GroupHead, ProvisionedUser } from '@tripline/model/access/provisioning'
import { mapRole } from '@tripline/model/access/role-mapping'
import type { TenantRole } from '@tripline/model/access/role-mapping'
import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { Stores } from '@tripline/state/ports/state-store'
import { limits } from '../limits.ts'
import { toClaims } from './user-resource.ts'

type RoleStores = Pick<Stores, 'provisioning'> & { readonly tenants: Pick<Stores['tenants'], 'get'> }

/**
 * The role that the tenant's mapping gives to the groups and attributes which a provider stated; undefined if no entry fits.
 * `groups` are those of the user, where the caller has them.
 */
export async function findStatedRole(
  { tenants, provisioning }: RoleStores, tenant: TenantId, stated: ProvisionedUser, groups?: readonly GroupHead[],
): Promise<TenantRole | undefined> {
  const own = groups ?? await provisioning.listGroupsOf(tenant, stated.userId)
  const { roleMapping } = resolveSettings((await tenants.get(tenant)) ?? { settings: {} })
  return mapRole(toClaims(stated, own), roleMapping, limits.auth.claimValuesMax)
}
