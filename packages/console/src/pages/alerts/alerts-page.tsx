import { useCallback, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { AlertBody } from '@tripline/contract/console/alert'
import { useUser } from '../../api/use-user.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { useUrlState } from '../../frame/use-url-state.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { tickClock } from '../../lib/clock.ts'
import { getRowHeight, look } from '../../lib/look.ts'
import { useStore } from '../../lib/use-store.ts'
import type { ListHandle } from '../../ui/list-window.tsx'
import { ErrorMessage, StateMessage } from '../../ui/state-message.tsx'
import { Table } from '../../ui/table.tsx'
import { listAlertColumns } from './alert-columns.tsx'
import { loadAhead, useAlertList } from './alert-queries.ts'
import { alertParameters, toAlertQuery } from './alert-url.ts'
import styles from './alerts-page.module.css'
import { FilterBar } from './filter-bar.tsx'

const defaultSort = { field: 'created_at', direction: 'desc' } as const

/** The list of alerts with its filters, and the panel of one of them. */
export function AlertsPage(): ReactNode {
  const { email } = useUser()
  const [url, setUrl] = useUrlState(alertParameters)
  const [loadedAt] = useState(() => {
    tickClock()
    return Date.now()
  })
  const { from, to, q, severity, status, assignee, rule, host, user, tactic, source, verdict, sort } = url
  const parameters = useMemo(
    () => toAlertQuery({ from, to, q, severity, status, assignee, rule, host, user, tactic, source, verdict, sort }, { email, loadedAt }),
    [from, to, q, severity, status, assignee, rule, host, user, tactic, source, verdict, sort, email, loadedAt],
  )
  const list = useAlertList(parameters, loadedAt)
  const { query, rows, total } = list
  const rowHeight = useStore(look, getRowHeight)
  const columns = useMemo(listAlertColumns, [])
  const handle = useRef<ListHandle>(null)
  const { fetchNextPage, hasNextPage, isFetching } = query
  const onShown = useCallback(
    (last: number) => {
      if (hasNextPage && !isFetching && last + loadAhead > rows.length) void fetchNextPage()
    },
    [hasNextPage, isFetching, fetchNextPage, rows.length],
  )
  return (
    <>
      <PageHead title={t('alerts.title')} range={{ from, to }} onRange={(range) => setUrl(range)} />
      <FilterBar url={url} onChange={setUrl} summary={t('alerts.count', { count: total, took: printNumber(list.tookMs ?? 0) })} />
      <div className={styles['body']} data-stale={query.isPlaceholderData || undefined}>
        {query.isError && <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />}
        {query.isSuccess && rows.length === 0 && <StateMessage title={t('alerts.none')} />}
        {rows.length > 0 && (
          <Table
            ref={handle}
            label={t('alerts.title')}
            columns={columns}
            rows={rows}
            getId={getAlertId}
            total={total}
            rowHeight={rowHeight}
            sort={sort ?? defaultSort}
            onSort={(next) => setUrl({ sort: next })}
            onShown={onShown}
          />
        )}
      </div>
    </>
  )
}

function getAlertId({ id }: AlertBody): string {
  return id
}
