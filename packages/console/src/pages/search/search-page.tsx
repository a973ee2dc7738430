import { Link } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useMay } from '../../api/use-may.ts'
import { ExportMenu } from '../../frame/export/export-menu.tsx'
import { PageHead } from '../../frame/page-head.tsx'
import { RowList } from '../../frame/row-list.tsx'
import { useRowKeys } from '../../frame/use-row-keys.ts'
import { useUrlState } from '../../frame/use-url-state.ts'
import { SavedViewsMenu } from '../../frame/views/views-menu.tsx'
import { printBytes } from '../../i18n/print-bytes.ts'
import { printCompact } from '../../i18n/print-compact.ts'
import { printTook } from '../../i18n/print-took.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { useKeys } from '../../lib/keys.ts'
import { toIso, zoomOut } from '../../lib/time-range.ts'
import type { TimeRange } from '../../lib/time-range.ts'
import { Button, buttonLink } from '../../ui/button.tsx'
import { Play, RulesIcon } from '../../ui/icons.tsx'
import { lazyPart, preloadPart } from '../../ui/loading/lazy-part.tsx'
import { listEventColumns } from './event-columns.tsx'
import { Facets } from './facets.tsx'
import { addFieldColumns } from './field-columns.tsx'
import type { ValueOfEvent } from './narrow-buttons.tsx'
import { QueryBar } from './query/query-bar.tsx'
import { SearchHistogram, SplitMenu } from './search-histogram.tsx'
import { LayoutButton } from './layout-button.tsx'
import { printWarning } from './query/print-warning.ts'
import styles from './search-page.module.css'
import { eventsAhead, useEventList, useEventFacets, useSplit } from './search-queries.ts'
import { searchParameters, toSearchQuery } from './search-url.ts'
import { eventTable, useLayout } from './use-layout.ts'
import { useQueryTools } from './use-query-tools.ts'

/** What a search cost, as its summary says it. */
function printCost(cost: NonNullable<ReturnType<typeof useEventList>['cost']>): Readonly<Record<string, string>> {
  const { events, bytes, total, tookMs } = cost
  // Events that arrive while it searches are read, and not among those that it began with.
  return { read: printCompact(events), size: printBytes(bytes), all: printCompact(Math.max(total, events)), took: printTook(tookMs) }
}

/** What is of the moment, and no part of a saved search. */
const notOfViews = ['event', 'live']
const noFields: readonly string[] = []
const defaultSort = { field: 'timestamp', direction: 'desc' } as const

/** What copies comes with the panel, which is no part of the first page. */
async function copyLink(): Promise<void> {
  const { copyText } = await import('../../ui/copy-text.ts')
  await copyText(location.href)
}

const loadPanel = async () => (await import('./event-panel.tsx')).EventPanel
const EventPanel = lazyPart(loadPanel)
const LiveTail = lazyPart(async () => (await import('./live-tail.tsx')).LiveTail)
const AroundEvent = lazyPart(async () => (await import('./around-event.tsx')).AroundEvent)
const LogView = lazyPart(async () => (await import('./log-view.tsx')).LogView)
const NoEvents = lazyPart(async () => (await import('./no-events.tsx')).NoEvents)

/** The stored events that a query finds, or the new ones as they arrive. */
export function SearchPage(): ReactNode {
  const [{ live, around }] = useUrlState(searchParameters)
  if (around !== undefined) return <AroundEvent id={around} />
  return live === undefined ? <StoredEvents /> : <LiveTail />
}

