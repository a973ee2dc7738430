import type { AlertGroupListBody } from '@tripline/contract/console/alerts/alert-figures'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { useNow } from '../../lib/clock.ts'
import { printAge, printTime } from '../../lib/format-time.ts'
import { getRowHeight, look } from '../../lib/look.ts'
import { useStore } from '../../lib/use-store.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { SeverityLabel } from '../../ui/badge.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import { ErrorMessage, StateMessage } from '../../ui/state-message.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'
import { useGroups } from './alert-figures.ts'
import type { Grouping } from './alert-figures.ts'
import styles from './group-table.module.css'

type Group = AlertGroupListBody['groups'][number]

/** One line for each group of alerts; opening one lists its alerts. */
export function GroupTable({
  by,
  parameters,
  loadedAt,
  onOpen,
}: {
  readonly by: Grouping
  readonly parameters: Readonly<Record<string, string>>
  readonly loadedAt: number
  /** What the group has in common, as parameters of the address. */
  readonly onOpen: (filter: { readonly [name: string]: string }) => void
}): ReactNode {
  const { data, error, refetch } = useGroups(by, parameters, loadedAt)
  const rowHeight = useStore(look, getRowHeight)
  const columns = useMemo(() => listColumns(by), [by])
  if (error !== null) return <ErrorMessage error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  if (data.groups.length === 0) return <StateMessage title={t('alerts.none')} />
  return (
    <Table
      label={t('alerts.groups')}
      columns={columns}
      rows={data.groups}
      getId={getKey}
      total={data.pagination.total}
      rowHeight={rowHeight}
      onOpen={({ key }) => onOpen(toFilter(by, key))}
    />
  )
}

function listColumns(by: Grouping): readonly Column<Group, string>[] {
  return [
    {
      id: 'severity',
      title: t('alerts.column.severity'),
      width: '84px',
      render: ({ severity }) => <SeverityLabel severity={severity} />,
    },
    { id: 'label', title: t(`alerts.group.${by}`), width: 'minmax(0, 2fr)', render: ({ label }) => <Label label={label} /> },
    { id: 'count', title: t('alerts.column.count'), width: '64px', isNumber: true, render: ({ count }) => printNumber(count) },
    { id: 'open', title: t('alerts.column.open'), width: '64px', isNumber: true, render: ({ open }) => printNumber(open) },
    {
      id: 'spark',
      title: t('alerts.column.trend'),
      width: '92px',
      minTableWidth: 700,
      render: ({ spark }) => <Sparkline counts={spark} />,
    },
    {
      id: 'first',
      title: t('alerts.column.first'),
      width: '64px',
      isNumber: true,
      minTableWidth: 800,
      render: ({ first_at: at }) => <Age at={at} />,
    },
    { id: 'last', title: t('alerts.column.last'), width: '64px', isNumber: true, render: ({ last_at: at }) => <Age at={at} /> },
  ]
}

function Label({ label }: { readonly label: string }): ReactNode {
  return label === '' ? (
    <span className={styles['none']}>{t('alerts.group.none')}</span>
  ) : (
    <span className={styles['label']}>{toVisibleText(label)}</span>
  )
}

function Age({ at }: { readonly at: string }): ReactNode {
  const now = useNow()
  return (
    <time dateTime={at} title={printTime(at)} className={styles['none']}>
      {printAge(at, now)}
    </time>
  )
}

function getKey({ key }: Group): string {
  return key
}

function toFilter(by: Grouping, key: string): { readonly [name: string]: string } {
  if (by !== 'rule_host') return { [by]: key }
  const blank = key.indexOf(' ')
  return { rule: key.slice(0, blank), host: key.slice(blank + 1) }
}
