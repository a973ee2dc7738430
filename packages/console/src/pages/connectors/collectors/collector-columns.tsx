import type { CollectorBody } from '@tripline/contract/console/collectors/collector'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../../i18n/translate.ts'
import { Pill } from '../../../ui/badge.tsx'
import type { Tone } from '../../../ui/badge.tsx'
import { AgeCell, TextCell } from '../../../ui/entries/cell.tsx'
import type { Column } from '../../../ui/table.tsx'

const tones: { readonly [status in CollectorBody['status']]: Tone } = {
  pending: 'accent', online: 'ok', degraded: 'warn', offline: 'bad', retired: 'neutral',
}

/** The state of an agent as a word. */
export function CollectorStatus({ status }: Pick<CollectorBody, 'status'>): ReactNode {
  return <Pill tone={tones[status]}>{t(`collectors.status.${status}`)}</Pill>
}

/** The columns of the list, in order. */
export const listCollectorColumns = (): readonly Column<CollectorBody, never>[] => [
  { id: 'status', title: t('connectors.column.status'), width: '108px', render: ({ status }) => <CollectorStatus status={status} /> },
  { id: 'name', title: t('connectors.column.name'), width: 'minmax(0, 1.6fr)', render: ({ name }) => <TextCell text={name} isStrong /> },
  {
    id: 'hostname', title: t('collectors.column.hostname'), width: 'minmax(0, 1.4fr)', minTableWidth: 640,
    render: ({ hostname }) => <TextCell text={hostname} isMono />,
  },
  {
    id: 'os', title: t('collectors.column.os'), width: 'minmax(0, 1fr)', minTableWidth: 860,
    render: ({ os, os_family: family }) => <TextCell text={os === '' ? family : os} />,
  },
  {
    id: 'version', title: t('collectors.column.version'), width: '88px', minTableWidth: 720,
    render: ({ version }) => <TextCell text={version} />,
  },
  {
    id: 'rate', title: t('connectors.column.rate'), width: '96px', isNumber: true,
    render: ({ events_per_second: rate }) => t('connectors.rate', { rate: printNumber(rate) }),
  },
  {
    id: 'total', title: t('connectors.column.total'), width: '104px', isNumber: true, minTableWidth: 560,
    render: ({ events_ingested: total }) => printNumber(total),
  },
  {
    id: 'seen', title: t('collectors.column.seen'), width: '96px', isNumber: true,
    render: ({ last_seen: at }) => (at === null ? <TextCell text="" /> : <AgeCell at={at} />),
  },
]
