import type { AlertBody } from '@tripline/contract/console/alert'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { printTactic } from '../../i18n/print-tactic.ts'
import { useNow } from '../../lib/clock.ts'
import { printAge, printTime } from '../../lib/format-time.ts'
import { useStore } from '../../lib/use-store.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Pill, SeverityLabel } from '../../ui/badge.tsx'
import type { Severity, Tone } from '../../ui/badge.tsx'
import { AgeCell, DueCell, TextCell } from '../../ui/entries/cell.tsx'
import type { Column } from '../../ui/table.tsx'
import styles from './alert-columns.module.css'
import { changesByOthers } from './alert-store.ts'

/** The fields that the list can be sorted by. */
type AlertSort = 'created_at' | 'severity' | 'status' | 'rule_title' | 'host' | 'event_count'

const statusTones: { readonly [Status in AlertBody['status']]: Tone } = {
  open: 'accent',
  investigating: 'warn',
  resolved: 'ok',
  false_positive: 'neutral',
}

const dueColumn = (): Column<AlertBody, AlertSort> => ({
  id: 'due',
  title: t('due'),
  width: '88px',
  minTableWidth: 640,
  render: ({ sla }) => <DueCell sla={sla} />,
})

/** The columns of the list, in order. */
export const listAlertColumns = (hasTargets: boolean): readonly Column<AlertBody, AlertSort>[] => [
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
    width: 'minmax(0, 2.5fr)',
    sort: 'rule_title',
    render: ({ id, rule_title }) => <RuleCell id={id} title={rule_title} />,
  },
  {
    id: 'host',
    title: t('alerts.column.host'),
    width: 'minmax(0, 1.3fr)',
    minTableWidth: 480,
    sort: 'host',
    render: ({ event }) => <TextCell text={event.host} isMono />,
  },
  {
    id: 'user',
    title: t('alerts.column.user'),
    width: 'minmax(0, 1.1fr)',
    minTableWidth: 820,
    render: ({ event }) => <AccountCell text={event.user} />,
  },
  {
    id: 'tactic',
    title: t('alerts.column.tactic'),
    width: 'minmax(0, 1.35fr)',
    minTableWidth: 960,
    render: ({ mitre }) => <TacticCell tactics={mitre.tactics.map(printTactic)} />,
  },
  {
    id: 'assignee',
    title: t('alerts.column.assignee'),
    width: '72px',
    minTableWidth: 1_080,
    render: ({ assignee }) => <TextCell text={assignee ?? ''} />,
  },
  {
    id: 'status',
    title: t('alerts.column.status'),
    width: '98px',
    sort: 'status',
    render: ({ status }) => <StatusPill status={status} />,
  },
  ...(hasTargets ? [dueColumn()] : []),
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
    render: ({ created_at }) => <AgeCell at={created_at} />,
  },
]

/** An account: where there is no room for all of it, its name is seen and not its domain. */
function AccountCell({ text }: { readonly text: string }): ReactNode {
  const end = text.lastIndexOf('\\') + 1
  if (end === 0 || end === text.length) return <TextCell text={text} />
  return (
    <span className={styles['account']} title={toVisibleText(text)}>
      <span className={styles['domain']}>{toVisibleText(text.slice(0, end - 1))}</span>
      <span className={styles['name']}>{toVisibleText(text.slice(end - 1))}</span>
    </span>
  )
}

/** The first tactic of an alert and how many others it has, which the tooltip names. */
function TacticCell({ tactics: [first = '', ...others] }: { readonly tactics: readonly string[] }): ReactNode {
  if (others.length === 0) return <TextCell text={first} />
  return <TextCell text={`${first} +${printNumber(others.length)}`} whole={[first, ...others].join(', ')} />
}

/** The title of a rule, and who else changed the alert since the list was loaded. */
function RuleCell({ id, title }: { readonly id: string; readonly title: string }): ReactNode {
  const change = useStore(changesByOthers, (all) => all.get(id))
  const now = useNow()
  if (change === undefined) return <TextCell text={title} isStrong />
  const name = toVisibleText(change.by.split('@')[0] ?? '')
  return (
    <span className={styles['rule']}>
      <TextCell text={title} isStrong />
      <span className={styles['changed']} title={`${toVisibleText(change.by)} · ${printTime(change.at)}`}>
        {t('alerts.changedBy', { name, age: printAge(change.at, now) })}
      </span>
    </span>
  )
}

/** The state of an alert as a word. */
export function StatusPill({ status }: { readonly status: AlertBody['status'] }): ReactNode {
  return <Pill tone={statusTones[status]}>{t(`alerts.status.${status}`)}</Pill>
}

/** The severity as it is shown: the console API has no value for informational. */
export function getSeverity({ severity, severity_raw: raw }: AlertBody): Severity {
  return raw ?? severity
}
