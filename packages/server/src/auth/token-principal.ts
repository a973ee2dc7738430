import { AppError } from '../domain/app-error.ts'
import type { Role } from '../domain/permission.ts'
import type { TokenClaims } from '../domain/role-mapping.ts'
import type { TenantId } from '../domain/tenant.ts'

/** The principal of a verified token. */
export type TokenPrincipal = {
  readonly tenant: TenantId
  /** The user's id, or the external issuer's `sub`. */
  readonly subject: string
  readonly roles: readonly Role[]
  readonly expiresAt: number
  /** The revocable session; undefined for external tokens. */
  readonly session: { readonly id: string; readonly permissionsVersion: number } | undefined
  /** The claims of an external token, from which its roles are mapped; undefined for our own tokens. */
  readonly externalClaims?: TokenClaims | undefined
}

/** The same error for every invalid token: a reason would only help an attacker. */
export function unauthorized(): AppError {
  return new AppError('UNAUTHORIZED', 'the token is missing, expired or not valid; authenticate again')
}
