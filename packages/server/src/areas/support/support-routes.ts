import { supportBundleSchema } from '@tripline/contract/console/support-bundle'
import type { ConnectorBody } from '@tripline/contract/console/sources/connector'
import type { SupportBundleBody } from '@tripline/contract/console/support-bundle'
import type { TenantId } from '@tripline/model/tenant'
import { recordOutcome } from '../../audit/record-outcome.ts'
import type { OutcomeDeps } from '../../audit/record-outcome.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import type { HostStats } from '../../metrics/server/host-stats.ts'
import { printProcess } from './print-process.ts'

type SupportParts = Pick<SupportBundleBody, 'health' | 'pipeline' | 'detection'> & { readonly connectors: readonly ConnectorBody[] }

type SupportRouteDeps = OutcomeDeps & {
  readonly clock: { readonly now: () => number }
  readonly readHost: () => Promise<HostStats | undefined>
  /** What other areas show of a tenant, in their words. */
  readonly readParts: (tenant: TenantId) => Promise<SupportParts>
}

/** The route of the file that an administrator sends to those who help with a server. */
export function supportRoutes(deps: SupportRouteDeps): Route[] {
  return [{
    method: 'GET', path: '/v1/support-bundle', access: 'administer_tenant',
    summary: 'Returns versions and figures of the server as one file, without events, texts, names or secrets',
    responses: { 200: supportBundleSchema },
    handle: async (c) => {
      const caller = getPrincipal(c)
      const action = { action: 'support_bundle.read', target: { type: 'tenant', id: caller.tenant } }
      return respond(c, await recordOutcome(deps, caller, action, () => collectBundle(deps, caller.tenant), () => ({})))
    },
  }]
}

async function collectBundle({ clock, readHost, readParts }: SupportRouteDeps, tenant: TenantId): Promise<SupportBundleBody> {
  const { health, pipeline, detection, connectors } = await readParts(tenant)
  return {
    generated_at: formatTimestamp(clock.now()),
    process: printProcess(await readHost()),
    health, pipeline, detection,
    // Names and settings tell about the customer.
    connectors: connectors.map(({ id, type, status, enabled, health: state, stats }) => {
      return { id, type, status, enabled, health: state, stats }
    }),
  }
}
