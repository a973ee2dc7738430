import type { ReportBody } from '@tripline/contract/console/response/report'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { Pill } from '../../ui/badge.tsx'
import type { Tone } from '../../ui/badge.tsx'
import { AgeCell, TextCell } from '../../ui/entries/cell.tsx'
import type { Column } from '../../ui/table.tsx'

const tones: { readonly [status in ReportBody['status']]: Tone } = { queued: 'neutral', running: 'accent', succeeded: 'ok', failed: 'bad' }
const hashLength = 12

/** How far a report has come, as a word. */
export function ReportStatusPill({ status }: Pick<ReportBody, 'status'>): ReactNode {
  return <Pill tone={tones[status]}>{t(`reports.status.${status}`)}</Pill>
}

/** The columns of the history, in order. */
export const listReportColumns = (): readonly Column<ReportBody, string>[] => [
  {
    id: 'title', title: t('reports.column.title'), width: 'minmax(0, 2fr)',
    render: (report) => <TextCell text={nameReport(report)} isStrong />,
  },
  { id: 'status', title: t('reports.column.status'), width: '108px', render: ({ status }) => <ReportStatusPill status={status} /> },
  {
    id: 'range', title: t('reports.column.range'), width: 'minmax(0, 1.4fr)', minTableWidth: 700,
    render: (report) => <TextCell text={printReportRange(report)} />,
  },
  {
    id: 'format', title: t('reports.column.format'), width: '72px',
    render: ({ format }) => <TextCell text={t(`reports.format.${format}`)} />,
  },
  {
    id: 'by', title: t('reports.column.by'), width: 'minmax(0, 1fr)', minTableWidth: 820,
    render: ({ requested_by: by, schedule_id: schedule }) => (
      <TextCell text={schedule === null ? by : t('reports.by.schedule', { name: by })} />
    ),
  },
  {
    id: 'hash', title: t('reports.column.hash'), width: '120px', minTableWidth: 980,
    render: ({ sha256 }) => <TextCell text={sha256?.slice(0, hashLength) ?? ''} isMono />,
  },
  {
    id: 'size', title: t('reports.column.size'), width: '80px', isNumber: true, minTableWidth: 620,
    render: ({ size }) => (size === null ? <TextCell text="" /> : printSize(size)),
  },
  { id: 'at', title: t('reports.column.at'), width: '84px', isNumber: true, render: ({ requested_at: at }) => <AgeCell at={at} /> },
]

/** The title of a report; until it is made, its kind. */
export function nameReport({ title, kind, framework }: Pick<ReportBody, 'title' | 'kind' | 'framework'>): string {
  return title === '' ? [t(`reports.kind.${kind}`), framework ?? ''].join(' ').trim() : title
}

/** The days that a report is about. */
export function printReportRange({ kind, from, to }: Pick<ReportBody, 'kind' | 'from' | 'to'>): string {
  if (from !== null && to !== null) return `${printDay(from)} – ${printDay(new Date(Date.parse(to) - 1).toISOString())}`
  if (from !== null) return t('reports.range.from', { from: printDay(from) })
  if (to !== null) return t('reports.range.until', { to: printDay(new Date(Date.parse(to) - 1).toISOString()) })
  return t(kind === 'compliance' ? 'reports.range.newest' : 'reports.range.present')
}

/** The size of a file. */
export function printSize(bytes: number): string {
  return t('reports.kilobytes', { size: printNumber(bytes / 1_000) })
}

function printDay(at: string): string {
  return at.slice(0, 'YYYY-MM-DD'.length)
}
