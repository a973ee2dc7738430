import type { Logsource } from '@tripline/engine'
import type { Grant } from './permission.ts'
import type { TenantId } from './tenant.ts'

/** Who asks for something, in which tenant and by which request: what may be done is checked against it, and the audit trail tells it. */
export type Principal = {
  readonly tenant: TenantId
  /** A user by id, or a key by the part of it that may be shown. */
  readonly actor: { readonly type: 'user' | 'api_key' | 'connector' | 'system'; readonly id: string }
  readonly grants: readonly Grant[]
  /** What the events of a connector are, where it says so. */
  readonly logsource?: Logsource
  /** Where the request came from, as the connection says it; undefined where there is none. */
  readonly ip: string | undefined
  readonly userAgent: string | undefined
  readonly requestId: string | undefined
}
