import type { FindingBody } from '@tripline/contract/console/enrichment/asset-activity'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { Pill, SeverityLabel } from '../../ui/badge.tsx'
import { AgeCell, TextCell } from '../../ui/entries/cell.tsx'
import type { Column } from '../../ui/table.tsx'

type FindingSort = 'severity' | 'title' | 'exploit_count' | 'first_found' | 'due_at'

/** The columns of the list of findings, in order. */
export const listFindingColumns = (): readonly Column<FindingBody, FindingSort>[] => [
  {
    id: 'severity', title: t('assets.column.severity'), width: '96px', sort: 'severity',
    render: ({ severity }) => <SeverityLabel severity={severity} />,
  },
  {
    id: 'title', title: t('assets.column.finding'), width: 'minmax(0, 2fr)', sort: 'title',
    render: ({ title }) => <TextCell text={title} isStrong />,
  },
  { id: 'asset', title: t('assets.column.host'), width: 'minmax(0, 1.2fr)', render: ({ asset_name: name }) => <TextCell text={name} /> },
  {
    id: 'exploits', title: t('assets.column.exploits'), width: '80px', isNumber: true, sort: 'exploit_count',
    render: ({ exploit_count: count }) => (count === 0 ? <TextCell text="" /> : printNumber(count)),
  },
  { id: 'due', title: t('assets.fact.due'), width: '184px', sort: 'due_at', render: (finding) => <Due finding={finding} /> },
  {
    id: 'cves', title: t('assets.finding.cves'), width: 'minmax(0, 1fr)', minTableWidth: 900,
    render: ({ cves }) => <TextCell text={cves.join(', ')} isMono />,
  },
  {
    id: 'first', title: t('assets.finding.first'), width: '92px', isNumber: true, sort: 'first_found', minTableWidth: 760,
    render: ({ first_found: at }) => <AgeCell at={at} />,
  },
]

/** The date of a finding, and whether it has passed; of a closed one that it is closed. */
function Due({ finding: { status, due_at: due, is_overdue: isOverdue } }: { readonly finding: FindingBody }): ReactNode {
  if (status === 'closed') return <Pill tone="ok">{t('assets.status.closed')}</Pill>
  if (due === null) return <TextCell text="" />
  if (isOverdue) return <Pill tone="bad">{t('assets.overdue', { time: printTime(due).slice(0, 'YYYY-MM-DD'.length) })}</Pill>
  return <TextCell text={printTime(due)} />
}
