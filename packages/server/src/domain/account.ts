import type { TenantId } from './tenant.ts'

/** What a person logs in with; the same person may be a user of several tenants. */
export type Account = {
  /** As `normalizeAccountEmail` makes it of what was typed. */
  readonly email: string
  /** A password as it is kept, never the password; undefined for those who only come from an external issuer. */
  readonly passwordHash: string | undefined
  /** Whether the password was given by somebody else, so that the first login with it has to name another. */
  readonly hasOneTimePassword: boolean
  /** The secret of the codes that are asked for beside the password, sealed; undefined where none are. */
  readonly totpSecret: string | undefined
  /** Number of the last time step whose code was used: a code is good once. */
  readonly totpStepUsed: number
  /** The active users of its address in active tenants, by tenant. */
  readonly memberships: readonly { readonly tenant: TenantId; readonly userId: string }[]
}

/**
 * An email address as accounts are known by it: however it is written, it is one account. Normalized after the
 * letters are made small, because some that are small can be composed where the great ones cannot.
 */
export function normalizeAccountEmail(email: string): string {
  return email.trim().toLowerCase().normalize('NFC')
}
