import { useCallback, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { live } from '../../api/live.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { RowList } from '../../frame/row-list.tsx'
import { useRowKeys } from '../../frame/use-row-keys.ts'
import { useUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { useKeys } from '../../lib/keys.ts'
import { useStore } from '../../lib/use-store.ts'
import { Button } from '../../ui/button.tsx'
import { Pause, Play } from '../../ui/icons.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import { listTailColumns } from './event-columns.tsx'
import { EventPanel } from './event-panel.tsx'
import { LayoutButton } from './layout-button.tsx'
import { LogView } from './log-view.tsx'
import type { ValueOfEvent } from './narrow-buttons.tsx'
import { QueryBar } from './query/query-bar.tsx'
import styles from './search-page.module.css'
import { searchParameters } from './search-url.ts'
import { useLayout } from './use-layout.ts'
import { useQueryTools } from './use-query-tools.ts'
import { useTail } from './use-tail.ts'

/** The list is not read from the server. */
const noRequest = {
  isError: false, error: null, isSuccess: true, refetch: () => Promise.reject(new Error('a live tail has no request')),
} as const

/** New events that match the query, as they arrive, the newest first. */
export function LiveTail(): ReactNode {
  const [url, setUrl] = useUrlState(searchParameters)
  const { q = '', event: openId } = url
  const { narrow, check, suggest, onFocus } = useQueryTools()
  const { kind: liveKind } = useStore(live)
  const [isPaused, setIsPaused] = useState(false)
  // Rows do not move away from under an open panel.
  const { isFollowed, rows, matched, waitingCount, droppedCount, problem } = useTail(q, isPaused || openId !== undefined)
  const onOpen = useCallback((id: string, isReplacing: boolean) => setUrl({ event: id }, { isReplacing }), [setUrl])
  const close = (): void => setUrl({ event: undefined })
  const { handle, current, index, open, move } = useRowKeys({ rows, openId, onOpen, onClose: close })
  const columns = useMemo(() => listTailColumns(matched), [matched])
  const { layout, change: changeLayout } = useLayout(url.layout, setUrl)
  const togglePause = (): void => setIsPaused((before) => !before)
  const leave = (): void => setUrl({ live: undefined, event: undefined })
  const followNarrowed = (before: string, value: ValueOfEvent, isExcluded: boolean): void => {
    const text = narrow(before, value, isExcluded)
    // The list begins anew, and an open panel would hold it.
    if (text !== undefined) setUrl({ q: text, event: undefined })
  }
  useKeys([
    { keys: 'p', label: isPaused ? t('tail.resume') : t('tail.pause'), run: togglePause },
    { keys: 'l', label: t('tail.leave'), run: leave },
  ])
  return (
    <>
      <PageHead title={t('tail.title')}>
        <LayoutButton layout={layout} onChange={changeLayout} />
        <Button kind="ghost" icon={isPaused ? Play : Pause} keys="p" onClick={togglePause}>
          {isPaused ? t('tail.resume') : t('tail.pause')}
        </Button>
        <Button kind="ghost" keys="l" onClick={leave}>
          {t('tail.leave')}
        </Button>
      </PageHead>
      <QueryBar
        query={q}
        check={check}
        suggest={suggest}
        onFocus={onFocus}
        onSearch={(text, isTyping) => setUrl({ q: text === '' ? undefined : text }, { isTyping })}
        summary={summarize()}
      />
      {problem !== undefined && (
        <p className={styles['warning']} role="alert">
          {problem}
        </p>
      )}
      <div className={styles['results']}>
        <RowList
          ref={handle}
          query={noRequest}
          label={t('search.events')}
          columns={columns}
          rows={rows}
          total={rows.length}
          current={current}
          onOpen={open}
          renderRows={layout === 'table' ? undefined : () => (
            <LogView
              ref={handle}
              label={t('search.events')}
              rows={rows}
              total={rows.length}
              current={current}
              onOpen={open}
              matched={matched}
            />
          )}
          empty={<StateMessage title={t('tail.none')} />}
        >
          {openId !== undefined && (
            <EventPanel
              key={openId}
              id={openId}
              onClose={close}
              onMove={(step) => move(index + step)}
              onOpen={(id) => open({ id })}
              onNarrow={(value, isExcluded) => followNarrowed(q, value, isExcluded)}
              onPivot={(entity) => followNarrowed('', entity, false)}
            />
          )}
        </RowList>
      </div>
    </>
  )

  function summarize(): string {
    if (liveKind !== 'on') return t(`live.${liveKind}`)
    if (!isFollowed) return t('live.connecting')
    const shown = t('tail.count', { count: rows.length })
    const waiting = waitingCount === 0 ? [] : [t('tail.waiting', { count: waitingCount })]
    const dropped = droppedCount === 0 ? [] : [t('tail.dropped', { count: droppedCount })]
    return [shown, ...waiting, ...dropped].join(' · ')
  }
}
