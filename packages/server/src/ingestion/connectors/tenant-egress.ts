import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { Dial, Egress, OpenedEgress } from '../../egress/egress.ts'

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

/** Creates the connections of a tenant that are no requests, under the same policy. */
export function createTenantDial(
  { egress, state }: { readonly egress: OpenedEgress; readonly state: Pick<StateStore, 'tenants'> }, tenant: TenantId,
): Dial {
  return async (request) => {
    const { egressAllowCidrs } = resolveSettings((await state.tenants.get(tenant)) ?? { settings: {} })
    return await egress.dial({ ...request, extraCidrs: egressAllowCidrs })
  }
}
