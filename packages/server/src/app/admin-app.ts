import type { Principal } from '../domain/principal.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { Runtime } from '../runtime.ts'
import type { StateStore } from '../store/state-store.ts'
import type { AuthService } from './open-auth.ts'

/** What administering takes: an `App` has it, and so has a command on a data directory. */
export type AdminApp = {
  readonly state: StateStore
  readonly identity: Pick<AuthService, 'hasher' | 'cache'>
  readonly clock: Pick<Runtime, 'now'>
  readonly randomBytes: Runtime['randomBytes']
}

/** Who does what nobody asked for over HTTP: whoever runs the server, who may do everything. */
export function systemPrincipal(tenant: TenantId, id: string): Principal {
  return {
    tenant, actor: { type: 'system', id }, grants: ['admin', 'operator'],
    ip: undefined, userAgent: undefined, requestId: undefined,
  }
}
