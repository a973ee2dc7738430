import { AppError } from '../domain/app-error.ts'
import type { Filter, ListTotal, SortKey } from '../domain/filter.ts'
import type { TenantId } from '../domain/tenant.ts'
import { parseCursor, printCursor } from '../store/cursor.ts'
import type { CursorList, CursorPosition } from '../store/cursor.ts'
import type { ListPageInfo, ListQuery } from '../store/list-query.ts'
import type { App } from './app.ts'

/** Which entries of a list, in which order, and which page of them. */
export type ListRequest = {
  readonly filter: Filter | undefined
  /** What the simple parameters of a list ask besides. */
  readonly narrowing: readonly Filter[]
  readonly text: string | undefined
  readonly sort: readonly SortKey[]
  readonly limit: number
  /** A page by its number, from 1 on, or the one that a cursor leads to; without a cursor it is the first. */
  readonly start: { readonly page: number } | { readonly cursor: string | undefined }
}

export type ListPage<Entry> = {
  readonly entries: readonly Entry[]
  /** Counted from 1; for a cursor, where the pages before had as many entries. */
  readonly page: number
  readonly size: number
  readonly total: ListTotal
  readonly nextCursor: string | undefined
}

/** The cursors of an app: their key and clock. */
export type CursorDeps = {
  readonly keys: Pick<App['keys'], 'cursor'>
  readonly clock: Pick<App['clock'], 'now'>
}

/** Whose list it is, and its name. */
export type ListName = {
  readonly tenant: TenantId
  readonly endpoint: string
  /** What narrows it besides, where the request does not say it: a cursor is of one of these alone. */
  readonly narrowing?: unknown
}

/**
 * Reads a page of a list and makes the cursor of the next. A cursor goes on with the same list alone: same tenant,
 * filters, text and order.
 *
 * @throws AppError INVALID_CURSOR for a cursor that is none of this list.
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

/** @throws AppError INVALID_CURSOR, which does not say what is wrong with it: nobody needs to know. */
export function readCursor({ keys, clock }: CursorDeps, list: CursorList, cursor: string): CursorPosition {
  const place = parseCursor(list, cursor, { key: keys.cursor, at: clock.now() })
  if (place !== undefined) return place
  const message = 'the cursor is invalid, expired or of another list, filter or order; start again without it'
  throw new AppError('INVALID_CURSOR', message)
}

export function writeCursor({ keys, clock }: CursorDeps, list: CursorList, place: CursorPosition): string {
  return printCursor(list, place, { key: keys.cursor, at: clock.now() })
}
