import { Link } from '@tanstack/react-router'
import type { AlertBody } from '@tripline/contract/console/alert'
import type { ConnectorBody } from '@tripline/contract/console/sources/connector'
import type { AlertSummaryBody } from '@tripline/contract/console/alerts/alert-figures'
import { useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { useResponseTargets } from '../../api/use-profile.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { useUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { useNow } from '../../lib/clock.ts'
import { printAge, printTime } from '../../lib/format-time.ts'
import { printTactic } from '../../i18n/print-tactic.ts'
import { useKeys } from '../../lib/keys.ts'
import { defaultFrom, zoomOut } from '../../lib/time-range.ts'
import type { TimeRange } from '../../lib/time-range.ts'
import { timeParameter } from '../../lib/url-state.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Pill, SeverityLabel } from '../../ui/badge.tsx'
import type { Tone } from '../../ui/badge.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { AlertTrend } from './alert-trend.tsx'
import { BarList } from './bar-list.tsx'
import type { BarRow } from './bar-list.tsx'
import styles from './dashboard-page.module.css'
import {
  rowsMax, useAlertFigures, useConnectors, useDemoConnector, useHasEvents, useOverdueCount, useSeriousAlerts,
} from './dashboard-queries.ts'
import { DemoSteps } from './demo-steps.tsx'
import { findSilent } from './find-silent.ts'
import { FirstSteps } from './first-steps.tsx'
import { KeyFigures } from './key-figures.tsx'
import { RecentChanges } from './recent-changes.tsx'
import { TopRules } from './top-rules.tsx'

const parameters = { from: timeParameter, to: timeParameter }
const levels = ['critical', 'high', 'medium', 'low'] as const
/** Lines that stand for the page until it is known whether an event ever came. */
const linesShown = 12

const connectorTones: { readonly [Status in ConnectorBody['status']]: Tone } = {
  pending: 'neutral',
  healthy: 'ok',
  degraded: 'warn',
  unhealthy: 'bad',
  disabled: 'neutral',
}

/** What happens now, what needs an answer, and where it comes from; before the first event, how to send one. */
export function DashboardPage(): ReactNode {
  const [{ from = defaultFrom, to }, setUrl] = useUrlState(parameters)
  const [isNew, setIsNew] = useState(false)
  const { data: hasEvents, error, isError, refetch } = useHasEvents(isNew)
  // What stands above the charts is known before they are shown, so that it does not push them down.
  const demo = useDemoConnector()
  const isLoading = !isError && (hasEvents === undefined || demo === undefined)
  const setRange = (range: TimeRange): void => setUrl({ from: range.from, to: range.to })
  useKeys([{ keys: 'z', label: t('time.zoomOut'), run: () => setRange(zoomOut({ from, to }, Date.now())) }])
  // The steps stay until the page is left, so that the last one is seen to turn green.
  if (hasEvents === false && !isNew) setIsNew(true)
  return (
    <>
      <PageHead
        title={t('dashboard.title')}
        {...(!isNew && { range: { from, to }, onRange: setRange })}
      />
      <div className={styles['page']}>
        {isError && hasEvents === undefined && <ErrorMessage error={error} onRetry={() => void refetch()} />}
        {isLoading && <Skeleton lines={linesShown} />}
        {isNew && (
          <FirstSteps
            title={t('dashboard.first.title')}
            hasEvents={hasEvents === true}
            next={<Link to="/alerts">{t('dashboard.first.alerts')}</Link>}
          />
        )}
        {!isNew && !isLoading && hasEvents !== undefined && (
          <>
            {typeof demo === 'string' && <DemoSteps connector={demo} />}
            <Overview range={{ from, to }} />
          </>
        )}
      </div>
    </>
  )
}

function Overview({ range }: { readonly range: TimeRange }): ReactNode {
  const { data, isError } = useAlertFigures(range)
  const count = (list: (figures: AlertSummaryBody) => readonly BarRow[]): readonly BarRow[] | undefined =>
    data && list(data).map((row) => ({ ...row, search: { ...row.search, ...toSearch(range) } }))
  return (
    <>
      <KeyFigures />
      <Overdue />
      <Box title={t('dashboard.overTime')}>
        <AlertTrend range={range} />
      </Box>
      <div className={styles['columns']}>
        <SeriousAlerts />
        {(data !== undefined || !isError) && (
          <>
            <CountBox title={t('dashboard.bySeverity')} rows={count(listSeverities)} />
            <CountBox title={t('dashboard.byTactic')} rows={count(listTactics)} />
            <CountBox title={t('dashboard.byRule')} rows={count(listRules)} Rows={TopRules} />
          </>
        )}
        <Box title={t('dashboard.changes')}>
          <RecentChanges range={range} />
        </Box>
        <SilentSources />
        <Connectors />
      </div>
    </>
  )
}

/** A range as the address of another page states it. */
function toSearch({ from, to }: TimeRange): BarRow['search'] {
  return { ...(from !== undefined && from !== defaultFrom && { from }), ...(to !== undefined && { to }) }
}

/** How many open alerts are overdue, where there are response targets and any is. */
function Overdue(): ReactNode {
  const { data: count = 0 } = useOverdueCount(useResponseTargets())
  if (count === 0) return null
  return (
    <p className={styles['overdue']}>
      <Link to="/alerts" search={{ status: 'open,investigating', due: 'overdue', from: '-90d' }}>{t('dashboard.overdue', { count })}</Link>
    </p>
  )
}

function SeriousAlerts(): ReactNode {
  const { data, error, isError, refetch } = useSeriousAlerts()
  return (
    <Box title={t('dashboard.serious')} isEmpty={data?.alerts.length === 0} isLoading={data === undefined && !isError} isWide>
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      <ul className={styles['rows']}>
        {data?.alerts.map((alert) => (
          <li key={alert.id}>
            <Link to="/alerts" search={{ severity: 'critical,high', status: 'open', alert: alert.id }} className={styles['alert']}>
              <AlertRow alert={alert} />
            </Link>
          </li>
        ))}
      </ul>
    </Box>
  )
}

function AlertRow({ alert: { severity, rule_title: title, event, created_at: at } }: { readonly alert: AlertBody }): ReactNode {
  return (
    <>
      <SeverityLabel severity={severity} />
      <span className={styles['strong']}>{toVisibleText(title)}</span>
      <span className={styles['mono']}>{toVisibleText(event.host)}</span>
      <Age at={at} />
    </>
  )
}

/** Sources that sent events and do no more: what they would tell is missing in all else on the page. */
function SilentSources(): ReactNode {
  const { data, isError } = useConnectors()
  const now = useNow()
  // The connectors below say why they cannot be read.
  if (data === undefined && isError) return null
  const silent = findSilent(data?.connectors ?? [], now)
  return (
    <Box title={t('dashboard.silent')} isLoading={data === undefined}>
      {silent.length === 0 && <p className={styles['none']}>{t('dashboard.silent.none')}</p>}
      <ul className={styles['rows']}>
        {silent.slice(0, rowsMax).map(({ id, name, lastEventAt }) => (
          <li key={id} className={styles['silent']}>
            <Link to="/connectors" search={{ connector: id }} className={styles['text']}>{toVisibleText(name)}</Link>
            <span className={styles['age']}>{t('dashboard.silent.since')} <Age at={lastEventAt} /></span>
          </li>
        ))}
      </ul>
    </Box>
  )
}

function Connectors(): ReactNode {
  const { data, error, isError, refetch } = useConnectors()
  return (
    <Box title={t('dashboard.connectors')} isEmpty={data?.connectors.length === 0} isLoading={data === undefined && !isError}>
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      <ul className={styles['rows']}>
        {data?.connectors.toSorted(byTrouble).slice(0, rowsMax).map(({ id, name, status, stats }) => (
          <li key={id} className={styles['connector']}>
            <Pill tone={connectorTones[status]}>{t(`dashboard.connector.${status}`)}</Pill>
            <span className={styles['text']}>{toVisibleText(name)}</span>
            {stats.last_event_at === null ? (
              <span className={styles['age']}>{t('dashboard.noEvent')}</span>
            ) : (
              <Age at={stats.last_event_at} />
            )}
          </li>
        ))}
      </ul>
    </Box>
  )
}

/** Counts under their title. */
function CountBox({ title, rows, Rows = BarList }: {
  readonly title: string
  readonly rows: readonly BarRow[] | undefined
  readonly Rows?: ComponentType<{ readonly rows: readonly BarRow[] }>
}): ReactNode {
  return (
    <Box title={title} isEmpty={rows?.length === 0} isLoading={rows === undefined}>
      <Rows rows={rows ?? []} />
    </Box>
  )
}

/** A part of the page under its title; without rows it says so, and keeps the room of some while they are loaded. */
function Box({
  title,
  isEmpty = false,
  isLoading = false,
  isWide = false,
  children,
}: {
  readonly title: string
  readonly isEmpty?: boolean
  readonly isLoading?: boolean
  readonly isWide?: boolean
  readonly children: ReactNode
}): ReactNode {
  return (
    <section className={styles['box']} data-wide={isWide || undefined} aria-label={title}>
      <h2 className={styles['title']}>{title}</h2>
      {isLoading ? <Skeleton lines={rowsMax} /> : isEmpty ? <p className={styles['none']}>{t('dashboard.none')}</p> : children}
    </section>
  )
}

function Age({ at }: { readonly at: string }): ReactNode {
  const now = useNow()
  return (
    <time className={styles['age']} dateTime={at} title={printTime(at)}>
      {printAge(at, now)}
    </time>
  )
}

function listSeverities(figures: AlertSummaryBody): readonly BarRow[] {
  const values = readFacet(figures, 'severity')
  return levels.map((level) => {
    const label = <SeverityLabel severity={level} />
    const count = values.find(({ value }) => value === level)?.count ?? 0
    return { id: level, name: t(`severity.${level}`), label, count, search: { severity: level } }
  })
}

function listTactics(figures: AlertSummaryBody): readonly BarRow[] {
  return readFacet(figures, 'tactic')
    .filter(({ value }) => value !== '')
    .map(({ value: tactic, count }) => ({ id: tactic, name: printTactic(tactic), count, search: { tactic } }))
}

function listRules(figures: AlertSummaryBody): readonly BarRow[] {
  return readFacet(figures, 'rule_id').map(({ value: id, label, count }) => ({ id, name: label, count, search: { rule: id } }))
}

function readFacet({ facets }: AlertSummaryBody, field: 'severity' | 'tactic' | 'rule_id'): AlertSummaryBody['facets'][number]['values'] {
  return facets.find((facet) => facet.field === field)?.values ?? []
}

const trouble: { readonly [Status in ConnectorBody['status']]: number } = { unhealthy: 0, degraded: 1, pending: 2, healthy: 3, disabled: 4 }

/** Connectors that need attention first. */
function byTrouble(one: ConnectorBody, other: ConnectorBody): number {
  return trouble[one.status] - trouble[other.status]
}
