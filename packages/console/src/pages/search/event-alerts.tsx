import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AlertListBody } from '@tripline/contract/console/alert'
import type { ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { t } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { SeverityLabel } from '../../ui/badge.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './event-alerts.module.css'

/** Alerts that are named; the number counts all of them. */
const alertsShown = 10

/** The alerts that an event is part of. Nothing is said of one without: a correlation keeps a bounded number. */
export function EventAlerts({ id }: { readonly id: string }): ReactNode {
  const { data, isError, error, refetch } = useQuery({
    queryKey: ['event-alerts', id],
    queryFn: ({ signal }) => callApi<AlertListBody>('/v1/alerts', {
      query: { event_id: id, sort: 'severity:desc,created_at:desc', limit: String(alertsShown) }, signal,
    }),
  })
  if (isError) return <ErrorMessage error={error} onRetry={() => void refetch()} />
  if (data === undefined || data.alerts.length === 0) return null
  return (
    <section className={styles['alerts']} aria-label={t('search.inAlerts', { count: data.total_estimate })}>
      <span className={styles['count']}>{t('search.inAlerts', { count: data.total_estimate })}</span>
      <ul className={styles['list']}>
        {data.alerts.map(({ id: alertId, severity, severity_raw: raw, rule_title: rule }) => (
          <li key={alertId} className={styles['alert']}>
            <SeverityLabel severity={raw ?? severity} />
            <Link to="/alerts/$id" params={{ id: alertId }}>{toVisibleText(rule)}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
