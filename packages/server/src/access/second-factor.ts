import { normalizeAccountEmail } from '@tripline/model/access/account'
import type { TokenClaims } from '@tripline/model/access/role-mapping'
import type { User } from '@tripline/model/access/user'
import type { Tenant, TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { Accounts, Tenants } from '@tripline/state/ports/access-stores'

/** What the operator of the server decided about second factors; tenants decide the rest. */
export type SecondFactorPolicy = {
  /** Whether users with the role `operator` need one in every tenant. */
  readonly isRequiredForOperators: boolean
  /** Whether users of the external issuer have one there, whatever its tokens state. */
  readonly isProvenByIssuer: boolean
}

export type SecondFactorDeps = {
  readonly state: { readonly accounts: Pick<Accounts, 'find'> }
  /** Default: tenants alone decide, and a token of the external issuer must state it. */
  readonly secondFactorPolicy?: SecondFactorPolicy
}

/** A user with the tenant and, for a user of an external issuer, the claims of the token. */
type SecondFactorHolder = {
  readonly tenant: Pick<Tenant, 'settings'>
  readonly user: Pick<User, 'email' | 'roles' | 'externalIssuer'>
  readonly claims: TokenClaims | undefined
}

/** Whether a user has a second factor, and whether only the own account is open until one is added. */
export type SecondFactorState = { readonly hasSecondFactor: boolean; readonly needsSecondFactor: boolean }

/** Looks up both for a user of a tenant; `claims` are those of an external issuer's token. */
export async function getSecondFactorState(
  deps: SecondFactorDeps & { readonly state: { readonly tenants: Tenants } }, tenantId: TenantId,
  user: SecondFactorHolder['user'], claims?: TokenClaims,
): Promise<SecondFactorState> {
  const tenant = await deps.state.tenants.get(tenantId) ?? { settings: {} }
  return {
    hasSecondFactor: await hasSecondFactor(deps, { user, claims }),
    needsSecondFactor: await lacksSecondFactor(deps, { tenant, user, claims }),
  }
}

/** Whether a user needs a second factor and does not have one, so that only the own account is open. */
export async function lacksSecondFactor(deps: SecondFactorDeps, holder: SecondFactorHolder): Promise<boolean> {
  return isSecondFactorRequired(deps, holder) && !await hasSecondFactor(deps, holder)
}

/** Whether a user has a second factor: in the account here, or proven by the token of an external issuer. */
export async function hasSecondFactor(
  { state: { accounts }, secondFactorPolicy }: SecondFactorDeps, { user, claims }: Omit<SecondFactorHolder, 'tenant'>,
): Promise<boolean> {
  if (user.externalIssuer !== undefined) return secondFactorPolicy?.isProvenByIssuer === true || provesSecondFactor(claims)
  return (await accounts.find(normalizeAccountEmail(user.email)))?.totpSecret !== undefined
}

function isSecondFactorRequired({ secondFactorPolicy }: SecondFactorDeps, { tenant, user }: SecondFactorHolder): boolean {
  const isOperator = user.roles.includes('operator') && secondFactorPolicy?.isRequiredForOperators === true
  return isOperator || resolveSettings(tenant).mfa === 'required'
}

/** Whether the authentication methods of a token (`amr`, RFC 8176) state that several factors were used. */
function provesSecondFactor(claims: TokenClaims = {}): boolean {
  const methods = claims['amr']
  return Array.isArray(methods) && methods.includes('mfa')
}
