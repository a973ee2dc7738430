import { AppError } from '@tripline/contract/app-error'
import {
  alertParameters, publicAlert, publicAlertChange, publicAlertDetail, publicAlertStats,
} from '@tripline/contract/public/alert'
import type { PublicAlertDetail } from '@tripline/contract/public/alert'
import { isAnyOf, publicList, toPublicRange } from '../../http/public/public-list.ts'
import { one, publicRoute } from '../../http/public/public-route.ts'
import type { PublicAnswer, PublicRoute } from '../../http/public/public-route.ts'
import type { Filter } from '@tripline/model/lists/filter'
import { levelOfSeverity } from '@tripline/model/public-words'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { getAlertStats } from './alert-stats.ts'
import { listAlertTimeline } from './alert-timeline.ts'
import { getAlert, listAlerts, updateAlert } from './alerts.ts'
import type { AlertDeps, AlertDetail } from './alerts.ts'
import { toPublicAlert } from '../shared/public-alert.ts'
import { getCorrelationCondition, getLastEvent, toPublicAlertDetail } from './public-alert-view.ts'

/** What alerts in the public API need of the server. */
type PublicAlertDeps = AlertDeps & {
  readonly state: Pick<StateStore, 'audit' | 'tenants'>
  /** Lists the comparisons of a rule that hold for an event; none if the rule is gone or holds no more. */
  readonly findMatchedConditions: (
    tenant: TenantId, ruleId: string, event: { readonly [field: string]: unknown },
  ) => Promise<readonly string[]>
  /** Where the console is; empty if not configured. */
  readonly publicUrl: string
}

const path = '/alerts'
const resource = 'alerts'

const contains = (field: string, value: string): Filter => ({ field, operator: 'contains', value })

/** Alerts in the public API. */
export function publicAlertRoutes(deps: PublicAlertDeps): PublicRoute[] {
  const answer = async (tenant: TenantId, detail: AlertDetail): Promise<PublicAnswer<PublicAlertDetail>> =>
    ({ body: await describeAlert(deps, tenant, detail), version: detail.alert.version })
  return [
    publicList({
      path, resource, permission: 'read', summary: 'Lists alerts', parameters: alertParameters, entry: publicAlert,
      sorting: {
        sort: { created_at: 'created_at', updated_at: 'updated_at', severity: 'severity', status: 'status', title: 'rule_title' },
        sortDefault: { field: 'created_at', direction: 'desc' },
      },
      toWhere: ({ severity, status, source_type: product, search, from, to }) => [
        ...isAnyOf('severity', severity?.map((each) => levelOfSeverity[each])),
        ...isAnyOf('status', status),
        ...isAnyOf('product', product),
        ...(search === undefined ? [] : [{ or: [contains('rule_title', search), contains('description', search)] }]),
        ...toPublicRange('created_at', { from, to }),
      ],
      readPage: async ({ tenant }, request) => {
        const { entries, ...page } = await listAlerts(deps, tenant, request)
        return { ...page, entries: entries.map(toPublicAlert) }
      },
    }),
    publicRoute({
      method: 'GET', path: `${path}/stats`, resource, permission: 'read', summary: 'Counts alerts', response: one(publicAlertStats),
      handle: async ({ caller }) => ({ body: await getAlertStats(deps, caller.tenant) }),
    }),
    publicRoute({
      method: 'GET', path: `${path}/:id`, resource, permission: 'read', summary: 'Returns an alert with its comments and timeline',
      response: one(publicAlertDetail), hasVersion: true,
      handle: async ({ caller: { tenant }, id }) => answer(tenant, await getAlert(deps, tenant, id)),
    }),
    publicRoute({
      method: 'PATCH', path: `${path}/:id`, resource, permission: 'update_alerts',
      summary: "Changes an alert's status, assignee or verdict, or adds a comment",
      body: publicAlertChange, response: one(publicAlertDetail), hasVersion: true, errors: ['CONFLICT'],
      async handle({ caller, id, body: update, versions }) {
        if (Object.keys(update).length === 0) {
          throw new AppError('INVALID_PARAMETER', 'the body must contain at least one change', { parameter: 'body', value: '{}' })
        }
        return answer(caller.tenant, await updateAlert(deps, caller, { id, update, versions }))
      },
    }),
  ]
}

async function describeAlert(deps: PublicAlertDeps, tenant: TenantId, detail: AlertDetail): Promise<PublicAlertDetail> {
  const { alert } = detail
  return toPublicAlertDetail(detail, {
    timeline: await listAlertTimeline(deps.state, tenant, alert),
    matched_conditions: await listConditions(deps, tenant, detail),
    url: `${deps.publicUrl}/alerts/${alert.id}`,
  })
}

async function listConditions(
  { findMatchedConditions }: PublicAlertDeps, tenant: TenantId, detail: AlertDetail,
): Promise<readonly string[]> {
  const condition = getCorrelationCondition(detail.alert)
  if (condition !== undefined) return [condition]
  const event = getLastEvent(detail)
  return event === undefined ? [] : await findMatchedConditions(tenant, detail.alert.ruleId, event)
}
