import { Link } from '@tanstack/react-router'
import type { OverviewBody } from '@tripline/contract/console/overview'
import type { ReactNode } from 'react'
import { useTenants } from '../../api/use-profile.ts'
import { useUser } from '../../api/use-user.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { useUrlState } from '../../frame/use-url-state.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { resolveRange } from '../../lib/time-range.ts'
import type { TimeRange } from '../../lib/time-range.ts'
import { timeParameter } from '../../lib/url-state.ts'
import { printTactic } from '../../i18n/print-tactic.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { SeverityLabel } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Print } from '../../ui/icons.tsx'
import { AgeCell } from '../../ui/entries/cell.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { DayBars } from './day-bars.tsx'
import styles from './overview-page.module.css'
import { useLastReport, useOverview } from './overview-queries.ts'
import { printDuration } from './print-duration.ts'
import { printRate } from './print-rate.ts'

const parameters = { from: timeParameter, to: timeParameter }
/** What customers look at is a week. */
const defaultFrom = '-7d'
const levels = ['low', 'medium', 'high', 'critical'] as const
const tacticsMax = 6

/** The page that customers open first: what happened, what is open, what waits for them and what was done about it. */
export function OverviewPage(): ReactNode {
  const [{ from = defaultFrom, to }, setUrl] = useUrlState(parameters)
  const { data, error, isError, isPlaceholderData, refetch } = useOverview({ from, to })
  const { tenant_id: id } = useUser()
  const tenant = useTenants()?.name ?? id
  return (
    <>
      <PageHead title={t('portal.overview.title')} range={{ from, to }} onRange={(range) => setUrl({ from: range.from, to: range.to })}>
        <Button kind="ghost" icon={Print} onClick={() => window.print()}>
          {t('portal.print')}
        </Button>
      </PageHead>
      <div className={styles['page']} data-stale={isPlaceholderData || undefined} aria-busy={isPlaceholderData || undefined}>
        {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
        {data === undefined && !isError && <Skeleton lines={12} />}
        {data !== undefined && (
          <>
            <p className={styles['printed']}>{printPeriod(tenant, { from, to })}</p>
            <div className={styles['widgets']}>
              <AlertVolume overview={data} />
              <ActiveIncidents overview={data} />
              <IngestionHealth overview={data} />
              <DetectionTrend overview={data} />
            </div>
            <div className={styles['columns']}>
              <Waiting overview={data} />
              <AnswerTimes overview={data} />
              <Done overview={data} />
              <Tactics overview={data} range={{ from, to }} />
              <LastReport />
            </div>
          </>
        )}
      </div>
    </>
  )
}

/** What paper must say beside the figures: whose they are, and of when. */
function printPeriod(tenant: string, range: TimeRange): string {
  const { from, to } = resolveRange(range, Date.now())
  return t('portal.period', { tenant: toVisibleText(tenant), from: printTime(from), to: printTime(to) })
}

type PartProps = { readonly overview: OverviewBody }

function AlertVolume({ overview: { alert_volume: volume } }: PartProps): ReactNode {
  const days = volume.days.map(({ time, ...counts }) => ({ time, parts: levels.map((tone) => ({ tone, count: counts[tone] })) }))
  return (
    <Widget title={t('portal.volume')} figure={printNumber(volume.total)} note={t('portal.before', { count: volume.previous })}>
      <DayBars
        label={t('portal.chart.volume')}
        days={days}
        legend={levels.toReversed().map((tone) => ({ tone, text: t(`severity.${tone}`) }))}
      />
    </Widget>
  )
}

function ActiveIncidents({ overview: { active_incidents: active } }: PartProps): ReactNode {
  const found = levels.toReversed().filter((level) => active.by_severity[level] > 0)
  return (
    <Widget
      title={t('portal.incidents')}
      figure={printNumber(active.total)}
      note={t('portal.incidents.before', { count: active.previous })}
    >
      <ul className={styles['list']}>
        {found.map((level) => (
          <li key={level} className={styles['pair']}>
            <SeverityLabel severity={level} />
            <span>{printNumber(active.by_severity[level])}</span>
          </li>
        ))}
      </ul>
    </Widget>
  )
}

function IngestionHealth({ overview: { ingestion_health: health } }: PartProps): ReactNode {
  const { connectors, silent } = health
  const enabled = connectors.pending + connectors.healthy + connectors.degraded + connectors.unhealthy
  return (
    <Widget
      title={t('portal.ingestion')}
      figure={printRate(health.events_per_second)}
      note={t('portal.rate.before', { rate: printRate(health.events_per_second_week_before) })}
    >
      <p>{enabled === 0 ? t('portal.connectors.none') : t('portal.connectors.ok', { part: connectors.healthy, whole: enabled })}</p>
      {connectors.pending > 0 && <p className={styles['note']}>{t('portal.connectors.pending', { count: connectors.pending })}</p>}
      {enabled > 0 && (
        <p className={styles['note']}>{silent.length === 0 ? t('portal.noneSilent') : t('portal.silent', { count: silent.length })}</p>
      )}
      <ul className={styles['list']}>
        {silent.map(({ id, name, last_event_at: at }) => (
          <li key={id} className={styles['pair']}>
            <Link to="/connectors" search={{ connector: id }} className={styles['text']}>
              {toVisibleText(name)}
            </Link>
            {at === null ? <span className={styles['note']}>{t('portal.silent.never')}</span> : <AgeCell at={at} />}
          </li>
        ))}
      </ul>
    </Widget>
  )
}

function DetectionTrend({ overview: { detection_trend: trend } }: PartProps): ReactNode {
  const days = trend.days.map(({ time, alerts, matches }) => {
    const parts = [{ tone: 'alerting', count: alerts }, { tone: 'quiet', count: Math.max(0, matches - alerts) }]
    return { time, parts }
  })
  return (
    <Widget
      title={t('portal.trend')}
      figure={printNumber(trend.matches.total)}
      note={t('portal.before', { count: trend.matches.previous })}
    >
      <DayBars
        label={t('portal.chart.trend')}
        days={days}
        legend={[{ tone: 'alerting', text: t('portal.trend.alerting') }, { tone: 'quiet', text: t('portal.trend.quiet') }]}
      />
    </Widget>
  )
}

function Waiting({ overview: { waiting_for_you: waiting } }: PartProps): ReactNode {
  const unanswered = { status: 'open,investigating', severity: 'critical,high', verdict: 'unreviewed', from: '-90d', sort: 'severity:desc' }
  return (
    <Part title={t('portal.waiting')}>
      {waiting.alerts === 0 && waiting.overdue_findings === 0 && <p>{t('portal.waiting.none')}</p>}
      {waiting.alerts > 0 && (
        <Link to="/alerts" search={unanswered} className={styles['strong']}>
          {t('portal.waiting.alerts', { count: waiting.alerts })}
        </Link>
      )}
      <ul className={styles['list']}>
        {waiting.worst.map(({ id, title, severity, host, created_at: at }) => (
          <li key={id}>
            <Link to="/alerts" search={{ ...unanswered, alert: id }} className={styles['alert']} title={printTime(at)}>
              <SeverityLabel severity={severity} />
              <span className={styles['text']}>{toVisibleText(title)}</span>
              <span className={styles['mono']}>{toVisibleText(host)}</span>
              <AgeCell at={at} />
            </Link>
          </li>
        ))}
      </ul>
      {waiting.overdue_findings > 0 && (
        <Link to="/assets" search={{ tab: 'findings', overdue: 'true' } as never} className={styles['strong']}>
          {t('portal.waiting.findings', { count: waiting.overdue_findings })}
        </Link>
      )}
    </Part>
  )
}

function AnswerTimes({ overview: { mtta, mttr } }: PartProps): ReactNode {
  const rows = [
    { name: t('portal.mtta'), ...mtta },
    { name: t('portal.mttr'), ...mttr },
  ]
  if (mtta.seconds === null && mttr.seconds === null) {
    return (
      <Part title={t('portal.answers')}>
        <p className={styles['note']}>{t('portal.answers.none')}</p>
      </Part>
    )
  }
  return (
    <Part title={t('portal.answers')}>
      <dl className={styles['times']}>
        {rows.map(({ name, seconds, previous_seconds: before }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={styles['figure']}>{seconds === null ? '–' : printDuration(seconds)}</dd>
            <dd className={styles['note']}>{before !== null && t('portal.answers.before', { time: printDuration(before) })}</dd>
          </div>
        ))}
      </dl>
    </Part>
  )
}

function Done({ overview: { provider_actions: done } }: PartProps): ReactNode {
  return (
    <Part title={t('portal.done')}>
      <p>{t('portal.done.alerts', { looked: done.alerts_acknowledged.total, count: done.alerts_closed.total })}</p>
      <p>{t('portal.done.incidents', { count: done.incidents_opened.total, closed: done.incidents_closed.total })}</p>
      <p>{t('portal.done.rules', { count: done.rules_changed.total })}</p>
    </Part>
  )
}

function Tactics({ overview: { detection_trend: trend }, range }: PartProps & { readonly range: TimeRange }): ReactNode {
  return (
    <Part title={t('portal.tactics')}>
      {trend.tactics.length === 0 && <p className={styles['note']}>{t('portal.tactics.none')}</p>}
      <ul className={styles['list']}>
        {trend.tactics.slice(0, tacticsMax).map(({ tactic, total }) => (
          <li key={tactic} className={styles['pair']}>
            <Link to="/alerts" search={{ tactic, ...range }} className={styles['text']}>
              {toVisibleText(printTactic(tactic))}
            </Link>
            <span>{printNumber(total)}</span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** The newest report, and the way to all of them. */
function LastReport(): ReactNode {
  const { data, error, isError, refetch } = useLastReport()
  return (
    <Part title={t('portal.report')}>
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === null && <p className={styles['note']}>{t('portal.report.none')}</p>}
      {data !== undefined && data !== null && (
        <p>
          <Link to="/reports" search={{ report: data.id }} className={styles['strong']}>{toVisibleText(data.title)}</Link>
        </p>
      )}
      {typeof data?.finished_at === 'string' && (
        <p className={styles['note']}>{t('portal.report.made', { time: printTime(data.finished_at) })}</p>
      )}
      <Link to="/reports">{t('portal.report.all')}</Link>
    </Part>
  )
}

/** One of the four figures at the top. */
function Widget({ title, figure, note, children }: {
  readonly title: string
  readonly figure: string
  readonly note: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <Part title={title}>
      <p className={styles['figure']}>{figure}</p>
      <p className={styles['note']}>{note}</p>
      {children}
    </Part>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <section className={styles['part']} aria-label={title}>
      <h2 className={styles['title']}>{title}</h2>
      {children}
    </section>
  )
}
