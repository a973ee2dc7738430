import { AppError } from '@tripline/contract/app-error'
import type { Role } from '@tripline/model/access/permission'
import type { TokenClaims } from '@tripline/model/access/role-mapping'
import type { TenantId } from '@tripline/model/tenant'

/** The principal of a verified token. */
export type TokenPrincipal = {
  readonly tenant: TenantId
  /** The user's id. */
  readonly subject: string
  readonly roles: readonly Role[]
  readonly expiresAt: number
  /** The revocable session; undefined for external tokens. */
  readonly session: { readonly id: string; readonly permissionsVersion: number } | undefined
  /** The claims from which an identity provider's user got roles: of an external token, or of the login of the session. */
  readonly externalClaims?: TokenClaims | undefined
  /** When an external issuer issued the token, in milliseconds since the epoch; absent for our tokens. */
  readonly issuedAt?: number
  /** Whether the user must add a second factor before more than the own account opens; checked with the session. */
  readonly isRestricted?: boolean
}

/** The principal of a token of an external issuer, before it is a user here: `subject` is its `sub`. */
export type ExternalPrincipal = TokenPrincipal & {
  readonly issuedAt: number
  readonly profile: { readonly name: string; readonly email: string | undefined }
}

/** The same error for every invalid token: a reason would only help an attacker. */
export function unauthorized(): AppError {
  return new AppError('UNAUTHORIZED', 'the token is missing, expired or not valid; authenticate again')
}
