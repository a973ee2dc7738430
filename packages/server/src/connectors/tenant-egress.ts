import { resolveSettings } from '../domain/tenant-settings.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { Egress } from '../egress/egress.ts'
import type { StateStore } from '../store/state-store.ts'

/** The way out of a tenant's connectors: that of the installation, and to the networks that this lets the tenant ask besides. */
export function createTenantEgress(
  { egress, state }: { readonly egress: Egress; readonly state: Pick<StateStore, 'tenants'> }, tenant: TenantId,
): Egress {
  return async (request) => {
    // Asked each time: a network that is taken back is asked no more.
    const { egressAllowCidrs } = resolveSettings((await state.tenants.get(tenant)) ?? { settings: {} })
    return await egress({ ...request, moreCidrs: egressAllowCidrs })
  }
}
