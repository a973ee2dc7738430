import type { AuthService } from '../../access/open-auth.ts'
import type { Principal } from '../../model/access/principal.ts'
import type { TenantId } from '../../model/tenant.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { StateStore } from '../../state/ports/state-store.ts'

/** Dependencies of the admin use cases, provided by a server and by admin commands on a data directory. */
export type AdminDeps = {
  readonly state: StateStore
  readonly identity: Pick<AuthService, 'hasher' | 'cache'>
  readonly clock: Pick<Runtime, 'now'>
  readonly randomBytes: Runtime['randomBytes']
}

/** The principal of actions that no HTTP request caused; it has all permissions. */
export function systemPrincipal(tenant: TenantId, id: string): Principal {
  return {
    tenant, actor: { type: 'system', id }, grants: ['admin', 'operator'],
    ip: undefined, userAgent: undefined, requestId: undefined,
  }
}
