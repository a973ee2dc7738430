import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { ReactNode } from 'react'
import { getRowHeight, look } from '../lib/look.ts'
import { useStore } from '../lib/use-store.ts'
import { Skeleton } from '../ui/loading/skeleton.tsx'
import { ErrorMessage } from '../ui/state-message.tsx'
import { Table } from '../ui/table.tsx'
import type { TableProps } from '../ui/table.tsx'
import styles from './row-list.module.css'

type Page = UseInfiniteQueryResult<unknown>
/** The state of the request; a list that is read whole has no further pages. */
type ListRequest = Pick<Page, 'isError' | 'error' | 'isSuccess' | 'refetch'> &
  Partial<Pick<Page, 'isPlaceholderData' | 'fetchNextPage' | 'hasNextPage' | 'isFetching'>>

type RowListProps<Row, Field extends string> = Omit<TableProps<Row, Field>, 'getId' | 'rowHeight' | 'onShown'> & {
  readonly query: ListRequest
  /** Rows ahead of the last visible one at which the next page is loaded. */
  readonly loadAhead?: number
  /** Shown in the place of a list without rows. */
  readonly empty: ReactNode
  /** Shown in the place of the table, such as groups of its rows. */
  readonly instead?: ReactNode
  /** Shows the rows in another way than as a table. */
  readonly renderRows?: ((onShown: (lastRow: number) => void) => ReactNode) | undefined
  /** Above the table: what came since. */
  readonly above?: ReactNode
  /** Below the table: what acts on its rows. */
  readonly below?: ReactNode
  /** The panel beside the list. */
  readonly children?: ReactNode
}

/** Lines that stand for rows while the first are loaded. */
const linesShown = 12

/** The body of a page that lists rows: a table that loads page after page, what stands in its place, and the panel of a row. */
export function RowList<Row extends { readonly id: string }, Field extends string = string>({
  query,
  loadAhead = 0,
  empty,
  instead,
  renderRows,
  above,
  below,
  children,
  ...table
}: RowListProps<Row, Field>): ReactNode {
  const { rows } = table
  const rowHeight = useStore(look, getRowHeight)
  const { isError, error, isSuccess, refetch, isPlaceholderData, fetchNextPage, hasNextPage, isFetching } = query
  const onShown = useCallback(
    (last: number) => {
      if (hasNextPage === true && isFetching === false && last + loadAhead > rows.length) void fetchNextPage?.()
    },
    [hasNextPage, isFetching, fetchNextPage, loadAhead, rows.length],
  )
  const isStale = isPlaceholderData === true || undefined
  return (
    <div className={styles['body']}>
      <div className={styles['list']} data-stale={isStale} aria-busy={isStale}>
        {above}
        {isError && instead === undefined && <ErrorMessage error={error} what={table.label} onRetry={() => void refetch()} />}
        {instead}
        {instead === undefined && isSuccess && rows.length === 0 && empty}
        {instead === undefined && !isSuccess && !isError && isFetching !== false && <Skeleton lines={linesShown} height={rowHeight} />}
        {instead === undefined && rows.length > 0 && (
          renderRows?.(onShown) ?? <Table {...table} getId={getId} rowHeight={rowHeight} onShown={onShown} />
        )}
        {below}
      </div>
      {children}
    </div>
  )
}

function getId({ id }: { readonly id: string }): string {
  return id
}
