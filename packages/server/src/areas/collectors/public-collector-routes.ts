import { publicCollector, publicCollectorDetail } from '@tripline/contract/public/collector'
import { getCollector, listCollectors } from '../../collectors/collectors.ts'
import type { CollectorDeps } from '../../collectors/collectors.ts'
import { one, publicRoute, wholePage } from '../../http/public/public-route.ts'
import type { PublicRoute } from '../../http/public/public-route.ts'
import { toPublicCollector, toPublicCollectorDetail } from './collector-view.ts'

const path = '/collectors'
const reading = { resource: 'collectors', permission: 'read' } as const

/** Collectors in the public API. */
export function publicCollectorRoutes(deps: CollectorDeps): PublicRoute[] {
  return [
    publicRoute({
      ...reading, method: 'GET', path, summary: 'Lists all collectors', response: wholePage(publicCollector),
      handle: async ({ caller: { tenant } }) => ({ body: (await listCollectors(deps, tenant)).map(toPublicCollector) }),
    }),
    publicRoute({
      ...reading, method: 'GET', path: `${path}/:id`, summary: 'Returns a collector with its sources and its buffer',
      response: one(publicCollectorDetail), hasVersion: true,
      handle: async ({ caller: { tenant }, id }) => {
        const shown = await getCollector(deps, tenant, id)
        return { body: toPublicCollectorDetail(shown), version: shown.collector.version }
      },
    }),
  ]
}
