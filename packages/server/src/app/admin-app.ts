import type { Caller } from '../domain/principal.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { Io } from '../runtime.ts'
import type { StateStore } from '../store/state-store.ts'
import type { Identity } from './open-auth.ts'

/** What administering takes: an `App` has it, and so has a command on a data directory. */
export type AdminApp = {
  readonly state: StateStore
  readonly identity: Pick<Identity, 'hasher' | 'cache'>
  readonly clock: Pick<Io, 'now'>
  readonly randomBytes: Io['randomBytes']
}

/** Who does what nobody asked for over HTTP: whoever runs the server, who may do everything. */
export function systemCaller(tenant: TenantId, id: string): Caller {
  return {
    tenant, actor: { type: 'system', id }, grants: ['admin', 'operator'],
    ip: undefined, userAgent: undefined, requestId: undefined,
  }
}
