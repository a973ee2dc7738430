import type { AlertBody } from '@tripline/contract/console/alert'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { useNow } from '../../lib/clock.ts'
import { printAge, printTime } from '../../lib/format-time.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Pill, SeverityLabel } from '../../ui/badge.tsx'
import type { Severity, Tone } from '../../ui/badge.tsx'
import type { Column } from '../../ui/table.tsx'
import styles from './alert-columns.module.css'

/** The fields that the list can be sorted by. */
type AlertSort = 'created_at' | 'severity' | 'status' | 'rule_title' | 'host' | 'event_count'

const statusTones: { readonly [Status in AlertBody['status']]: Tone } = {
  open: 'accent',
  investigating: 'warn',
  resolved: 'ok',
  false_positive: 'neutral',
}

/** The columns of the list, in order. */
export const listAlertColumns = (): readonly Column<AlertBody, AlertSort>[] => [
  {
    id: 'severity',
    title: t('alerts.column.severity'),
    width: '84px',
    sort: 'severity',
    render: (alert) => <SeverityLabel severity={getSeverity(alert)} />,
  },
  {
    id: 'rule',
    title: t('alerts.column.rule'),
    width: 'minmax(0, 2.4fr)',
    sort: 'rule_title',
    render: ({ rule_title }) => <Text text={rule_title} isStrong />,
  },
  {
    id: 'host',
    title: t('alerts.column.host'),
    width: 'minmax(0, 1.3fr)',
    sort: 'host',
    render: ({ event }) => <Text text={event.host} isMono />,
  },
  {
    id: 'user',
    title: t('alerts.column.user'),
    width: 'minmax(0, 1fr)',
    minTableWidth: 820,
    render: ({ event }) => <Text text={event.user} />,
  },
  {
    id: 'tactic',
    title: t('alerts.column.tactic'),
    width: 'minmax(0, 1fr)',
    minTableWidth: 960,
    render: ({ mitre }) => <Text text={mitre.tactics.map(printTactic).join(', ')} />,
  },
  {
    id: 'assignee',
    title: t('alerts.column.assignee'),
    width: 'minmax(0, 0.8fr)',
    minTableWidth: 1_080,
    render: ({ assignee }) => <Text text={assignee ?? ''} />,
  },
  {
    id: 'status',
    title: t('alerts.column.status'),
    width: '98px',
    sort: 'status',
    render: ({ status }) => <StatusPill status={status} />,
  },
  {
    id: 'events',
    title: t('alerts.column.events'),
    width: '56px',
    isNumber: true,
    sort: 'event_count',
    minTableWidth: 720,
    render: ({ event_count }) => printNumber(event_count),
  },
  {
    id: 'age',
    title: t('alerts.column.age'),
    width: '52px',
    isNumber: true,
    sort: 'created_at',
    render: ({ created_at }) => <Age at={created_at} />,
  },
]

/** The state of an alert as a word. */
export function StatusPill({ status }: { readonly status: AlertBody['status'] }): ReactNode {
  return <Pill tone={statusTones[status]}>{t(`alerts.status.${status}`)}</Pill>
}

/** The severity as it is shown: the console API has no value for informational. */
export function getSeverity({ severity, severity_raw: raw }: AlertBody): Severity {
  return raw ?? severity
}

/** A tactic as people write it: `credential-access` becomes `credential access`. */
function printTactic(tactic: string): string {
  return tactic.replaceAll('-', ' ')
}

function Text({
  text,
  isMono = false,
  isStrong = false,
}: {
  readonly text: string
  readonly isMono?: boolean
  readonly isStrong?: boolean
}): ReactNode {
  if (text === '') return <span className={styles['none']}>–</span>
  const shown = toVisibleText(text)
  return (
    <span className={isMono ? styles['mono'] : isStrong ? styles['strong'] : styles['text']} title={shown}>
      {shown}
    </span>
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
