import { AppError } from '@tripline/contract/app-error'
import { isAllowed } from '@tripline/model/access/permission'
import type { Principal } from '@tripline/model/access/principal'
import { findMappingEntry } from '@tripline/model/access/role-mapping'
import type { RoleMappingEntry, TenantRole, TokenClaims } from '@tripline/model/access/role-mapping'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { AuthenticationDeps } from '../../access/authenticate-request.ts'
import { limits } from '../../limits.ts'

/** A dry run of a role mapping; by default of the stored mapping, with the claims of the principal's own token. */
type RoleMappingTest = {
  readonly claims?: TokenClaims | undefined
  readonly mapping?: readonly RoleMappingEntry[] | undefined
}

type RoleMappingResult = {
  /** None means that a token with these claims is refused. */
  readonly roles: readonly TenantRole[]
  /** The position of the entry that matched; undefined if none did. */
  readonly entry: number | undefined
  /** Whether the principal could still change settings. */
  readonly keepsOwnAccess: boolean
}

type RoleMappingDeps = Pick<AuthenticationDeps, 'authentication'>

/** Computes the roles that a mapping grants, and changes nothing. @throws AppError INVALID_PARAMETER without claims. */
export async function testRoleMapping(
  deps: RoleMappingDeps, caller: Principal, { claims = caller.externalClaims, mapping }: RoleMappingTest,
): Promise<RoleMappingResult> {
  if (claims === undefined) {
    const message = "'claims' is missing; your own token is not from an external issuer, so state the claims to test"
    throw new AppError('INVALID_PARAMETER', message, { parameter: 'claims' })
  }
  const stored = await deps.authentication.state.tenants.get(caller.tenant)
  const tested = mapping ?? resolveSettings(stored ?? { settings: {} }).roleMapping
  const entry = findMappingEntry(claims, tested, limits.auth.claimValuesMax)
  return {
    roles: mapRoles(deps, claims, tested),
    entry: entry === -1 ? undefined : entry,
    keepsOwnAccess: keepsOwnAccess(deps, caller, tested),
  }
}

/** Whether a principal could still change settings under a mapping; it decides only for those of external issuers. */
export function keepsOwnAccess(deps: RoleMappingDeps, { externalClaims }: Principal, mapping: readonly RoleMappingEntry[]): boolean {
  return externalClaims === undefined || isAllowed(mapRoles(deps, externalClaims, mapping), 'administer_tenant')
}

function mapRoles(
  { authentication: { externalIssuer } }: RoleMappingDeps, claims: TokenClaims, mapping: readonly RoleMappingEntry[],
): readonly TenantRole[] {
  if (externalIssuer !== undefined) return externalIssuer.mapRoles(claims, mapping)
  const role = mapping[findMappingEntry(claims, mapping, limits.auth.claimValuesMax)]?.role
  return role === undefined ? [] : [role]
}
