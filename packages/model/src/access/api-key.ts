import type { TenantId } from '../tenant.ts'
import type { KeyScope } from './permission.ts'

/** The response profile of the integration API; `auto` for the tenant's default. */
export const apiProfiles = ['auto', 'a', 'b'] as const
export type ApiProfile = (typeof apiProfiles)[number]

/** The stored record of an API key, without the key itself. */
export type ApiKey = {
  /** The public id: eight characters, part of the key and shown in lists. */
  readonly publicId: string
  readonly tenant: TenantId
  readonly name: string
  readonly scope: KeyScope
  readonly apiProfile: ApiProfile
  /** Resources of the public API that it may use; empty for any. */
  readonly resources: readonly string[]
  /** A limit of its own, below that of its tenant's plan; undefined for none. */
  readonly requestsPerMinute: number | undefined
  /** Networks that it may be used from, in CIDR notation; empty for any. */
  readonly allowedCidrs: readonly string[]
  /** SHA-256 of the whole key. */
  readonly hash: Uint8Array
  /** Id of its creator. */
  readonly createdBy: string
  readonly createdAt: number
  /** Undefined for a key without expiry. */
  readonly expiresAt: number | undefined
  readonly revokedAt: number | undefined
  readonly lastUsedAt: number | undefined
  readonly lastUsedIp: string | undefined
  /** Counts changes, from 1; uses do not count. */
  readonly version: number
  readonly updatedAt: number
}
