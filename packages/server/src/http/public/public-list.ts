import type { ParameterValues, Parameters } from '@tripline/contract/public/parameters'
import type { Shape } from '@tripline/contract/public/shape'
import type { PublicPage } from '@tripline/contract/public/wrapper'
import type { Principal } from '@tripline/model/access/principal'
import type { Comparison, Filter, FilterValue } from '@tripline/model/lists/filter'
import type { ListPage, ListRequest } from '../lists/list-page.ts'
import { publicParameterError } from './public-errors.ts'
import type { PublicSorting } from './public-paging.ts'
import { page, publicRoute } from './public-route.ts'
import type { PublicRoute } from './public-route.ts'

/** A paged list of the public API. */
type PublicList<Query extends Parameters, Entry> = Pick<PublicRoute, 'path' | 'resource' | 'permission' | 'summary'> & {
  readonly parameters: Query
  readonly entry: Shape<Entry>
  readonly sorting: PublicSorting
  readonly toWhere: (query: ParameterValues<Query>) => readonly Filter[]
  /** The text that the list behind searches, if the list has such a parameter. */
  readonly toText?: (query: ParameterValues<Query>) => string | undefined
  /** Reads a page; the id is the `:id` of its path, of a list below a resource. */
  readonly readPage: (caller: Principal, request: ListRequest, id: string) => Promise<ListPage<Entry>>
}

/** Creates the route of a list: page numbers, sizes, sorting and cursors are the same in all of them. */
export function publicList<const Query extends Parameters, Entry>(definition: PublicList<Query, Entry>): PublicRoute {
  const { entry, toWhere, toText, readPage, ...operation } = definition
  return publicRoute<PublicPage<Entry>, Query>({
    ...operation, method: 'GET', response: page(entry), errors: ['INVALID_CURSOR'],
    async handle({ caller, id, query, paging }) {
      if (paging === undefined) throw new Error(`the list ${operation.path} is read without its page`)
      const request: ListRequest = { ...paging, where: toWhere(query), text: toText?.(query), identity: [query, paging.order] }
      const { entries, page: number, size, total, nextCursor = null } = await readPage(caller, request, id)
      return {
        body: { entries, page: number, size, total: total.count, nextCursor }, warnings: total.isExact ? [] : ['total_estimated'],
      }
    },
  })
}

/** The comparison of a field with the values of a parameter; none without it. */
export function isAnyOf(field: string, values: readonly FilterValue[] | undefined): Comparison[] {
  return values === undefined ? [] : [{ field, operator: 'in', value: values }]
}

/** The comparisons of a time range, from inclusive to exclusive. @throws AppError INVALID_PARAMETER for an empty range. */
export function toPublicRange(
  field: string, { from, to }: { readonly from?: number | undefined; readonly to?: number | undefined },
): Comparison[] {
  if (from !== undefined && to !== undefined && from >= to) {
    throw publicParameterError('from', new Date(from).toISOString(), { reason: "it must be before 'to'" })
  }
  return [
    ...(from === undefined ? [] : [{ field, operator: 'gte', value: from } as const]),
    ...(to === undefined ? [] : [{ field, operator: 'lt', value: to } as const]),
  ]
}