/** The stored events that a query finds, over time and as a list, and the panel of one of them. */
function StoredEvents(): ReactNode {
  const mayEditRules = useMay('edit_rules')
  const [url, setUrl] = useUrlState(searchParameters)
  const { q = '', from, to, sort = defaultSort, event: openId } = url
  const [loadedAt, setLoadedAt] = useState(Date.now)
  const tools = useQueryTools()
  // The panel is no part of the first page, and is there before it is wanted.
  useEffect(() => preloadPart(loadPanel), [])
  const { language, check, suggest, onFocus } = tools
  // Without the language the server checks the query alone.
  const isValid = language.isError || check === undefined || check(q) === undefined
  const parameters = useMemo(
    () => toSearchQuery({ q: url.q, from, to, sort: url.sort }, loadedAt),
    [url.q, from, to, url.sort, loadedAt],
  )
  const { sort: _sort, ...selection } = parameters
  const list = useEventList(parameters, loadedAt, isValid && !language.isPending)
  const facets = useEventFacets(parameters, loadedAt, isValid && !language.isPending && openId === undefined)
  const split = useSplit(parameters, url.split, loadedAt, isValid && !language.isPending)
  const { query, rows, total } = list
  const onOpen = useCallback((id: string, isReplacing: boolean) => setUrl({ event: id }, { isReplacing }), [setUrl])
  const close = (): void => setUrl({ event: undefined })
  const { handle, current, index, open, move } = useRowKeys({ rows, openId, onOpen, onClose: close })
  const added = url.columns ?? noFields
  const sought = useMemo(() => language.data?.listQueryTexts(q) ?? [], [language.data, q])
  const columns = useMemo(() => addFieldColumns(listEventColumns(sought), added), [added, sought])
  const toggleColumn = (field: string): void => {
    const next = added.includes(field) ? added.filter((one) => one !== field) : [...added, field]
    setUrl({ columns: next.length === 0 ? undefined : next })
  }
  const changeRange = (range: TimeRange): void => {
    setLoadedAt(Date.now())
    setUrl({ from: range.from, to: range.to }, { isTyping: true })
  }
  const search = (text: string, isTyping: boolean): void => {
    setLoadedAt(Date.now())
    setUrl({ q: text === '' ? undefined : text }, { isTyping })
  }
  const narrow = (before: string, value: ValueOfEvent, isExcluded: boolean): void => {
    const text = tools.narrow(before, value, isExcluded)
    if (text !== undefined) setUrl({ q: text })
  }
  const { layout, change: changeLayout } = useLayout(url.layout, setUrl)
  const follow = (): void => setUrl({ live: '1', event: undefined })
  const zoomOutOfRange = (): void => changeRange(zoomOut({ from, to }, Date.now()))
  // The panel is no part of the first page, and is there before it is wanted.
  useEffect(() => preloadPart(loadPanel), [])
  useKeys([
    // The panel of an event has the same key.
    ...(openId === undefined ? [{ keys: 'm', label: t('search.keys.copyLink'), run: () => void copyLink() }] : []),
    { keys: 'z', label: t('search.keys.zoomOut'), run: zoomOutOfRange },
    { keys: 'l', label: t('tail.follow'), run: follow },
    { keys: '.', label: t('search.keys.again'), run: () => setLoadedAt(Date.now()) },
  ])
  const shown = `${printNumber(total)}${list.isLowerBound ? '+' : ''}`
  return (
    <>
      <PageHead title={t('search.title')} range={{ from, to }} onRange={changeRange}>
        <Button kind="ghost" icon={Play} keys="l" onClick={follow}>
          {t('tail.follow')}
        </Button>
        <LayoutButton layout={layout} onChange={changeLayout} />
        <SavedViewsMenu page="search" path="/search" beside={notOfViews} />
        <ExportMenu resource="events" query={selection} total={total} />
        <SplitMenu
          field={url.split}
          fields={facets.data?.facets.map(({ field }) => field) ?? []}
          onChange={(field) => setUrl({ split: field })}
        />
        {mayEditRules && url.q !== undefined && (
          <Link to="/rules/$id" params={{ id: 'new' } as never} search={{ from_query: url.q } as never} className={buttonLink}>
            <RulesIcon size={14} aria-hidden /> {t('search.makeRule')}
          </Link>
        )}
      </PageHead>
      <QueryBar
        query={q}
        check={check}
        suggest={suggest}
        onFocus={onFocus}
        onSearch={search}
        summary={list.cost !== undefined && t('search.count', { shown, count: total, ...printCost(list.cost) })}
      />
      <SearchHistogram
        bars={list.bars}
        barMs={list.barMs}
        field={url.split}
        split={split}
        onZoom={(start, end) => changeRange({ from: toIso(start), to: end >= Date.now() ? undefined : toIso(end) })}
        onZoomOut={zoomOutOfRange}
      />
      {list.warnings.map((warning) => (
        <p key={warning} className={styles['warning']} role="status">
          {printWarning(warning)}
        </p>
      ))}
      <div className={styles['results']}>
        {openId === undefined && <Facets query={facets} onNarrow={(value, isExcluded) => narrow(q, value, isExcluded)} />}
        <RowList
          ref={handle}
          query={query}
          loadAhead={eventsAhead}
          name={eventTable}
          label={t('search.events')}
          renderRows={layout === 'table' ? undefined : (onShown) => (
            <LogView
              ref={handle}
              label={t('search.events')}
              rows={rows}
              total={total}
              current={current}
              onOpen={open}
              onShown={onShown}
              fields={added}
              sought={sought}
            />
          )}
          columns={columns}
          rows={rows}
          total={total}
          sort={sort}
          onSort={(next) => setUrl({ sort: next })}
          current={current}
          onOpen={open}
          empty={<NoEvents query={url.q} range={{ from, to }} onQuery={(next) => setUrl({ q: next })} onRange={changeRange} />}
        >
          {openId !== undefined && (
            <EventPanel
              key={openId}
              id={openId}
              onClose={close}
              onMove={(step) => move(index + step)}
              onOpen={(id) => open({ id })}
              onNarrow={(value, isExcluded) => narrow(q, value, isExcluded)}
              onPivot={(entity) => narrow('', entity, false)}
              columns={added}
              onColumn={toggleColumn}
              sought={sought}
            />
          )}
        </RowList>
      </div>
    </>
  )
}
