import type { Runtime } from '@tripline/common/runtime'
import type { Principal } from '@tripline/model/access/principal'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { AuthService } from '../../access/open-auth.ts'

/** Dependencies of the admin use cases, provided by a server and by admin commands on a data directory. */
export type AdminDeps = {
  readonly state: StateStore
  readonly identity: Pick<AuthService, 'hasher'> & { readonly tokens: Pick<AuthService['tokens'], 'cache'> }
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
