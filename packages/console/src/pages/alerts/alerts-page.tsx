import { useLocation, useRouter } from '@tanstack/react-router'
import type { AlertBody } from '@tripline/contract/console/alert'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useHasTargets, useMay, useResponseTargets } from '../../api/use-may.ts'
import { useUser } from '../../api/use-user.ts'
import { useCommands } from '../../frame/commands.ts'
import { ExportMenu } from '../../frame/export/export-menu.tsx'
import { PageHead } from '../../frame/page-head.tsx'
import { RowList } from '../../frame/row-list.tsx'
import { useSelection } from '../../frame/selection/use-selection.ts'
import { useRowKeys } from '../../frame/use-row-keys.ts'
import { useUrlState } from '../../frame/use-url-state.ts'
import { addTexts, printNumber, t } from '../../i18n/translate.ts'
import { tickClock } from '../../lib/clock.ts'
import { useKeys } from '../../lib/keys.ts'
import { zoomOut } from '../../lib/time-range.ts'
import { useStore } from '../../lib/use-store.ts'
import { Button } from '../../ui/button.tsx'
import { GroupIcon, Plus } from '../../ui/icons.tsx'
import { ErrorBoundary } from '../../ui/loading/error-boundary.tsx'
import { lazyPart, preloadPart, runPart } from '../../ui/loading/lazy-part.tsx'
import { listAlertColumns } from './alert-columns.tsx'
import { groupings, printGrouping } from './alert-figures.ts'
import { AlertHistogram } from './alert-histogram.tsx'
import { loadAhead, useAlertList, useNewCount } from './alert-queries.ts'
import { changedAlerts, forgetChanges } from './alert-store.ts'
import { alertParameters, toAlertQuery, toBulkFilter } from './alert-url.ts'
import styles from './alerts-page.module.css'
import type { BulkTarget } from './bulk.ts'
import { FilterBar } from './filter-bar.tsx'
import type { FilterMenuProps } from './filter-menu.tsx'
import { decide, decideMany, toChange, triageActions } from './triage.ts'
import type { TriageAction } from './triage.ts'
import { useLiveAlerts } from './use-live-alerts.ts'
import { ViewTabs } from './view-tabs.tsx'

/** A change of more alerts shows what it would do before it is sent. */
const unaskedMax = 50

const defaultSort = { field: 'created_at', direction: 'desc' } as const

