import { alertListQuerySchema } from '@tripline/contract/console/alert'
import { createEventIds } from '@tripline/formats/event/event-id'
import type { Filter } from '@tripline/model/lists/filter'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { CursorDeps } from '../../http/lists/cursor.ts'
import { lists } from '../../http/lists/list-definition.ts'
import type { ListParameters } from '../../http/lists/list-route.ts'
import { readList, toRangeFilter } from '../../http/lists/read-list.ts'
import { buildSeverityFilter } from '../../http/lists/severity-filter.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext } from '../../http/route.ts'
import { parseAlertStatus } from './alert-view.ts'

/** The parameters that select alerts, in lists and figures alike. */
type AlertParameters = {
  readonly severity?: Parameters<typeof buildSeverityFilter>[2] | undefined
  readonly status?: readonly Parameters<typeof parseAlertStatus>[0][] | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

type StateParameters = Pick<AlertParameters, 'severity' | 'status'>

/** The filters that the parameters of alerts mean. */
export function toAlertFilters({ severity, status, from, to }: AlertParameters, c: RequestContext): readonly Filter[] {
  return [...toStateFilters({ severity, status }), ...toRangeFilter(c, 'created_at', { from, to })]
}

type AlertListDeps = Pick<CursorDeps, 'keys'> & { readonly state: Pick<StateStore, 'alerts'> }

/** The parameters of the list of alerts. */
export function createAlertListParameters({ state, keys }: AlertListDeps): ListParameters<typeof alertListQuerySchema> {
  return {
    query: alertListQuerySchema,
    async toWhere({ event_id: eventId, ...parameters }, c) {
      const where = toAlertFilters(parameters, c)
      if (eventId === undefined) return where
      const { tenant } = getPrincipal(c)
      const ref = createEventIds(keys.cursor, tenant).parse(eventId)
      const ids = ref === undefined ? [] : await state.alerts.alertsOfEvent(tenant, ref)
      return [...where, { field: 'id', operator: 'in', value: ids }]
    },
  }
}

/** A selection of alerts in no order: filters, and a text that they hold. */
export type AlertSelection = { readonly where: readonly Filter[]; readonly text?: string }

/** Reads a selection without its range of time. @throws AppError for a filter that alerts do not support. */
export function readAlertSelection(
  { severity, status, q, filters }: StateParameters & { readonly q?: string | undefined; readonly filters?: string | undefined },
): AlertSelection {
  const own = { where: toStateFilters({ severity, status }), values: {} }
  const { request: { where, text } } = readList(lists.alerts, { q, filters }, own)
  return { where, ...(text !== undefined && { text }) }
}

function toStateFilters({ severity, status }: StateParameters): readonly Filter[] {
  return [
    ...(severity === undefined ? [] : [buildSeverityFilter('severity', 'in', severity)]),
    ...(status === undefined ? [] : [{ field: 'status', operator: 'in', value: status.map(parseAlertStatus) } as const]),
  ]
}
