import type { AlertBody } from '@tripline/contract/console/alert'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { Pill, SeverityLabel } from '../../ui/badge.tsx'
import type { Tone } from '../../ui/badge.tsx'
import { AgeCell, TextCell } from '../../ui/entries/cell.tsx'
import type { Column } from '../../ui/table.tsx'
import { getSeverity } from '../alerts/alert-columns.tsx'

type PortalSort = 'created_at' | 'severity' | 'status' | 'rule_title' | 'host'

/** The columns of a customer's alerts, in order. */
export const listPortalColumns = (): readonly Column<AlertBody, PortalSort>[] => [
  {
    id: 'severity',
    title: t('alerts.column.severity'),
    width: '92px',
    sort: 'severity',
    render: (alert) => <SeverityLabel severity={getSeverity(alert)} />,
  },
  {
    id: 'what',
    title: t('portal.column.what'),
    width: 'minmax(0, 2.2fr)',
    sort: 'rule_title',
    render: ({ rule_title: title }) => <TextCell text={title} isStrong />,
  },
  {
    id: 'host',
    title: t('portal.where.host'),
    width: 'minmax(0, 1.3fr)',
    sort: 'host',
    render: ({ event }) => <TextCell text={event.host} isMono />,
  },
  {
    id: 'user',
    title: t('portal.where.user'),
    width: 'minmax(0, 1.2fr)',
    minTableWidth: 820,
    render: ({ event }) => <TextCell text={event.user} />,
  },
  {
    id: 'status',
    title: t('alerts.column.status'),
    width: '132px',
    sort: 'status',
    render: ({ status }) => <CustomerStatus status={status} />,
  },
  {
    id: 'answer',
    title: t('portal.column.answer'),
    width: '130px',
    minTableWidth: 720,
    render: ({ verdict }) => <Answer verdict={verdict} />,
  },
  {
    id: 'age',
    title: t('alerts.column.age'),
    width: '56px',
    isNumber: true,
    sort: 'created_at',
    render: ({ created_at: at }) => <AgeCell at={at} />,
  },
]

/** What the customer said: a verdict in their words. */
function Answer({ verdict }: Pick<AlertBody, 'verdict'>): ReactNode {
  if (verdict === 'unreviewed') return <TextCell text={t('portal.answer.none')} />
  if (verdict === 'true_positive') return <Pill tone="bad">{t('portal.answer.notUs.short')}</Pill>
  return <Pill tone="ok">{t('portal.answer.us.short')}</Pill>
}

const statusTones: { readonly [Status in AlertBody['status']]: Tone } = {
  open: 'accent', investigating: 'warn', resolved: 'ok', false_positive: 'neutral',
}

/** How far the analysts are, in the words of customers. */
export function CustomerStatus({ status }: Pick<AlertBody, 'status'>): ReactNode {
  return <Pill tone={statusTones[status]}>{t(`portal.status.${status}`)}</Pill>
}
