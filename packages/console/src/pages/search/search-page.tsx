import type { SearchEventBody } from '@tripline/contract/console/search'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { useUrlState } from '../../frame/use-url-state.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { useKeys } from '../../lib/keys.ts'
import { getRowHeight, look } from '../../lib/look.ts'
import { toIso, zoomOut } from '../../lib/time-range.ts'
import type { TimeRange } from '../../lib/time-range.ts'
import { useStore } from '../../lib/use-store.ts'
import { Histogram } from '../../ui/histogram.tsx'
import type { ListHandle } from '../../ui/list-window.tsx'
import { ErrorMessage, StateMessage } from '../../ui/state-message.tsx'
import { Table } from '../../ui/table.tsx'
import { showToast } from '../../ui/toast-store.ts'
import { listEventColumns } from './event-columns.tsx'
import { EventPanel } from './event-panel.tsx'
import type { ValueOfEvent } from './event-panel.tsx'
import { QueryBar } from './query-bar.tsx'
import styles from './search-page.module.css'
import { eventsAhead, useEventList, useQueryLanguage } from './search-queries.ts'
import { searchParameters, toSearchQuery } from './search-url.ts'

const defaultSort = { field: 'timestamp', direction: 'desc' } as const

/** The stored events that a query finds, over time and as a list, and the panel of one of them. */
export function SearchPage(): ReactNode {
  const [url, setUrl] = useUrlState(searchParameters)
  const { q = '', from, to, sort = defaultSort, event: openId } = url
  const [loadedAt, setLoadedAt] = useState(Date.now)
  const language = useQueryLanguage()
  const check = language.data?.checkQuery
  // Without the language the server checks the query alone.
  const isValid = language.isError || check === undefined || check(q) === undefined
  const parameters = useMemo(
    () => toSearchQuery({ q: url.q, from, to, sort: url.sort }, loadedAt),
    [url.q, from, to, url.sort, loadedAt],
  )
  const list = useEventList(parameters, loadedAt, isValid && !language.isPending)
  const { query, rows, total } = list
  const [cursor, setCursor] = useState<string>()
  const current = openId ?? cursor
  const index = rows.findIndex(({ id }) => id === current)
  const handle = useRef<ListHandle>(null)
  const rowHeight = useStore(look, getRowHeight)
  const columns = useMemo(() => listEventColumns(), [])
  const { fetchNextPage, hasNextPage, isFetching } = query
  const onShown = useCallback(
    (last: number) => {
      if (hasNextPage && !isFetching && last + eventsAhead > rows.length) void fetchNextPage()
    },
    [hasNextPage, isFetching, fetchNextPage, rows.length],
  )
  const open = useCallback(
    ({ id }: Pick<SearchEventBody, 'id'>) => {
      setCursor(id)
      setUrl({ event: id }, { isReplacing: openId !== undefined })
    },
    [setUrl, openId],
  )
  const move = (target: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, target))]
    if (row === undefined) return
    setCursor(row.id)
    handle.current?.reveal(rows.indexOf(row))
    if (openId !== undefined) open(row)
  }
  const close = (): void => setUrl({ event: undefined })
  const changeRange = (range: TimeRange): void => {
    setLoadedAt(Date.now())
    setUrl({ from: range.from, to: range.to }, { isTyping: true })
  }
  const search = (text: string, isTyping: boolean): void => {
    setLoadedAt(Date.now())
    setUrl({ q: text === '' ? undefined : text }, { isTyping })
  }
  const narrow = (before: string, value: ValueOfEvent, isExcluded: boolean): void => {
    try {
      const text = language.data?.addCondition(before, { ...value, isExcluded })
      if (text !== undefined) setUrl({ q: text })
    } catch (error) {
      // The query of the address is not one, or the value is too long for a query.
      showToast({ kind: 'error', text: t('search.cannotNarrow', { problem: getErrorText(error) }) })
    }
  }
  const zoomOutOfRange = (): void => changeRange(zoomOut({ from, to }, Date.now()))
  useKeys([
    { keys: 'j', label: t('search.keys.next'), run: () => move(index + 1) },
    { keys: 'ArrowDown', run: () => move(index + 1) },
    { keys: 'k', label: t('search.keys.previous'), run: () => move(index - 1) },
    { keys: 'ArrowUp', run: () => move(index - 1) },
    { keys: 'Home', run: () => move(0) },
    { keys: 'End', run: () => move(rows.length - 1) },
    {
      keys: 'Enter',
      label: t('search.keys.open'),
      run: () => {
        if (rows[index] !== undefined) open(rows[index])
      },
    },
    { keys: 'Escape', label: t('search.keys.close'), run: close },
    { keys: 'z', label: t('search.keys.zoomOut'), run: zoomOutOfRange },
    { keys: '.', label: t('search.keys.again'), run: () => setLoadedAt(Date.now()) },
  ])
  const shown = `${printNumber(total)}${list.isLowerBound ? '+' : ''}`
  return (
    <>
      <PageHead title={t('search.title')} range={{ from, to }} onRange={changeRange} />
      <QueryBar
        query={q}
        check={check}
        onSearch={search}
        summary={list.tookMs !== undefined && t('search.count', { shown, count: total, took: printNumber(list.tookMs) })}
      />
      <Histogram
        bars={list.bars}
        barMs={list.barMs}
        onZoom={(start, end) => changeRange({ from: toIso(start), to: end >= Date.now() ? undefined : toIso(end) })}
        onZoomOut={zoomOutOfRange}
      />
      {list.warnings.map((warning) => (
        <p key={warning} className={styles['warning']} role="status">
          {warning}
        </p>
      ))}
      <div className={styles['body']} data-stale={query.isPlaceholderData || undefined}>
        <div className={styles['list']}>
          {query.isError && <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />}
          {query.isSuccess && rows.length === 0 && <StateMessage title={t('search.none')} />}
          {rows.length > 0 && (
            <Table
              ref={handle}
              label={t('search.events')}
              columns={columns}
              rows={rows}
              getId={getEventId}
              total={total}
              rowHeight={rowHeight}
              sort={sort}
              onSort={(next) => setUrl({ sort: next })}
              current={current}
              onOpen={open}
              onShown={onShown}
            />
          )}
        </div>
        {openId !== undefined && (
          <EventPanel
            key={openId}
            id={openId}
            onClose={close}
            onMove={(step) => move(index + step)}
            onOpen={(id) => open({ id })}
            onNarrow={(value, isExcluded) => narrow(q, value, isExcluded)}
            onPivot={(entity) => narrow('', entity, false)}
          />
        )}
      </div>
    </>
  )
}

function getEventId({ id }: SearchEventBody): string {
  return id
}
