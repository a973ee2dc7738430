import { alertListQuerySchema } from '@tripline/contract/console/alert'
import type { Filter } from '@tripline/model/lists/filter'
import { lists } from '../../http/lists/list-definition.ts'
import { readList, toRangeFilter } from '../../http/lists/read-list.ts'
import { buildSeverityFilter } from '../../http/lists/severity-filter.ts'
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

/** The parameters of the list of alerts. */
export const alertListParameters = { query: alertListQuerySchema, toWhere: toAlertFilters }

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
