import type { ListMetadata, Pagination } from '../contract/page.ts'
import { AppError } from '../domain/app-error.ts'
import { limits } from '../limits.ts'
import type { RequestContext } from './route.ts'
import { invalidParameter } from './validate.ts'

/** A page as it was asked for, with what was changed about it. */
export type PageRequest = { readonly page: number; readonly size: number; readonly warnings: readonly string[] }

/** What a list found. */
export type ListFacts = {
  readonly total: number
  readonly tookMs: number
  readonly isTruncated?: boolean
  readonly warnings: readonly string[]
}

/**
 * Applies the defaults and bounds of page and size (section 1.8): a size over the maximum is cut with a warning.
 *
 * @throws AppError INVALID_PARAMETER for a page beyond what page and size can reach.
 */
export function readPage(query: { page?: number | undefined; size?: number | undefined }): PageRequest {
  const { sizeDefault, sizeMax, windowMax } = limits.page
  const { page = 1, size: sizeWanted = sizeDefault } = query
  const size = Math.min(sizeWanted, sizeMax)
  if (page * size > windowMax) {
    throw invalidParameter('page', String(page), { reason: `page and size reach the first ${windowMax} entries` })
  }
  return { page, size, warnings: size < sizeWanted ? [`size_cut_to:${sizeMax}`] : [] }
}

/**
 * Reads `sort`: a comma list of `<field>` or `<field>:<asc|desc>`; without a direction it is ascending (D-22).
 *
 * @throws AppError INVALID_QUERY_FIELD for a field that the list cannot be sorted by.
 */
export function readSort<Field extends string>(
  sort: string | undefined,
  fields: readonly Field[],
): { field: Field; direction: 'asc' | 'desc' }[] {
  return (sort ?? '').split(',').filter((part) => part !== '').map((part) => {
    const [name = '', direction = 'asc'] = part.split(':')
    const field = fields.find((candidate) => candidate === name)
    if (field === undefined) throw unknownSortField(name, fields)
    if (direction !== 'asc' && direction !== 'desc') throw invalidParameter('sort', part, { allowed: ['asc', 'desc'] })
    return { field, direction }
  })
}

/**
 * Refuses the structured `filters` (decisions 3.3): to leave one out would answer with entries that were not
 * asked for.
 *
 * @throws AppError INVALID_QUERY_FIELD with the parameters to use instead.
 */
export function refuseFilters(c: RequestContext, parameters: readonly string[]): void {
  if (c.req.query('filters') === undefined) return
  const message = `this list has no field for 'filters'; it can be narrowed by ${parameters.join(', ')}`
  throw new AppError('INVALID_QUERY_FIELD', message, { field: 'filters', allowed: [], parameters })
}

/** What a list answers besides its entries (D-21). */
export function printListMetadata(
  request: PageRequest,
  { total, tookMs, isTruncated = false, warnings }: ListFacts,
): ListMetadata & { pagination: Pagination } {
  return {
    pagination: { page: request.page, size: request.size, total },
    took_ms: Math.round(tookMs * 10) / 10,
    total_estimate: total,
    truncated: isTruncated,
    query_warnings: [...request.warnings, ...warnings],
  }
}

function unknownSortField(name: string, allowed: readonly string[]): AppError {
  const field = name.slice(0, 64)
  const message = `the list cannot be sorted by '${field}'; it can be by ${allowed.join(', ')}`
  return new AppError('INVALID_QUERY_FIELD', message, { field, allowed })
}
