import type { IncidentBody } from '@tripline/contract/console/incident'
import { Suspense, lazy, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useMay } from '../../api/use-may.ts'
import { useUser } from '../../api/use-user.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { useUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { tickClock } from '../../lib/clock.ts'
import { useKeys } from '../../lib/keys.ts'
import { getRowHeight, look } from '../../lib/look.ts'
import { useStore } from '../../lib/use-store.ts'
import { Button } from '../../ui/button.tsx'
import { X } from '../../ui/icons.tsx'
import type { ListHandle } from '../../ui/list-window.tsx'
import { NewPill } from '../../ui/entries/new-pill.tsx'
import { ErrorMessage, StateMessage } from '../../ui/state-message.tsx'
import { Table } from '../../ui/table.tsx'
import { listIncidentColumns } from './incident-columns.tsx'
import { IncidentFilterBar } from './incident-filter-bar.tsx'
import { incidentsAhead, useIncidentList, useNewIncidentCount } from './incident-queries.ts'
import { changedIncidents, forgetIncidentChanges } from './incident-store.ts'
import { incidentParameters, toIncidentQuery } from './incident-url.ts'
import styles from './incidents-page.module.css'
import { useLiveIncidents } from './use-live-incidents.ts'

const defaultSort = { field: 'created_at', direction: 'desc' } as const
const noFilter = { q: undefined, severity: undefined, status: undefined, assignee: undefined }

const loadPanel = async () => ({ default: (await import('./incident-panel.tsx')).IncidentPanel })
const IncidentPanel = lazy(loadPanel)

/** The incidents of the tenant with their filters, and the panel of one of them. */
export function IncidentsPage(): ReactNode {
  const { email } = useUser()
  const mayChange = useMay('update_alerts')
  const [url, setUrl] = useUrlState(incidentParameters)
  const [loadedAt, setLoadedAt] = useState(Date.now)
  const { q, severity, status, assignee, sort, incident: openId } = url
  const parameters = useMemo(
    () => toIncidentQuery({ q, severity, status, assignee, sort }, email),
    [q, severity, status, assignee, sort, email],
  )
  const { query, total, ...list } = useIncidentList(parameters, loadedAt)
  const changed = useStore(changedIncidents)
  const rows = useMemo(() => list.rows.map((row) => changed.get(row.id) ?? row), [list.rows, changed])
  const newCount = useNewIncidentCount(parameters, loadedAt, useLiveIncidents(list.rows))
  const [cursor, setCursor] = useState<string>()
  const current = openId ?? cursor
  const index = rows.findIndex(({ id }) => id === current)
  const handle = useRef<ListHandle>(null)
  const rowHeight = useStore(look, getRowHeight)
  const columns = useMemo(listIncidentColumns, [])

  const reload = (): void => {
    forgetIncidentChanges()
    tickClock()
    setLoadedAt(Date.now())
    handle.current?.scrollToTop()
  }
  // The panel is no part of the first page, and is there before it is wanted.
  useEffect(() => void loadPanel(), [])
  // A list that was left is read again, and so are the changes that it had.
  useEffect(() => forgetIncidentChanges, [])

  const { fetchNextPage, hasNextPage, isFetching } = query
  const onShown = useCallback(
    (last: number) => {
      if (hasNextPage && !isFetching && last + incidentsAhead > rows.length) void fetchNextPage()
    },
    [hasNextPage, isFetching, fetchNextPage, rows.length],
  )
  const open = useCallback(
    ({ id }: IncidentBody) => {
      setCursor(id)
      setUrl({ incident: id }, { isReplacing: openId !== undefined })
    },
    [setUrl, openId],
  )
  const move = (to: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))]
    if (row === undefined) return
    setCursor(row.id)
    handle.current?.reveal(rows.indexOf(row))
    if (openId !== undefined) setUrl({ incident: row.id }, { isReplacing: true })
  }
  const close = (): void => setUrl({ incident: undefined })
  useKeys([
    { keys: 'j', label: t('incidents.keys.next'), run: () => move(index + 1) },
    { keys: 'ArrowDown', run: () => move(index + 1) },
    { keys: 'k', label: t('incidents.keys.previous'), run: () => move(index - 1) },
    { keys: 'ArrowUp', run: () => move(index - 1) },
    { keys: 'Home', run: () => move(0) },
    { keys: 'End', run: () => move(rows.length - 1) },
    {
      keys: 'Enter',
      label: t('incidents.keys.open'),
      run: () => {
        if (rows[index] !== undefined) open(rows[index])
      },
    },
    { keys: 'Escape', label: t('incidents.keys.close'), run: close },
    { keys: '.', label: t('incidents.keys.reload'), run: reload },
  ])
  // A row that a change takes out of the filter stays, dimmed, until the list is loaded again.
  const isDimmed = useCallback((row: IncidentBody) => status !== undefined && !status.includes(row.status), [status])
  const isFiltered = [q, severity, status, assignee].some((filter) => filter !== undefined)
  return (
    <>
      <PageHead title={t('incidents.title')} />
      <IncidentFilterBar url={url} onChange={setUrl} summary={t('incidents.count', { count: total })} />
      <div className={styles['body']}>
        <div className={styles['list']} data-stale={query.isPlaceholderData || undefined}>
          {newCount > 0 && <NewPill count={newCount} onShow={reload} />}
          {query.isError && <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />}
          {query.isSuccess && rows.length === 0 && (
            <StateMessage title={isFiltered ? t('incidents.noneFiltered') : t('incidents.none')}>
              {isFiltered && (
                <Button icon={X} onClick={() => setUrl(noFilter)}>
                  {t('incidents.filter.removeAll')}
                </Button>
              )}
            </StateMessage>
          )}
          {rows.length > 0 && (
            <Table
              ref={handle}
              label={t('incidents.title')}
              columns={columns}
              rows={rows}
              getId={getIncidentId}
              total={total}
              rowHeight={rowHeight}
              sort={sort ?? defaultSort}
              onSort={(next) => setUrl({ sort: next })}
              current={current}
              onOpen={open}
              isDimmed={isDimmed}
              onShown={onShown}
            />
          )}
        </div>
        <Suspense fallback={null}>
          {openId !== undefined && <IncidentPanel key={openId} id={openId} row={rows[index]} mayChange={mayChange} onClose={close} />}
        </Suspense>
      </div>
    </>
  )
}

function getIncidentId({ id }: IncidentBody): string {
  return id
}
