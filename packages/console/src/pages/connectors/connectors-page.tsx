import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo } from 'react'
import type { ReactNode } from 'react'
import { useMay } from '../../api/use-may.ts'
import { NoneFound } from '../../frame/none-found.tsx'
import { PageHead } from '../../frame/page-head.tsx'
import { RowList } from '../../frame/row-list.tsx'
import { useRowKeys } from '../../frame/use-row-keys.ts'
import { useUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { getZoneName, printClock } from '../../lib/format-time.ts'
import { useKeys } from '../../lib/keys.ts'
import type { TimeRange } from '../../lib/time-range.ts'
import { textParameter, timeParameter, wordListParameter } from '../../lib/url-state.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/filters/choice.tsx'
import { Toggle, ToggleGroup, toggleWord } from '../../ui/filters/toggle.tsx'
import { Plus } from '../../ui/icons.tsx'
import { lazyPart, preloadPart } from '../../ui/loading/lazy-part.tsx'
import { listConnectorColumns, printType } from './connector-columns.tsx'
import { useConnectorList } from './connector-queries.ts'
import { ConnectorViews } from './connector-views.tsx'
import styles from './connectors-page.module.css'

const loadPanel = async () => (await import('./connector-panel.tsx')).ConnectorPanel
const ConnectorPanel = lazyPart(loadPanel)

const statuses = ['healthy', 'degraded', 'unhealthy', 'pending', 'disabled'] as const

const parameters = {
  status: wordListParameter(statuses),
  /** The kind of source. */
  type: textParameter,
  /** The connector whose panel is open. */
  connector: textParameter,
  /** The range of the figures of the open connector. */
  from: timeParameter,
  to: timeParameter,
}

const nothing: readonly never[] = []
/** A first event by hand needs no product. */
const firstEvent = { type: 'http_ndjson', product: 'curl', step: 'settings' }

/** Where events come from: whether each source works and how much it sends. */
export function ConnectorsPage(): ReactNode {
  const mayEdit = useMay('edit_connectors')
  const [{ status, type, connector: openId, from, to }, setUrl] = useUrlState(parameters)
  const query = useConnectorList()
  // The panel is no part of the first page, and is there before it is wanted.
  useEffect(() => preloadPart(loadPanel), [])
  const { data, dataUpdatedAt } = query
  const navigate = useNavigate()
  const add = (search = {}): void => void navigate({ to: '/connectors/new', search: search as never })
  const rows = useMemo(() => (data ?? nothing).filter((one) => {
    return (status === undefined || status.includes(one.status)) && (type === undefined || one.type === type)
  }), [data, status, type])
  const types = useMemo(() => [...new Set((data ?? nothing).map((one) => one.type))].toSorted(), [data])
  const columns = useMemo(() => listConnectorColumns(), [])
  const onOpen = useCallback((id: string, isReplacing: boolean) => setUrl({ connector: id }, { isReplacing }), [setUrl])
  const onRange = useCallback((range: TimeRange) => setUrl({ from: range.from, to: range.to }, { isTyping: true }), [setUrl])
  const close = (): void => setUrl({ connector: undefined, from: undefined, to: undefined })
  const { handle, current, open } = useRowKeys({ rows, openId, onOpen, onClose: close })
  useKeys(mayEdit ? [{ keys: 'n', label: t('connectors.new'), run: () => add() }] : [])
  const opened = data?.find(({ id }) => id === openId)
  return (
    <>
      <PageHead title={t('connectors.title')}>
        {mayEdit && (
          <Button kind="primary" icon={Plus} keys="n" onClick={() => add()}>
            {t('connectors.new')}
          </Button>
        )}
      </PageHead>
      <ConnectorViews current="connectors" />
      <div className={styles['bar']}>
        <ToggleGroup label={t('connectors.column.status')}>
          {statuses.map((one) => (
            <Toggle key={one} isOn={status?.includes(one) === true} onToggle={() => setUrl({ status: toggleWord(statuses, status, one) })}>
              {t(`connectors.status.${one}`)}
            </Toggle>
          ))}
        </ToggleGroup>
        <Choice
          label={t('connectors.byType')}
          any={t('connectors.anyType')}
          value={type}
          options={types.map((value) => ({ value, label: printType(value) }))}
          onChange={(next) => setUrl({ type: next })}
        />
        <span className={styles['summary']}>
          {dataUpdatedAt > 0 && t('connectors.asOf', { count: rows.length, time: `${printClock(dataUpdatedAt)} ${getZoneName()}` })}
        </span>
      </div>
      <RowList
        ref={handle}
        query={query}
        name="connectors"
        label={t('connectors.title')}
        columns={columns}
        rows={rows}
        total={rows.length}
        current={current}
        onOpen={open}
        empty={
          <NoneFound
            none={t('connectors.empty')}
            filtered={t('connectors.none')}
            filters={data?.length === 0 ? {} : { status, type }}
            onRemove={setUrl}
          >
            {mayEdit && <Button onClick={() => add()}>{t('connectors.new')}</Button>}
            {mayEdit && <Link to="/connectors/new" search={firstEvent as never}>{t('connectors.sendFirst')}</Link>}
          </NoneFound>
        }
      >
        {opened !== undefined && (
          <ConnectorPanel
            key={opened.id}
            connector={opened}
            mayEdit={mayEdit}
            range={{ from, to }}
            onRange={onRange}
            onCopy={() => add({ type: opened.type, step: 'settings', like: opened.id })}
            onClose={close}
          />
        )}
      </RowList>
    </>
  )
}
