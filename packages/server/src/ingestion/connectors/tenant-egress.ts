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
  // Read for each request: a network that is no longer allowed stops at once.
  const readCidrs = async (): Promise<readonly string[]> =>
    resolveSettings((await state.tenants.get(tenant)) ?? { settings: {} }).egressAllowCidrs
  const { resolveTarget } = egress
  const request: Egress = async (given) => await egress({ ...given, extraCidrs: await readCidrs() })
  if (resolveTarget === undefined) return request
  return Object.assign(request, {
    resolveTarget: async (target: Parameters<typeof resolveTarget>[0]) => await resolveTarget({ ...target, extraCidrs: await readCidrs() }),
  })
}
