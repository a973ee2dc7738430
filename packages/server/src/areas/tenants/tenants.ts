import { AppError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import { createDefaultTenant } from '@tripline/model/tenant'
import type { Tenant, TenantId } from '@tripline/model/tenant'
import type { Plan } from '@tripline/model/tenant-settings'
import type { Stores } from '@tripline/state/ports/state-store'
import { unwrapChange, checkVersion, requireFound } from '@tripline/state/ports/version-conflict'
import type { VersionedPatch } from '@tripline/state/ports/version-conflict'
import { addUser } from '../../access/add-user.ts'
import type { NewUser } from '../../access/add-user.ts'
import { createTemporaryPassword } from '../../access/login/temporary-password.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { AuditNote } from '../../audit/record-audit.ts'
import { limits } from '../../limits.ts'
import type { AdminDeps } from '../shared/admin-deps.ts'
import { diffSettings, applySettings } from './tenant-settings.ts'

/** A new tenant, optionally with its first admin. */
type NewTenant = {
  readonly id: TenantId
  readonly name: string
  readonly plan?: Plan | undefined
  readonly admin?: Omit<NewUser, 'roles'> | undefined
}

/** A created tenant, and the one-time password of its admin if the account is new. */
type CreatedTenant = { readonly tenant: Tenant; readonly oneTimePassword: string | undefined }

/** What platform operators may change of a tenant. */
type TenantPatch = {
  readonly name?: string | undefined
  readonly isActive?: boolean | undefined
  readonly plan?: Plan | undefined
  readonly apiRequestsPerMinute?: number | undefined
  /** Special-purpose networks that the tenant's outbound requests may reach. */
  readonly egressAllowCidrs?: readonly string[] | undefined
}

/** Lists all tenants by id, without their data. */
export function listTenants({ state }: Pick<AdminDeps, 'state'>): Promise<readonly Tenant[]> {
  return state.tenants.list()
}

/** Creates a tenant. @throws AppError CONFLICT for an id that is taken. */
export async function createTenant(
  deps: AdminDeps, caller: Principal, { id, name, plan, admin }: NewTenant,
): Promise<CreatedTenant> {
  const password = await createTemporaryPassword(deps)
  const at = deps.clock.now()
  return await deps.state.transaction(async (stores) => {
    const { tenantsMax } = limits.admin
    if ((await stores.tenants.list()).length >= tenantsMax) {
      throw new AppError('CONFLICT', `the server has reached its limit of ${tenantsMax} tenants`)
    }
    const begun = createDefaultTenant({ id, name }, at)
    const tenant = { ...begun, settings: applySettings(begun, { plan }) }
    if (await stores.tenants.insert(tenant) === 'taken') {
      throw new AppError('CONFLICT', 'a tenant with this id already exists', { parameter: 'id', value: id })
    }
    const terms = { passwordHash: password.hash, hasOneTimePassword: true, mayJoin: true }
    const added = admin === undefined ? undefined : await addUser(stores, deps, id, { ...admin, roles: ['admin'] }, terms)
    const diff = { name: [null, name], ...(admin === undefined ? {} : { admin: [null, admin.email] }) }
    await recordInBothTrails(stores, caller, { at, action: 'tenant.create', target: { type: 'tenant', id }, diff })
    return { tenant, oneTimePassword: added?.hasNewAccount === true ? password.text : undefined }
  })
}

/**
 * Changes a tenant. Access to a disabled tenant is refused here at once, in other processes within five seconds.
 *
 * @throws AppError NOT_FOUND, PRECONDITION_FAILED, INVALID_PARAMETER; CONFLICT for operators who would lock themselves out.
 */
export async function changeTenant(
  deps: AdminDeps, caller: Principal, id: TenantId, { patch, versions }: VersionedPatch<TenantPatch>,
): Promise<Tenant> {
  if (patch.isActive === false && caller.tenant === id && caller.actor.type !== 'system') {
    throw new AppError('CONFLICT', 'you cannot disable your own tenant; an operator of another tenant can')
  }
  const at = deps.clock.now()
  const tenant = await deps.state.transaction(async (stores) => {
    const before = requireFound(await stores.tenants.get(id), 'tenant')
    checkVersion(before, versions, 'tenant')
    const { name = before.name, isActive = before.isActive, plan, apiRequestsPerMinute, egressAllowCidrs } = patch
    const settings = applySettings(before, { plan, apiRequestsPerMinute, egressAllowCidrs })
    const diff = {
      ...(before.name === name ? {} : { name: [before.name, name] }),
      ...(before.isActive === isActive ? {} : { is_active: [before.isActive, isActive] }),
      ...diffSettings(before, { settings }),
    }
    if (Object.keys(diff).length === 0) return before
    const terms = { expectedVersion: before.version, at }
    const tenant = unwrapChange(await stores.tenants.update(id, { name, isActive, settings }, terms), 'tenant')
    await recordInBothTrails(stores, caller, { at, action: 'tenant.update', target: { type: 'tenant', id }, diff })
    return tenant
  })
  if (!tenant.isActive) deps.identity.tokens.cache.revoke(id, 'everybody')
  return tenant
}

/** Records the action in two audit trails: the operator's, and the affected tenant's without the operator's identity. */
async function recordInBothTrails(stores: Stores, caller: Principal, note: AuditNote): Promise<void> {
  const { id } = note.target
  if (caller.tenant !== id) {
    const actor = { type: 'system', id: 'platform' } as const
    const platform: Principal = { ...caller, tenant: id, actor, ip: undefined, userAgent: undefined }
    await recordAudit(stores, platform, note)
  }
  await recordAudit(stores, caller, note)
}
