import type { LargeListBody } from '@tripline/contract/list'
import { formatDuration } from '../round.ts'
import type { ListPage } from './list-page.ts'

/** Prints the pagination and metadata of a large list. */
export function printList(
  { page, size, total, nextCursor }: Omit<ListPage<unknown>, 'entries'>,
  { tookMs, warnings }: { readonly tookMs: number; readonly warnings: readonly string[] },
): LargeListBody {
  return {
    pagination: { page, size, total: total.count, next_cursor: nextCursor ?? null },
    took_ms: formatDuration(tookMs),
    total_estimate: total.count,
    truncated: false,
    query_warnings: total.isExact ? [...warnings] : [...warnings, 'total_estimated'],
  }
}
