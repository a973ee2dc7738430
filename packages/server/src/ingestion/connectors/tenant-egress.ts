import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { Egress } from '../../egress/egress.ts'

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
