import { riskListQuerySchema, riskListSchema } from '@tripline/contract/console/risk/risk'
import type { Filter } from '@tripline/model/lists/filter'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import type { CursorDeps } from '../../http/lists/cursor.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { readListPage } from '../../http/lists/list-page.ts'
import { listRoute } from '../../http/lists/list-route.ts'
import type { ListRouteDeps } from '../../http/lists/list-route.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { createRiskList } from '../../risk/entity-risks.ts'
import type { RiskDeps } from '../../risk/entity-risks.ts'

/** The route for the risks of hosts, users and addresses. */
export function riskRoutes(deps: RiskDeps & ListRouteDeps & CursorDeps): Route[] {
  const list = createRiskList(deps)
  return [listRoute(deps, {
    path: '/v1/risk', access: 'read', summary: 'Lists hosts, users and addresses by the risk of their open alerts', name: 'risks',
    isRecorded: true,
    list: lists.risks, query: riskListQuerySchema, response: riskListSchema,
    toWhere: ({ entity_type: kinds, level }) => [...isAny('entity_type', kinds), ...isAny('level', level)],
    readPage: async (c, request) => {
      const { entries, ...page } = await readListPage(deps, { tenant: getPrincipal(c).tenant, endpoint: 'risks' }, request, list)
      return {
        ...page,
        entries: entries.map(({ kind, value, score, band, factors, alertCount, lastAlertAt, calculatedAt }) => ({
          entity_type: kind, entity: value, score, level: band, factors, alert_count: alertCount,
          last_alert_at: formatTimestamp(lastAlertAt), calculated_at: formatTimestamp(calculatedAt),
        })),
      }
    },
  })]
}

function isAny(field: string, values: readonly string[] | undefined): readonly Filter[] {
  return values === undefined ? [] : [{ field, operator: 'in', value: values }]
}