/** A part that is no part of the first page comes with its texts. */
const withTexts = async <Module,>(loading: Promise<Module>): Promise<Module> => {
  const [module, { enAlertPanel }] = await Promise.all([loading, import('../../i18n/en/alert-panel.ts')])
  addTexts(enAlertPanel)
  return module
}
const loadPanel = async () => (await withTexts(import('./alert-panel.tsx'))).AlertPanel
const AlertPanel = lazyPart(loadPanel)
const BulkDialog = lazyPart(async () => (await withTexts(import('./bulk-dialog.tsx'))).BulkDialog)
const AssignDialog = lazyPart(async () => (await withTexts(import('./assign-dialog.tsx'))).AssignDialog)
/** The code of an action is loaded ahead, and is no part of the first page either. */
const loadOpener = async () => (await withTexts(import('./open-incident.ts'))).openIncident
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
  const { from, to, q, severity, status, assignee, rule, host, user, tactic, source, verdict, due, sort, group, alert: openId } = url
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
  const newCount = useNewCount(parameters, loadedAt, useLiveAlerts(list.rows))
  const onOpen = useCallback((id: string, isReplacing: boolean) => setUrl({ alert: id }, { isReplacing }), [setUrl])
  const close = (): void => setUrl({ alert: undefined })
  const [isAll, setIsAll] = useState(false)
  const clearSelection = (): void => {
    setIsAll(false)
    selection.clear()
  }
  const isGrouped = group !== undefined
  const { handle, current, index, open, move } = useRowKeys({
    rows,
    isCovered: isGrouped,
    openId,
    onOpen,
    onClose: () => (selection.checked.size > 0 ? clearSelection() : close()),
    closeLabel: t('alerts.keys.back'),
  })
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
    preloadPart(loadOpener)
  }, [])
  // A list that was left is read again, and so are the changes that it had.
  useEffect(() => forgetChanges, [])

  const [pending, setPending] = useState<{ readonly action: TriageAction; readonly person: string; readonly target: BulkTarget }>()
  const [isAssigning, setIsAssigning] = useState(false)
  const chosen = useMemo(() => {
    if (selection.checked.size > 0) return rows.filter(({ id }) => selection.checked.has(id))
    return rows.filter((_, at) => at === index)
  }, [selection.checked, rows, index])
  const act = useCallback(
    (action: TriageAction, person = email) => {
      const ids = chosen.map(({ id }) => id)
      if (isAll) setPending({ action, person, target: { filter: toBulkFilter(parameters), expect_total: total } })
      else if (ids.length > unaskedMax) setPending({ action, person, target: { ids } })
      else void decide(chosen, action, person)
    },
    [chosen, isAll, parameters, total, email],
  )
  const router = useRouter()
  const actOnGroup = (action: TriageAction, filter: Readonly<Record<string, string>>, expected: number): void => {
    const query = toAlertQuery({ ...url, ...filter }, { email, loadedAt, targets })
    setPending({ action, person: email, target: { filter: toBulkFilter(query), expect_total: expected } })
  }
  const hasChosen = chosen.length > 0
  const askAssignee = useCallback(() => setIsAssigning(hasChosen), [hasChosen])
  const newIncident = useCallback(() => {
    const showIncident = (id: string): void => void router.navigate({ to: '/incidents', search: { incident: id } })
    void runPart(loadOpener, (openIncident) => openIncident(chosen, isAll ? total : chosen.length, showIncident))
  }, [chosen, isAll, total, router])
  useKeys([
    { keys: ']', run: () => move(index + 1) },
    { keys: '[', run: () => move(index - 1) },
    { keys: '.', label: t('alerts.keys.reload'), run: reload },
    { keys: 'z', label: t('time.zoomOut'), run: () => setUrl(zoomOut({ from, to }, Date.now())) },
    ...(mayChange && !isGrouped
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
          { keys: 'n', label: t('alerts.incident.new'), run: newIncident },
          { keys: 'Shift+a', label: t('alerts.assign'), run: askAssignee },
          { keys: 'Mod+a', label: t('table.selectAll'), run: selection.checkAll },
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
              { label: t('alerts.assign'), keys: 'Shift+a', run: askAssignee },
              { label: t('alerts.incident.new'), keys: 'n', run: newIncident },
            ]
          : []),
      ],
      [reload, setUrl, mayChange, act, askAssignee, newIncident],
    ),
  )

  const isDimmed = useCallback((row: AlertBody) => status !== undefined && !status.includes(row.status), [status])
  const empty = <EmptyList url={url} onChange={setUrl} />
  const count = `${printNumber(total)}${list.isLowerBound ? '+' : ''}`
  return (
    <>
      <PageHead
        title={t('alerts.title')}
        documentTitle={newCount > 0 ? t('alerts.newTitle', { count: newCount }) : t('alerts.title')}
        range={{ from, to }}
        onRange={(range) => setUrl({ from: range.from, to: range.to })}
      >
        <ExportMenu resource="alerts" query={parameters} total={total} />
      </PageHead>
      <ViewTabs search={search} total={query.isSuccess ? total : undefined} />
      <FilterBar
        url={url}
        onChange={setUrl}
        ruleTitle={rows.find(({ rule_id: id }) => id === rule)?.rule_title}
        summary={query.isSuccess ? t('alerts.count', { shown: count, count: total, took: printNumber(list.tookMs ?? 0) }) : ''}
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
              empty={empty}
              onOpen={(filter) => setUrl({ ...filter, group: undefined })}
              onAct={actOnGroup}
            />
          )
        }
        below={
          <>
            {selection.checked.size > 0 && (
              <AlertSelectionBar
                count={isAll ? total : selection.checked.size}
                {...(!isAll &&
                  selection.checked.size === rows.length &&
                  total > rows.length && { all: { total, choose: () => setIsAll(true) } })}
                onAct={act}
                onAssign={askAssignee}
                onNewIncident={newIncident}
                onClear={clearSelection}
              />
            )}
            {isAssigning && (
              <AssignDialog
                onAssign={(person) => {
                  setIsAssigning(false)
                  act('assign', person)
                }}
                onClose={() => setIsAssigning(false)}
              />
            )}
            {pending !== undefined && (
              <BulkDialog
                title={t(`alerts.action.${pending.action}`)}
                target={pending.target}
                set={toChange(pending.action, pending.person)}
                onConfirm={() => {
                  void decideMany(isGrouped ? [] : isAll ? rows : chosen, pending.target, pending.action, pending.person)
                  setPending(undefined)
                }}
                onClose={() => setPending(undefined)}
              />
            )}
          </>
        }
      >
        {openId !== undefined && (
          <AlertPanel
            key={openId}
            id={openId}
            row={rows[index]}
            position={index + 1}
            total={total}
            mayChange={mayChange}
            onAct={act}
            onAssign={askAssignee}
            onNewIncident={newIncident}
            onMove={(step) => move(index + step)}
            onOpen={(id) => setUrl({ alert: id })}
            onClose={close}
          />
        )}
      </RowList>
    </>
  )
}
