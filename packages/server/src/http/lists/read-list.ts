import type { Comparison, Filter } from '@tripline/model/lists/filter'
import { limits } from '../../limits.ts'
import type { RequestContext } from '../route.ts'
import { invalidParameter } from '../validate.ts'
import type { ListDefinition } from './list-definition.ts'
import type { ListRequest } from './list-page.ts'
import { parseFilter } from './parse-filter.ts'
import { parseSort } from './parse-sort.ts'

/** The parameters of the query contract. */
type ListParameters = {
  readonly sort?: string | undefined
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
  readonly q?: string | undefined
  readonly filters?: string | undefined
  readonly page?: number | undefined
  readonly size?: number | undefined
}

/** What the other parameters of a list mean: their filters, and their values as they were sent. */
type OwnParameters = { readonly where: readonly Filter[]; readonly values: object }

/**
 * Converts the parameters of the query contract to a page request. A page size over the limit is reduced, with a warning.
 *
 * @throws AppError for both pagination styles at once, and for a sort or filter that the list does not support.
 */
export function readList(
  { fields, sortDefault, limitMax }: ListDefinition,
  { sort, cursor, limit, q: text, filters, page, size }: ListParameters,
  own: OwnParameters,
): { readonly request: ListRequest; readonly warnings: readonly string[] } {
  const isByNumber = page !== undefined || size !== undefined
  if (isByNumber && (cursor !== undefined || limit !== undefined)) {
    const parameter = cursor === undefined ? 'limit' : 'cursor'
    const reason = 'use either cursor and limit, or page and size'
    throw invalidParameter(parameter, String(cursor ?? limit), { reason })
  }
  const filter = filters === undefined ? [] : [parseFilter(fields, filters)]
  const order = sort === undefined ? [sortDefault] : parseSort(fields, sort)
  const asked = { where: [...own.where, ...filter], text, order, identity: [own.values, filter, text, order] }
  const { sizeDefault, sizeMax } = limits.page
  if (!isByNumber) {
    const cut = clampCount(limitMax, limit ?? sizeDefault, 'limit')
    return { request: { ...asked, limit: cut.count, start: { cursor } }, warnings: cut.warnings }
  }
  const cut = clampCount(sizeMax, size ?? sizeDefault, 'size')
  checkPageWindow(page ?? 1, cut.count)
  return { request: { ...asked, limit: cut.count, start: { page: page ?? 1 } }, warnings: cut.warnings }
}

/** Converts `from` (inclusive) and `to` (exclusive) to comparisons. */
export function toRangeFilter(
  c: RequestContext,
  field: string,
  { from, to }: { readonly from?: number | undefined; readonly to?: number | undefined },
): Comparison[] {
  if (from !== undefined && to !== undefined && from >= to) {
    throw invalidParameter('from', c.req.query('from') ?? '', { reason: "must be before 'to'" })
  }
  return [
    ...(from === undefined ? [] : [{ field, operator: 'gte', value: from } as const]),
    ...(to === undefined ? [] : [{ field, operator: 'lt', value: to } as const]),
  ]
}

type ClampedCount = { readonly count: number; readonly warnings: readonly string[] }

/** Reads a number of entries, at most `max`, with a warning for more. */
export function clampCount(max: number, wanted: number, parameter: 'limit' | 'size'): ClampedCount {
  return { count: Math.min(wanted, max), warnings: wanted > max ? [`${parameter}_cut_to:${max}`] : [] }
}

function checkPageWindow(page: number, size: number): void {
  const { windowMax } = limits.page
  if (page * size <= windowMax) return
  const reason = `page and size only reach the first ${windowMax} entries; use cursor and limit`
  throw invalidParameter('page', String(page), { reason })
}
