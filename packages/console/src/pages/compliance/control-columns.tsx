import type { ControlListBody } from '@tripline/contract/console/response/compliance'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { look } from '../../lib/look.ts'
import { Pill } from '../../ui/badge.tsx'
import type { Tone } from '../../ui/badge.tsx'
import { TextCell } from '../../ui/entries/cell.tsx'
import type { Column } from '../../ui/table.tsx'

type Control = ControlListBody['controls'][number]

export const controlStatuses = ['non_compliant', 'partial', 'compliant', 'not_assessed'] as const
const tones: { readonly [status in Control['status']]: Tone } = {
  compliant: 'ok', partial: 'warn', non_compliant: 'bad', not_assessed: 'neutral',
}

/** How a control stands, as a word. */
export function ControlStatusPill({ status }: Pick<Control, 'status'>): ReactNode {
  return <Pill tone={tones[status]}>{t(`compliance.status.${status}`)}</Pill>
}

/** The columns of the controls, in order. */
export const listControlColumns = (): readonly Column<Control, string>[] => [
  { id: 'id', title: t('compliance.column.control'), width: '120px', render: ({ id }) => <TextCell text={id} isMono /> },
  {
    id: 'title',
    title: t('compliance.column.title'),
    width: 'minmax(0, 2fr)',
    render: ({ title }) => <TextCell text={getLocalText(title)} isStrong />,
  },
  { id: 'status', title: t('compliance.status'), width: '130px', render: ({ status }) => <ControlStatusPill status={status} /> },
  {
    id: 'reason',
    title: t('compliance.column.reason'),
    width: 'minmax(0, 2fr)',
    minTableWidth: 900,
    render: ({ reason_texts: reasons }) => <TextCell text={reasons.map(getLocalText).join('; ')} />,
  },
  {
    id: 'owner',
    title: t('compliance.column.owner'),
    width: 'minmax(0, 1fr)',
    minTableWidth: 760,
    render: ({ owner }) => <TextCell text={owner} />,
  },
  {
    id: 'evidence',
    title: t('compliance.column.evidence'),
    width: '76px',
    isNumber: true,
    render: ({ evidence_count: count }) => printNumber(count),
  },
]

/** A text of a catalogue in the language of the page. */
export function getLocalText(text: { readonly en: string; readonly ko: string }): string {
  return text[look.get().language]
}
