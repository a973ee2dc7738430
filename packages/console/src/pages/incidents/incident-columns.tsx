import type { IncidentBody } from '@tripline/contract/console/incident'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { Pill, SeverityLabel } from '../../ui/badge.tsx'
import type { Severity, Tone } from '../../ui/badge.tsx'
import { AgeCell, DueCell, TextCell } from '../../ui/entries/cell.tsx'
import type { Column } from '../../ui/table.tsx'

/** The fields that the list can be sorted by. */
type IncidentSort = 'created_at' | 'severity' | 'status' | 'title' | 'assignee' | 'alert_count'

/** Entities named in a row; the panel has all of them. */
const entitiesShown = 2

const statusTones: { readonly [Status in IncidentBody['status']]: Tone } = {
  open: 'accent',
  investigating: 'warn',
  contained: 'warn',
  eradicated: 'warn',
  recovered: 'ok',
  closed: 'neutral',
}

const dueColumn = (): Column<IncidentBody, IncidentSort> => ({
  id: 'due',
  title: t('due'),
  width: '88px',
  minTableWidth: 640,
  render: ({ sla }) => <DueCell sla={sla} />,
})

/** The columns of the list, in order. */
export const listIncidentColumns = (hasTargets: boolean): readonly Column<IncidentBody, IncidentSort>[] => [
  {
    id: 'severity',
    title: t('incidents.column.severity'),
    width: '84px',
    sort: 'severity',
    render: (incident) => <SeverityLabel severity={getIncidentSeverity(incident)} />,
  },
  {
    id: 'title',
    title: t('incidents.column.title'),
    width: 'minmax(0, 3fr)',
    sort: 'title',
    render: ({ title }) => <TextCell text={title} isStrong />,
  },
  {
    id: 'status',
    title: t('incidents.column.status'),
    width: '108px',
    sort: 'status',
    render: ({ status }) => <IncidentStatusPill status={status} />,
  },
  ...(hasTargets ? [dueColumn()] : []),
  {
    id: 'alerts',
    title: t('incidents.column.alerts'),
    width: '64px',
    isNumber: true,
    sort: 'alert_count',
    render: ({ alert_count: count }) => printNumber(count),
  },
  {
    id: 'entities',
    title: t('incidents.column.entities'),
    width: 'minmax(0, 1.6fr)',
    minTableWidth: 760,
    render: ({ entities }) => <TextCell text={nameEntities(entities)} isMono />,
  },
  {
    id: 'assignee',
    title: t('incidents.column.assignee'),
    width: 'minmax(0, 0.8fr)',
    sort: 'assignee',
    minTableWidth: 640,
    render: ({ assignee }) => <TextCell text={assignee ?? ''} />,
  },
  {
    id: 'age',
    title: t('incidents.column.age'),
    width: '52px',
    isNumber: true,
    sort: 'created_at',
    render: ({ created_at: at }) => <AgeCell at={at} />,
  },
]

/** The state of an incident as a word. */
export function IncidentStatusPill({ status }: { readonly status: IncidentBody['status'] }): ReactNode {
  return <Pill tone={statusTones[status]}>{t(`incidents.status.${status}`)}</Pill>
}

/** The severity as it is shown: the console API has no value for informational. */
export function getIncidentSeverity({ severity, severity_raw: raw }: Pick<IncidentBody, 'severity' | 'severity_raw'>): Severity {
  return raw ?? severity
}

function nameEntities(entities: IncidentBody['entities']): string {
  const named = entities.slice(0, entitiesShown).map(({ value }) => value)
  const rest = entities.length - named.length
  return [...named, ...(rest > 0 ? [`+${printNumber(rest)}`] : [])].join(', ')
}
