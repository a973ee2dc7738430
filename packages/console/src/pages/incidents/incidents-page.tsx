import { Link } from '@tanstack/react-router'
import type { IncidentBody } from '@tripline/contract/console/incident'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useMay } from '../../api/use-may.ts'
import { useHasTargets, useResponseTargets } from '../../api/use-profile.ts'
import { useUser } from '../../api/use-user.ts'
import { EntryStack } from '../../frame/entry/entry-stack.tsx'
import { useOpenEntry } from '../../frame/entry/use-open-entry.ts'
import { ExportMenu } from '../../frame/export/export-menu.tsx'
import { NoneFound } from '../../frame/none-found.tsx'
import { PageHead } from '../../frame/page-head.tsx'
import { RowList } from '../../frame/row-list.tsx'
import { useRowKeys } from '../../frame/use-row-keys.ts'
import { useUrlState } from '../../frame/use-url-state.ts'
import { SavedViewsMenu } from '../../frame/views/views-menu.tsx'
import { t } from '../../i18n/translate.ts'
import { tickClock } from '../../lib/clock.ts'
import { useKeys } from '../../lib/keys.ts'
import { useStore } from '../../lib/use-store.ts'
import { NewPill } from '../../ui/entries/new-pill.tsx'
import { lazyPart, preloadPart } from '../../ui/loading/lazy-part.tsx'
import { listIncidentColumns } from './incident-columns.tsx'
import { IncidentFilterBar } from './incident-filter-bar.tsx'
import { incidentsAhead, useIncidentList, useNewIncidentCount, useReadIncident } from './incident-queries.ts'
import { changedIncidents, forgetIncidentChanges } from './incident-store.ts'
import { incidentParameters, toIncidentQuery } from './incident-url.ts'
import { useLiveIncidents } from './use-live-incidents.ts'

/** What is of the moment, and no part of a saved view. */
const notOfViews = ['incident', 'tab']
const defaultSort = { field: 'created_at', direction: 'desc' } as const

const loadPanel = async () => (await import('./incident-panel.tsx')).IncidentPanel
const IncidentPanel = lazyPart(loadPanel)

/** The incidents of the tenant with their filters, and the panel of one of them. */
export function IncidentsPage(): ReactNode {
  const { email } = useUser()
  const mayChange = useMay('update_alerts')
  const [url, setUrl] = useUrlState(incidentParameters)
  const [loadedAt, setLoadedAt] = useState(Date.now)
  const { q, severity, status, assignee, tactic, origin, due, sort, tab } = url
  const targets = useResponseTargets()
  const parameters = useMemo(
    () => toIncidentQuery({ q, severity, status, assignee, tactic, origin, due, sort }, { email, loadedAt, targets }),
    [q, severity, status, assignee, tactic, origin, due, sort, email, loadedAt, targets],
  )
  const { query, total, ...list } = useIncidentList(parameters, loadedAt)
  const changed = useStore(changedIncidents)
  const rows = useMemo(() => list.rows.map((row) => changed.get(row.id) ?? row), [list.rows, changed])
  const newCount = useNewIncidentCount(parameters, loadedAt, useLiveIncidents(list.rows))
  const { openId, isPage, open: onOpen, openPage, close } = useOpenEntry('incident', url.incident)
  const { handle, current, index, open, move } = useRowKeys({
    rows, isPage, openId, onOpen, onOpenPage: openPage, onClose: close, ...(isPage && { closeLabel: t('entry.back') }),
  })
  const hasTargets = useHasTargets()
  const columns = useMemo(() => listIncidentColumns(hasTargets), [hasTargets])

  const reload = (): void => {
    forgetIncidentChanges()
    tickClock()
    setLoadedAt(Date.now())
    handle.current?.scrollToTop()
  }
  // The panel is no part of the first page, and is there before it is wanted.
  useEffect(() => preloadPart(loadPanel), [])
  // A list that was left is read again, and so are the changes that it had.
  useEffect(() => forgetIncidentChanges, [])

  useKeys([
    { keys: ']', label: t('entry.next'), run: () => move(index + 1) },
    { keys: '[', label: t('entry.previous'), run: () => move(index - 1) },
    { keys: '.', label: t('incidents.keys.reload'), run: reload },
  ])
  // A row that a change takes out of the filter stays, dimmed, until the list is loaded again.
  const isDimmed = useCallback((row: IncidentBody) => status !== undefined && !status.includes(row.status), [status])
  const filters = { q, severity, status, assignee, tactic, origin, due }
  const stated = Object.values(filters).filter((value) => value !== undefined)
  const tactics = useMemo(() => [...new Set(list.rows.flatMap(({ mitre }) => mitre.tactics))].sort(), [list.rows])
  const read = useReadIncident(openId)
  const openRow = rows[index] ?? (openId === undefined ? undefined : (changed.get(openId) ?? read))
  const panel = openId !== undefined && (
    <IncidentPanel
      key={openId}
      id={openId}
      row={openRow}
      isPage={isPage}
      tab={tab}
      position={index + 1}
      total={total}
      mayChange={mayChange}
      onTab={(next) => setUrl({ tab: next })}
      onMove={(step) => move(index + step)}
      onOpenPage={() => openPage(openId)}
      onClose={close}
    />
  )
  return (
    <>
      <PageHead title={t('incidents.title')} documentTitle={isPage && openRow !== undefined ? openRow.title : t('incidents.title')}>
        {!isPage && <SavedViewsMenu page="incidents" path="/incidents" beside={notOfViews} />}
        {!isPage && <ExportMenu resource="incidents" query={parameters} total={total} />}
      </PageHead>
      <EntryStack page={isPage ? panel : undefined}>
        <IncidentFilterBar
          url={url}
          onChange={setUrl}
          tactics={tactics}
          summary={query.isSuccess ? t('incidents.count', { count: total }) : ''}
        />
        <RowList
          ref={handle}
          query={query}
          loadAhead={incidentsAhead}
          name="incidents"
          label={t('incidents.title')}
          columns={columns}
          rows={rows}
          total={total}
          sort={sort ?? defaultSort}
          onSort={(next) => setUrl({ sort: next })}
          current={current}
          onOpen={open}
          isDimmed={isDimmed}
          above={newCount > 0 && <NewPill count={newCount} onShow={reload} />}
          empty={
            <NoneFound
              none={t('incidents.none')}
              filtered={t('incidents.noneFiltered', { count: stated.length })}
              filters={filters}
              nameFilter={(name) => t(`incidents.filter.${name as keyof typeof filters}`)}
              onRemove={setUrl}
            >
              <Link to="/alerts">{t('nav.alerts')}</Link>
            </NoneFound>
          }
        >
          {!isPage && panel}
        </RowList>
      </EntryStack>
    </>
  )
}
