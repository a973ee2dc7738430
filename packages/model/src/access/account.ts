import type { TenantId } from '../tenant.ts'

/** Login credentials of a person, who may be a user of several tenants. */
export type Account = {
  /** As normalized by `normalizeAccountEmail`. */
  readonly email: string
  /** The hash of the password; undefined for users of external issuers only. */
  readonly passwordHash: string | undefined
  /** Whether the password is a one-time password, which the first login must replace. */
  readonly hasOneTimePassword: boolean
  /** The encrypted TOTP secret; undefined without a second factor. */
  readonly totpSecret: string | undefined
  /** The last used TOTP time step: a code is valid once. */
  readonly totpStepUsed: number
  /** Active users with this address in active tenants. */
  readonly memberships: readonly { readonly tenant: TenantId; readonly userId: string }[]
}

/**
 * Normalizes an email address for account lookup. Unicode normalization follows lower-casing, because some lower-case
 * letters compose where the upper-case ones do not.
 */
export function normalizeAccountEmail(email: string): string {
  return email.trim().toLowerCase().normalize('NFC')
}
