import type { KeyScope } from './permission.ts'
import type { TenantId } from './tenant.ts'

/** The profile of the integration API in which a key is answered; `auto` where the key does not say (P-1). */
export const apiProfiles = ['auto', 'a', 'b'] as const
export type ApiProfile = (typeof apiProfiles)[number]

/** A key for programs, as it is kept: never the key itself (D-78). */
export type ApiKey = {
  /** The eight characters that stand in the key and in lists. */
  readonly publicId: string
  readonly tenant: TenantId
  readonly name: string
  readonly scope: KeyScope
  readonly apiProfile: ApiProfile
  /** Networks that it may be used from, in CIDR notation; none for any. */
  readonly allowedCidrs: readonly string[]
  /** SHA-256 of the whole key. */
  readonly hash: Uint8Array
  /** Id of the user who made it. */
  readonly createdBy: string
  readonly createdAt: number
  /** Undefined for a key that does not end. */
  readonly expiresAt: number | undefined
  readonly revokedAt: number | undefined
  readonly lastUsedAt: number | undefined
  readonly lastUsedIp: string | undefined
  /** Counts the changes, from 1; a use is none. */
  readonly version: number
  readonly updatedAt: number
}
