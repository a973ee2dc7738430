import { useLocation } from '@tanstack/react-router'
import type { AlertBody } from '@tripline/contract/console/alert'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useMay } from '../../api/use-may.ts'
import { useHasTargets, useResponseTargets } from '../../api/use-profile.ts'
import { useUser } from '../../api/use-user.ts'
import { useCommands } from '../../frame/commands.ts'
import { EntryStack } from '../../frame/entry/entry-stack.tsx'
import { useOpenEntry } from '../../frame/entry/use-open-entry.ts'
import { ExportMenu } from '../../frame/export/export-menu.tsx'
import { PageHead } from '../../frame/page-head.tsx'
import { RowList } from '../../frame/row-list.tsx'
import { useSelection } from '../../frame/selection/use-selection.ts'
import { useRowKeys } from '../../frame/use-row-keys.ts'
import { useUrlState } from '../../frame/use-url-state.ts'
import { enAlerts } from '../../i18n/en/alerts.ts'
import { printTook } from '../../i18n/print-took.ts'
import { addTexts, printNumber, t } from '../../i18n/translate.ts'
import { tickClock } from '../../lib/clock.ts'
import { useKeys } from '../../lib/keys.ts'
import { zoomOut } from '../../lib/time-range.ts'
import type { TimeRange } from '../../lib/time-range.ts'
import { useRested } from '../../lib/use-rested.ts'
import { useStore } from '../../lib/use-store.ts'
import { Button } from '../../ui/button.tsx'
import { GroupIcon, Plus } from '../../ui/icons.tsx'
import { ErrorBoundary } from '../../ui/loading/error-boundary.tsx'
import { lazyPart, preloadPart } from '../../ui/loading/lazy-part.tsx'
import { listAlertColumns } from './alert-columns.tsx'
import { groupings, printGrouping } from './alert-figures.ts'
import { AlertHistogram } from './alert-histogram.tsx'
import { loadAhead, readAhead, useAlertList, useNewCount, useReadAlert } from './alert-queries.ts'
import { changedAlerts, forgetChanges } from './alert-store.ts'
import { alertParameters, toAlertQuery } from './alert-url.ts'
import styles from './alerts-page.module.css'
import { FilterBar } from './filter-bar.tsx'
import type { FilterMenuProps } from './filter-menu.tsx'
import { withTexts } from './panel-texts.ts'
import { triageActions } from './triage.ts'
import type { TriageAction } from './triage.ts'
import { preloadDecisions, useDecisions } from './use-decisions.tsx'
import { useLiveAlerts } from './use-live-alerts.ts'
import { ViewTabs } from './view-tabs.tsx'

// They come with the page: it is the first that most people open, and waits for nothing.
addTexts(enAlerts)

/** A panel that follows the cursor asks for what it shows once the cursor has stayed for this time. */
const restMs = 120

const defaultSort = { field: 'created_at', direction: 'desc' } as const

const loadPanel = async () => (await withTexts(import('./panel/alert-panel.tsx'))).AlertPanel
const AlertPanel = lazyPart(loadPanel)
const NewPill = lazyPart(async () => (await import('../../ui/entries/new-pill.tsx')).NewPill)
const loadBar = async () => (await import('./alert-selection-bar.tsx')).AlertSelectionBar
const AlertSelectionBar = lazyPart(loadBar)
/** Until the menus are there, buttons of their size stand in their places. */
const FilterMenus = lazyPart<FilterMenuProps>(
  async () => (await import('./filter-menu.tsx')).FilterMenus,
  ({ url: { group } }, message) => message ?? (
    <>
      <Button kind="ghost" icon={Plus} disabled>{t('alerts.filter.add')}</Button>
      <Button icon={GroupIcon} disabled>{printGrouping(group)}</Button>
    </>
  ),
)
const EmptyList = lazyPart(async () => (await withTexts(import('./empty-list.tsx'))).EmptyList)
const GroupTable = lazyPart(async () => (await withTexts(import('./group-table.tsx'))).GroupTable)

