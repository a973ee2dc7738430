import type { AlertGroupListBody } from '@tripline/contract/console/alerts/alert-figures'
import { useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { useNow } from '../../lib/clock.ts'
import { printAge, printTime } from '../../lib/format-time.ts'
import { useKeys } from '../../lib/keys.ts'
import { getRowHeight, look } from '../../lib/look.ts'
import { useStore } from '../../lib/use-store.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { SeverityLabel } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Ellipsis } from '../../ui/icons.tsx'
import type { ListHandle } from '../../ui/list-window.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { Sparkline } from '../../ui/charts/sparkline.tsx'
import { Menu } from '../../ui/menu.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'
import { useGroups } from './alert-figures.ts'
import type { Grouping } from './alert-figures.ts'
import styles from './group-table.module.css'
import { triageActions } from './triage.ts'
import type { TriageAction } from './triage.ts'

type Group = AlertGroupListBody['groups'][number]

/** What a group has in common, as parameters of the address. */
type GroupFilter = { readonly [name: string]: string }

type GroupTableProps = {
  readonly by: Grouping
  readonly parameters: Readonly<Record<string, string>>
  readonly loadedAt: number
  readonly mayChange: boolean
  /** Whether the page of an alert is shown in its place, which has keys of its own. */
  readonly isCovered: boolean
  /** Shown in the place of a list without groups. */
  readonly empty: ReactNode
  readonly onOpen: (filter: GroupFilter) => void
  /** Decides about all alerts of a group. */
  readonly onAct: (action: TriageAction, filter: GroupFilter, count: number) => void
}

/** One line for each group of alerts: opening one lists its alerts, and the keys of decisions decide about all of them. */
export function GroupTable({ by, parameters, loadedAt, mayChange, isCovered, empty, onOpen, onAct }: GroupTableProps): ReactNode {
  const { data, error, refetch } = useGroups(by, parameters, loadedAt)
  const rowHeight = useStore(look, getRowHeight)
  const columns = useMemo(
    () => [...listColumns(by), ...(mayChange ? [actionColumn(by, onAct)] : [])],
    [by, mayChange, onAct],
  )
  const handle = useRef<ListHandle>(null)
  const [current, setCurrent] = useState<string>()
  const groups = data?.groups ?? []
  const index = groups.findIndex(({ key }) => key === current)
  const move = (to: number): void => {
    const at = Math.max(0, Math.min(groups.length - 1, to))
    setCurrent(groups[at]?.key)
    handle.current?.reveal(at)
  }
  const onCurrent = (run: (filter: GroupFilter, count: number) => void): void => {
    const group = groups[index]
    const filter = group === undefined ? undefined : toFilter(by, group.key)
    if (group !== undefined && filter !== undefined) run(filter, group.count)
  }
  useKeys(isCovered ? [] : [
    { keys: 'j', label: t('list.keys.next'), run: () => move(index + 1) },
    { keys: 'ArrowDown', run: () => move(index + 1) },
    { keys: 'k', label: t('list.keys.previous'), run: () => move(index - 1) },
    { keys: 'ArrowUp', run: () => move(index - 1) },
    { keys: 'Home', run: () => move(0) },
    { keys: 'End', run: () => move(groups.length - 1) },
    { keys: 'Enter', label: t('list.keys.open'), run: () => onCurrent(onOpen) },
    ...triageActions.flatMap(({ action, keys }) =>
      keys === undefined || !mayChange
        ? []
        : [{ keys, label: t(`alerts.action.${action}`), run: () => onCurrent((filter, count) => onAct(action, filter, count)) }],
    ),
  ])
  if (error !== null) return <ErrorMessage error={error} what={t('alerts.groups')} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={12} height={rowHeight} />
  if (data.groups.length === 0) return empty
  return (
    <Table
      ref={handle}
      label={t('alerts.groups')}
      columns={columns}
      rows={data.groups}
      getId={getKey}
      total={data.pagination.total}
      rowHeight={rowHeight}
      current={current}
      onOpen={({ key }) => {
        const filter = toFilter(by, key)
        if (filter !== undefined) onOpen(filter)
      }}
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

/** What may be decided about all alerts of a group, for those who do not use its keys. */
function actionColumn(by: Grouping, onAct: GroupTableProps['onAct']): Column<Group, string> {
  return {
    id: 'actions',
    title: t('alerts.group.actions'),
    width: '44px',
    render: ({ key, label, count }) => {
      const filter = toFilter(by, key)
      if (filter === undefined) return null
      const name = t('alerts.group.decide', { name: toVisibleText(label) })
      return (
        <span onClick={(event) => event.stopPropagation()}>
          <Menu
            label={name}
            align="end"
            button={(target) => <IconButton icon={Ellipsis} label={name} {...target} />}
            items={triageActions.map(({ action }) => ({ label: t(`alerts.action.${action}`), run: () => onAct(action, filter, count) }))}
          />
        </span>
      )
    },
  }
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

/** The parameters that select the alerts of a group; none select those that lack a value. */
function toFilter(by: Grouping, key: string): GroupFilter | undefined {
  const blank = key.indexOf(' ')
  const filter = by === 'rule_host' ? { rule: key.slice(0, blank), host: key.slice(blank + 1) } : { [by]: key }
  return Object.values(filter).includes('') ? undefined : filter
}
