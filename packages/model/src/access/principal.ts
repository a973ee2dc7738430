import type { Logsource } from '@tripline/engine'
import type { TenantId } from '../tenant.ts'
import type { Grant } from './permission.ts'
import type { TokenClaims } from './role-mapping.ts'

/**
 * The principal of a request: who makes it, in which tenant, with which permissions. Authorization checks it and the audit
 * trail records it.
 */
export type Principal = {
  readonly tenant: TenantId
  /** A user, connector or collector by id, or a key by its public id. */
  readonly actor: { readonly type: 'user' | 'api_key' | 'connector' | 'collector' | 'system'; readonly id: string }
  readonly grants: readonly Grant[]
  /** What people call it where it is no user: `apikey:<name>`; comments and the audit trail show it. */
  readonly label?: string
  /** The claims of an external issuer's token; undefined for any other principal. */
  readonly externalClaims?: TokenClaims | undefined
  /** The log source of a connector's events, if configured. */
  readonly logsource?: Logsource
  /** Whether the user must add a second factor before more than the own account opens. */
  readonly isRestricted?: boolean
  /** The session of the user's token; undefined for keys and for tokens of an external issuer. */
  readonly sessionId?: string
  /** When the API key expires; undefined for any other principal and for a key without expiry. */
  readonly keyExpiresAt?: number | undefined
  /** The client address; undefined without a connection. */
  readonly ip: string | undefined
  readonly userAgent: string | undefined
  readonly requestId: string | undefined
}
