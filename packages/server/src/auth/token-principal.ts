import { AppError } from '../domain/app-error.ts'
import type { Role } from '../domain/permission.ts'
import type { TenantId } from '../domain/tenant.ts'

/** Who asks, as a good token says it. */
export type TokenPrincipal = {
  readonly tenant: TenantId
  /** The user's id, or what an external issuer calls the subject. */
  readonly subject: string
  readonly roles: readonly Role[]
  readonly expiresAt: number
  /** What can be revoked before `expiresAt`; an external issuer's token has none of it. */
  readonly session: { readonly id: string; readonly permissionsVersion: number } | undefined
}

/** The one answer to every token that is not good: why would only help whoever forges one. */
export function unauthorized(): AppError {
  return new AppError('UNAUTHORIZED', 'the token is missing, expired or not valid; authenticate again')
}