/** The list of alerts with its filters, and the panel of one of them. */
export function AlertsPage(): ReactNode {
  const { email } = useUser()
  const mayChange = useMay('update_alerts')
  const targets = useResponseTargets()
  const search = useLocation({ select: ({ searchStr }) => searchStr })
  const [url, setUrl] = useUrlState(alertParameters)
  const [loadedAt, setLoadedAt] = useState(Date.now)
  const { from, to, q, severity, status, assignee, rule, host, user, tactic, source, verdict, due, sort, group, tab } = url
  const parameters = useMemo(
    () => toAlertQuery(
      { from, to, q, severity, status, assignee, rule, host, user, tactic, source, verdict, due, sort }, { email, loadedAt, targets },
    ),
    [from, to, q, severity, status, assignee, rule, host, user, tactic, source, verdict, due, sort, email, loadedAt, targets],
  )
  const list = useAlertList(parameters, loadedAt)
  const { query, total } = list
  const changed = useStore(changedAlerts)
  const rows = useMemo(() => (changed.size === 0 ? list.rows : list.rows.map((row) => changed.get(row.id) ?? row)), [list.rows, changed])
  const selection = useSelection(rows)
  const newCount = useNewCount(parameters, loadedAt, useLiveAlerts(list.rows, email))
  const { openId, isPage, open: onOpen, openPage, close } = useOpenEntry('alert', url.alert)
  const [isAll, setIsAll] = useState(false)
  const clearSelection = (): void => {
    setIsAll(false)
    selection.clear()
  }
  const isGrouped = group !== undefined && !isPage
  const { handle, current, index, open, move } = useRowKeys({
    rows,
    isCovered: isGrouped,
    isPage,
    openId,
    onOpen,
    onOpenPage: openPage,
    onClose: () => (selection.checked.size > 0 && !isPage ? clearSelection() : close()),
    closeLabel: isPage ? t('entry.back') : t('alerts.keys.back'),
  })
  const isRested = useRested(openId, restMs)
  const [before, after] = [rows[index - 1]?.id, rows[index + 1]?.id]
  useEffect(() => {
    if (openId === undefined || !isRested) return undefined
    return readAhead([after, before].filter((id) => id !== undefined))
  }, [openId, isRested, before, after])
  const hasTargets = useHasTargets()
  const columns = useMemo(() => listAlertColumns(hasTargets), [hasTargets])

  const reload = useCallback(() => {
    forgetChanges()
    tickClock()
    setLoadedAt(Date.now())
    handle.current?.scrollToTop()
  }, [handle])
  // The panel is no part of the first page, and is there before it is wanted.
  useEffect(() => {
    preloadPart(loadPanel)
    preloadPart(loadBar)
    preloadDecisions()
  }, [])
  // A list that was left is read again, and so are the changes that it had.
  useEffect(() => forgetChanges, [])

  // On a page of its own keys act on that alert, whatever is checked behind it.
  const hasChecked = selection.checked.size > 0 && !isPage
  const read = useReadAlert(openId)
  const one = rows[index] ?? (openId === undefined ? undefined : (changed.get(openId) ?? read))
  const listChosen = useCallback(() => {
    if (hasChecked) return rows.filter(({ id }) => selection.checked.has(id))
    return one === undefined ? [] : [one]
  }, [hasChecked, selection.checked, rows, one])
  const all = useMemo(() => (isAll && !isPage ? { parameters, total } : undefined), [isAll, isPage, parameters, total])
  const { act, actOnAll, askAssignee, newIncident, dialogs } = useDecisions({ listChosen, all, rows, isByStatus: status !== undefined })
  const actOnGroup = useCallback(
    (action: TriageAction, filter: Readonly<Record<string, string>>, count: number): void =>
      actOnAll(action, toAlertQuery({ ...url, ...filter }, { email, loadedAt, targets }), count),
    [actOnAll, url, email, loadedAt, targets],
  )
  const ofOpen = (run: (named: readonly AlertBody[]) => void): void => {
    if (one !== undefined) run([one])
  }
  useKeys([
    { keys: ']', label: t('entry.next'), run: () => move(index + 1) },
    { keys: '[', label: t('entry.previous'), run: () => move(index - 1) },
    { keys: '.', label: t('alerts.keys.reload'), run: reload },
    { keys: 'z', label: t('time.zoomOut'), run: () => setUrl(zoomOut({ from, to }, Date.now())) },
    ...(mayChange && !isGrouped && !isPage
      ? [
          {
            keys: 'x',
            label: t('table.select'),
            run: () => {
              if (rows[index] !== undefined) selection.check(rows[index], index, false)
            },
          },
          {
            keys: 'Shift+x',
            label: t('table.range'),
            run: () => {
              if (rows[index] !== undefined) selection.check(rows[index], index, true)
            },
          },
          { keys: 'Mod+a', label: t('table.selectAll'), run: selection.checkAll },
        ]
      : []),
    ...(mayChange && !isGrouped
      ? [
          { keys: 'n', label: t('alerts.incident.new'), run: () => newIncident() },
          { keys: 'Shift+a', label: t('alerts.assign'), run: () => askAssignee() },
          ...triageActions.flatMap(({ action, keys }) =>
            keys === undefined ? [] : [{ keys, label: t(`alerts.action.${action}`), run: () => act(action) }],
          ),
        ]
      : []),
  ])
  useCommands(
    useMemo(
      () => [
        { label: t('alerts.keys.reload'), keys: '.', run: reload },
        ...groupings.map((one) => ({
          label: `${t('alerts.groupBy')}: ${t(`alerts.group.${one}`)}`, run: () => setUrl({ group: one, alert: undefined }),
        })),
        ...(mayChange
          ? [
              ...triageActions.map(({ action, keys }) => ({ label: t(`alerts.action.${action}`), keys, run: () => act(action) })),
              { label: t('alerts.assign'), keys: 'Shift+a', run: () => askAssignee() },
              { label: t('alerts.incident.new'), keys: 'n', run: () => newIncident() },
            ]
          : []),
      ],
      [reload, setUrl, mayChange, act, askAssignee, newIncident],
    ),
  )

  const isDimmed = useCallback((row: AlertBody) => status !== undefined && !status.includes(row.status), [status])
  const empty = <EmptyList url={url} onChange={setUrl} />
  const count = `${printNumber(total)}${list.isLowerBound ? '+' : ''}`
  const panel = openId !== undefined && (
    <AlertPanel
      key={openId}
      id={openId}
      isRested={isRested}
      isPage={isPage}
      tab={tab}
      row={one}
      position={index + 1}
      total={total}
      mayChange={mayChange}
      onTab={(next) => setUrl({ tab: next })}
      onAct={(action) => ofOpen((named) => act(action, named))}
      onAssign={() => ofOpen(askAssignee)}
      onNewIncident={() => ofOpen(newIncident)}
      onMove={(step) => move(index + step)}
      onOpen={(id) => onOpen(id, false)}
      onOpenPage={() => openPage(openId)}
      onClose={close}
    />
  )
  const listTitle = newCount > 0 ? t('alerts.newTitle', { count: newCount }) : t('alerts.title')
  return (
    <>
      <PageHead
        title={t('alerts.title')}
        documentTitle={isPage && one !== undefined ? one.rule_title : listTitle}
        {...(!isPage && { range: { from, to }, onRange: (range: TimeRange) => setUrl({ from: range.from, to: range.to }) })}
      >
        {!isPage && <ExportMenu resource="alerts" query={parameters} total={total} />}
      </PageHead>
      <EntryStack page={isPage ? panel : undefined}>
        <ViewTabs search={search} total={query.isSuccess ? total : undefined} />
        <FilterBar
          url={url}
          onChange={setUrl}
          toQueryWithout={(filter) => toAlertQuery({ ...url, [filter]: undefined, sort: undefined }, { email, loadedAt, targets })}
          ruleTitle={rows.find(({ rule_id: id }) => id === rule)?.rule_title}
          summary={query.isSuccess ? t('alerts.count', { shown: count, count: total, took: printTook(list.tookMs ?? 0) }) : ''}
        >
          <FilterMenus url={url} onChange={setUrl} parameters={parameters} loadedAt={loadedAt} />
        </FilterBar>
        <ErrorBoundary>
          <AlertHistogram
            parameters={parameters}
            loadedAt={loadedAt}
            range={{ from, to }}
            onRange={(range) => setUrl(range, { isTyping: true })}
          />
        </ErrorBoundary>
        {list.warnings.map((warning) => (
          <p key={warning} className={styles['warning']} role="status">
            {warning}
          </p>
        ))}
        <RowList
          ref={handle}
          query={query}
          loadAhead={loadAhead}
          name="alerts"
          label={t('alerts.title')}
          columns={columns}
          rows={rows}
          total={total}
          sort={sort ?? defaultSort}
          onSort={(next) => setUrl({ sort: next })}
          current={current}
          onOpen={open}
          isDimmed={isDimmed}
          {...(mayChange && { checked: selection.checked, onCheck: selection.check, onCheckAll: selection.checkAll })}
          above={newCount > 0 && <NewPill count={newCount} onShow={reload} />}
          empty={empty}
          instead={
            group && (
              <GroupTable
                by={group}
                parameters={parameters}
                loadedAt={loadedAt}
                mayChange={mayChange}
                isCovered={isPage}
                empty={empty}
                onOpen={(filter) => setUrl({ ...filter, group: undefined })}
                onAct={actOnGroup}
              />
            )
          }
          below={
            selection.checked.size > 0 && (
              <AlertSelectionBar
                count={isAll ? total : selection.checked.size}
                {...(!isAll &&
                  selection.checked.size === rows.length &&
                  total > rows.length && { all: { total, choose: () => setIsAll(true) } })}
                onAct={act}
                onAssign={() => askAssignee()}
                onNewIncident={() => newIncident()}
                onClear={clearSelection}
              />
            )
          }
        >
          {!isPage && panel}
        </RowList>
      </EntryStack>
      {dialogs}
    </>
  )
}
