import { normalizeDomain } from '@tripline/common/domain-name'
import { parseNetwork } from '@tripline/common/network'
import { AppError } from '@tripline/contract/app-error'
import { isAllowed } from '@tripline/model/access/permission'
import type { Principal } from '@tripline/model/access/principal'
import type { Tenant, TenantId } from '@tripline/model/tenant'
import type { TenantSettingName, TenantSettings } from '@tripline/model/tenant-settings'
import { unwrapChange, checkVersion, requireFound } from '@tripline/state/ports/version-conflict'
import type { VersionedPatch } from '@tripline/state/ports/version-conflict'
import { missingPermission } from '../../access/authenticate-request.ts'
import type { AuthenticationDeps } from '../../access/authenticate-request.ts'
import { hasSecondFactor } from '../../access/second-factor.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { AdminDeps } from '../shared/admin-deps.ts'
import { checkEventMappings } from './event-mappings.ts'
import { printSettings } from './tenant-view.ts'
import { keepsOwnAccess } from './test-role-mapping.ts'

/** What settings of a tenant need of the server. */
export type SettingsDeps = Pick<AdminDeps, 'state' | 'clock'> & Pick<AuthenticationDeps, 'authentication'>

/** Settings that this route changes: all but the internal networks that a tenant's requests may reach. */
export type TenantSettingsPatch = { readonly [Name in Exclude<TenantSettingName, 'egressAllowCidrs'>]?: TenantSettings[Name] | undefined }

/** Settings among them that only operators of the platform change. */
const operatorSettings = ['plan', 'apiRequestsPerMinute'] as const satisfies readonly (keyof TenantSettingsPatch)[]

/** Gets a tenant. @throws AppError NOT_FOUND. */
export async function getTenant({ state }: Pick<AdminDeps, 'state'>, id: TenantId): Promise<Tenant> {
  return requireFound(await state.tenants.get(id), 'tenant')
}

/**
 * Changes settings of the principal's tenant; omitted ones are kept.
 *
 * @throws AppError FORBIDDEN for settings of operators, CONFLICT for a role mapping or a required second factor that would
 *   take the principal's own access, PRECONDITION_FAILED for an unexpected version.
 */
export async function changeSettings(
  deps: SettingsDeps, caller: Principal,
  { patch, versions }: VersionedPatch<TenantSettingsPatch>,
): Promise<Tenant> {
  const isForOperators = operatorSettings.some((name) => patch[name] !== undefined)
  if (isForOperators && !isAllowed(caller.grants, 'administer_platform')) throw missingPermission('administer_platform')
  if (patch.roleMapping !== undefined && !keepsOwnAccess(deps, caller, patch.roleMapping)) {
    const message = 'this role mapping would take your own access to settings; add an entry above that maps your claims to admin'
    throw new AppError('CONFLICT', message, { parameter: 'role_mapping' })
  }
  if (patch.mfa === 'required' && !await canHaveSecondFactor(deps, caller)) {
    const message = "this would take your own access, because the token of your identity provider does not state 'mfa' in 'amr'"
    throw new AppError('CONFLICT', message, { parameter: 'mfa' })
  }
  const at = deps.clock.now()
  const tenant = await deps.state.transaction(async (stores) => {
    const before = requireFound(await stores.tenants.get(caller.tenant), 'tenant')
    checkVersion(before, versions, 'tenant')
    if (patch.eventMappings !== undefined) await checkEventMappings(stores, caller.tenant, patch.eventMappings)
    const settings = applySettings(before, patch)
    const diff = diffSettings(before, { settings })
    if (Object.keys(diff).length === 0) return before
    const terms = { expectedVersion: before.version, at }
    const tenant = unwrapChange(await stores.tenants.update(caller.tenant, { settings }, terms), 'tenant')
    await recordAudit(stores, caller, { at, action: 'settings.update', target: { type: 'tenant', id: caller.tenant }, diff })
    return tenant
  })
  // A second factor is required, or no longer, from the next request on.
  if (patch.mfa !== undefined) deps.authentication.tokens.cache.revoke(caller.tenant, 'everybody')
  return tenant
}

/** Whether a principal could still change settings under `mfa: required`: a user of an external issuer cannot add a factor here. */
async function canHaveSecondFactor(
  { state, authentication }: SettingsDeps,
  { tenant, actor, externalClaims }: Principal,
): Promise<boolean> {
  const user = externalClaims === undefined ? undefined : await state.users.get(tenant, actor.id)
  return user === undefined || await hasSecondFactor(authentication, { user, claims: externalClaims })
}

/** Applies a patch to the stored settings of a tenant. @throws AppError INVALID_PARAMETER. */
export function applySettings(
  { settings }: Tenant, patch: { readonly [Name in TenantSettingName]?: TenantSettings[Name] | undefined },
): Tenant['settings'] {
  const networks = [...patch.egressAllowCidrs ?? [], ...patch.ownNetworks ?? []]
  const wrong = networks.find((network) => parseNetwork(network) === undefined)
  if (wrong !== undefined) throw new AppError('INVALID_PARAMETER', `'${wrong}' is not a network such as 192.0.2.0/24`)
  const strange = patch.ownDomains?.find((domain) => normalizeDomain(domain) === undefined)
  if (strange !== undefined) throw new AppError('INVALID_PARAMETER', `'${strange}' is not a domain such as example.org`)
  const ownDomains = patch.ownDomains && [...new Set(patch.ownDomains.map((domain) => normalizeDomain(domain) ?? domain))]
  const said = Object.entries({ ...patch, ownDomains }).filter(([, value]) => value !== undefined)
  return { ...settings, ...Object.fromEntries(said) }
}

type Settings = Pick<Tenant, 'settings'>

/** The changed settings for the audit trail, each before and after, as the API prints them. */
export function diffSettings(before: Settings, after: Settings): { readonly [name: string]: unknown } {
  const [from, to] = [listSettings(before), listSettings(after)]
  const names = Object.keys(from).filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]))
  return Object.fromEntries(names.map((name) => [name, [from[name], to[name]]]))
}

/** The settings by their paths in the API, such as `retention.events_days`. */
function listSettings(tenant: Settings): { readonly [path: string]: unknown } {
  const { retention, ...others } = printSettings(tenant)
  return { ...others, ...Object.fromEntries(Object.entries(retention).map(([name, days]) => [`retention.${name}`, days])) }
}
