import type { Egress } from '../../egress/egress.ts'
import { resolveSettings } from '../../model/tenant-settings.ts'
import type { TenantId } from '../../model/tenant.ts'
import type { StateStore } from '../../state/ports/state-store.ts'

/**
 * Creates the egress of a tenant's connectors: that of the installation, plus the networks that the tenant's settings
 * allow.
 */
export function createTenantEgress(
  { egress, state }: { readonly egress: Egress; readonly state: Pick<StateStore, 'tenants'> }, tenant: TenantId,
): Egress {
  return async (request) => {
    // Read for each request: a network that is no longer allowed stops at once.
    const { egressAllowCidrs } = resolveSettings((await state.tenants.get(tenant)) ?? { settings: {} })
    return await egress({ ...request, extraCidrs: egressAllowCidrs })
  }
}
