import type { ReportScheduleBody } from '@tripline/contract/console/report-schedule'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { Pill } from '../../ui/badge.tsx'
import { AgeCell, TextCell } from '../../ui/entries/cell.tsx'
import type { Column } from '../../ui/table.tsx'
import { readTimes } from './schedule-times.ts'

const weekdays = ['1', '2', '3', '4', '5', '6', '7'] as const

/** Whether a schedule runs, as a word. */
export function SchedulePill({ enabled }: Pick<ReportScheduleBody, 'enabled'>): ReactNode {
  return <Pill tone={enabled ? 'ok' : 'neutral'}>{t(enabled ? 'schedules.on' : 'schedules.paused')}</Pill>
}

/** The columns of the list, in order. */
export const listScheduleColumns = (): readonly Column<ReportScheduleBody, string>[] => [
  { id: 'name', title: t('schedules.name'), width: 'minmax(0, 1.5fr)', render: ({ name }) => <TextCell text={name} isStrong /> },
  { id: 'state', title: t('reports.column.status'), width: '84px', render: ({ enabled }) => <SchedulePill enabled={enabled} /> },
  {
    id: 'report', title: t('reports.column.title'), width: 'minmax(0, 1fr)', minTableWidth: 620,
    render: (schedule) => <TextCell text={nameSubject(schedule)} />,
  },
  {
    id: 'times', title: t('schedules.times'), width: 'minmax(0, 1.7fr)',
    render: ({ cron }) => <TextCell text={printScheduleTimes(cron)} />,
  },
  {
    id: 'next', title: t('schedules.next'), width: 'minmax(0, 1.3fr)', minTableWidth: 760,
    render: ({ next_runs: [next], timezone }) => <TextCell text={next === undefined ? '' : `${printLocal(next, timezone)} ${timezone}`} />,
  },
  {
    id: 'to', title: t('schedules.to'), width: 'minmax(0, 1fr)', minTableWidth: 900,
    render: ({ recipients, channel_ids: channels }) => <TextCell text={printReceivers(recipients, channels.length)} />,
  },
  {
    id: 'format', title: t('reports.column.format'), width: '64px', minTableWidth: 820,
    render: ({ format }) => <TextCell text={t(`reports.format.${format}`)} />,
  },
  {
    id: 'last', title: t('schedules.last'), width: '84px', isNumber: true,
    render: ({ last_run_at: at }) => (at === null ? <TextCell text="" /> : <AgeCell at={at} />),
  },
]

/** The kind of report that a schedule makes, with its framework. */
export function nameSubject({ kind, framework }: Pick<ReportScheduleBody, 'kind' | 'framework'>): string {
  return [t(`reports.kind.${kind}`), framework ?? ''].join(' ').trim()
}

/** When a schedule runs, in words where it is simple; else its expression. */
export function printScheduleTimes(cron: string): string {
  const { repeat, time, weekday, day } = readTimes(cron)
  const named = weekdays.find((one) => one === weekday) ?? '1'
  switch (repeat) {
    case 'daily': return t('schedules.times.daily', { time })
    case 'weekdays': return t('schedules.times.weekdays', { time })
    case 'weekly': return t('schedules.times.weekly', { time, day: t(`schedules.weekday.${named}`) })
    case 'monthly': return t('schedules.times.monthly', { time, day })
    case 'custom': return cron
  }
}

/** An instant by the clocks of the schedule, not those of the page: it says when the schedule runs. */
export function printLocal(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(new Date(at))
}

/** Whom the reports go to: addresses, or how many channels. */
function printReceivers(recipients: readonly string[], channels: number): string {
  if (recipients.length > 0) return recipients.join(', ')
  return channels === 0 ? '' : t('schedules.to.channels', { count: channels })
}

/** The days of the week for a choice. */
export function listWeekdays(): readonly { readonly value: string; readonly label: string }[] {
  return weekdays.map((value) => ({ value, label: t(`schedules.weekday.${value}`) }))
}
