import { AppError } from '@tripline/contract/app-error'
import type { Filter, ListTotal, SortKey } from '../../model/lists/filter.ts'
import type { TenantId } from '../../model/tenant.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { parseCursor, printCursor } from '../../state/ports/cursor.ts'
import type { CursorList, CursorPosition } from '../../state/ports/cursor.ts'
import type { ListPageInfo, ListQuery } from '../../state/ports/list-query.ts'

/** A request for one page of a list: filters, order and position. */
export type ListRequest = {
  readonly filter: Filter | undefined
  /** Filters from the simple query parameters. */
  readonly narrowing: readonly Filter[]
  readonly text: string | undefined
  readonly sort: readonly SortKey[]
  readonly limit: number
  /** A page number from 1, or a cursor; without a cursor the first page. */
  readonly start: { readonly page: number } | { readonly cursor: string | undefined }
}

export type ListPage<Entry> = {
  readonly entries: readonly Entry[]
  /** Counted from 1; for a cursor, assuming previous pages of the same size. */
  readonly page: number
  readonly size: number
  readonly total: ListTotal
  readonly nextCursor: string | undefined
}

/** Dependencies of cursors: their key and clock. */
export type CursorDeps = {
  readonly keys: { readonly cursor: Uint8Array }
  readonly clock: Pick<Runtime, 'now'>
}

/** The tenant and the name of a list. */
type ListName = {
  readonly tenant: TenantId
  readonly endpoint: string
  /** Further restrictions that the request does not contain; a cursor is only valid for the same ones. */
  readonly narrowing?: unknown
}

/**
 * Reads a page of a list by keyset pagination and creates the cursor of the next page. A cursor is only valid for the same
 * tenant, filters, text and order.
 *
 * @throws AppError INVALID_CURSOR for a cursor of another list.
 */
export async function readListPage<Entry>(
  app: CursorDeps,
  name: ListName,
  request: ListRequest,
  find: (query: ListQuery) => Promise<ListPageInfo & { readonly entries: readonly Entry[] }>,
): Promise<ListPage<Entry>> {
  const { filter, narrowing, text, sort, limit, start } = request
  const { tenant, endpoint } = name
  const list: CursorList = { tenant, endpoint, query: [name.narrowing, filter, narrowing, text, sort] }
  const place = 'cursor' in start && start.cursor !== undefined ? readCursor(app, list, start.cursor) : undefined
  const before = 'page' in start ? (start.page - 1) * limit : (place?.ordinal ?? 0)
  const { entries, next, total } = await find({
    narrowing, sort, limit,
    ...(filter !== undefined && { filter }),
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
    nextCursor: next && writeCursor(app, list, { last: next, ordinal }),
  }
}

/** @throws AppError INVALID_CURSOR, without the reason. */
export function readCursor({ keys, clock }: CursorDeps, list: CursorList, cursor: string): CursorPosition {
  const place = parseCursor(list, cursor, { key: keys.cursor, at: clock.now() })
  if (place !== undefined) return place
  const message = 'the cursor is invalid, expired or of another list, filter or order; start again without it'
  throw new AppError('INVALID_CURSOR', message)
}

export function writeCursor({ keys, clock }: CursorDeps, list: CursorList, place: CursorPosition): string {
  return printCursor(list, place, { key: keys.cursor, at: clock.now() })
}
