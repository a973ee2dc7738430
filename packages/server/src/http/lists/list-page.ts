import type { Filter, ListTotal, SortKey } from '@tripline/model/lists/filter'
import type { TenantId } from '@tripline/model/tenant'
import type { TenantList } from '@tripline/state/ports/list-query'
import { readCursor, writeCursor } from './cursor.ts'
import type { CursorDeps, CursorList } from './cursor.ts'

/** A request for one page of a list: a selection, and the position of the page. */
export type ListRequest = {
  readonly where: readonly Filter[]
  readonly text: string | undefined
  readonly order: readonly SortKey[]
  readonly limit: number
  /** A page number from 1, or a cursor; without a cursor the first page. */
  readonly start: { readonly page: number } | { readonly cursor: string | undefined }
  /** The parameters that select and sort the entries: a cursor is only valid for the same ones. */
  readonly identity: unknown
}

export type ListPage<Entry> = {
  readonly entries: readonly Entry[]
  /** Counted from 1; for a cursor, assuming previous pages of the same size. */
  readonly page: number
  readonly size: number
  readonly total: ListTotal
  readonly nextCursor: string | undefined
}

/** The tenant and the name of a list. */
type ListName = { readonly tenant: TenantId; readonly endpoint: string }

/**
 * Reads a page of a list by keyset pagination and creates the cursor of the next page. A cursor is only valid for the same
 * tenant and parameters.
 *
 * @throws AppError INVALID_CURSOR for a cursor of another list.
 */
export async function readListPage<Entry>(
  deps: CursorDeps, { tenant, endpoint }: ListName, request: ListRequest, { list }: Pick<TenantList<Entry>, 'list'>,
): Promise<ListPage<Entry>> {
  const { where, text, order, limit, start, identity } = request
  const name: CursorList = { tenant, endpoint, query: identity }
  const place = 'cursor' in start && start.cursor !== undefined ? readCursor(deps, name, start.cursor) : undefined
  const before = 'page' in start ? (start.page - 1) * limit : (place?.ordinal ?? 0)
  const { entries, next, total } = await list(tenant, {
    where, order, limit,
    ...(text !== undefined && { text }),
    ...(place !== undefined && { after: place.last }),
    ...('page' in start && { skip: before }),
  })
  const ordinal = before + entries.length
  return {
    entries,
    page: Math.floor(before / limit) + 1,
    size: limit,
    total,
    nextCursor: next && writeCursor(deps, name, { last: next, ordinal }),
  }
}
