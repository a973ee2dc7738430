import type { ConnectorBody } from '@tripline/contract/console/sources/connector'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { printSpan } from '../../lib/format-time.ts'
import { Pill } from '../../ui/badge.tsx'
import type { Tone } from '../../ui/badge.tsx'
import { AgeCell, TextCell } from '../../ui/entries/cell.tsx'
import { Sparkline } from '../../ui/charts/sparkline.tsx'
import type { Column } from '../../ui/table.tsx'
import styles from './connector-columns.module.css'
import { findTypeName } from './connector-types.ts'
import { printHealth } from './print-health.ts'

const tones: { readonly [Status in ConnectorBody['status']]: Tone } = {
  pending: 'accent', healthy: 'ok', degraded: 'warn', unhealthy: 'bad', disabled: 'neutral',
}

/** The columns of the list, in order. */
export const listConnectorColumns = (): readonly Column<ConnectorBody, never>[] => [
  {
    id: 'status', title: t('connectors.column.status'), width: '92px',
    render: ({ status }) => <ConnectorStatus status={status} />,
  },
  {
    id: 'name', title: t('connectors.column.name'), width: 'minmax(0, 1.8fr)',
    render: ({ name }) => <TextCell text={name} isStrong />,
  },
  {
    id: 'type', title: t('connectors.column.type'), width: 'minmax(0, 2.4fr)', minTableWidth: 560,
    render: ({ type }) => <TextCell text={printType(type)} />,
  },
  {
    id: 'trend', title: t('connectors.column.trend'), width: '92px', minTableWidth: 1000,
    render: ({ stats: { events_per_second_15m: rates } }) => (rates === undefined ? <TextCell text="" /> : <Sparkline counts={rates} />),
  },
  {
    id: 'rate', title: t('connectors.column.rate'), width: '72px', isNumber: true,
    render: ({ stats }) => t('connectors.rate', { rate: printNumber(stats.events_per_second) }),
  },
  {
    id: 'total', title: t('connectors.column.total'), width: '76px', isNumber: true, minTableWidth: 640,
    render: ({ stats }) => printNumber(stats.events_received_total),
  },
  {
    id: 'failed', title: t('connectors.column.failed'), width: '68px', isNumber: true, minTableWidth: 720,
    render: ({ stats }) => <Failed stats={stats} />,
  },
  {
    id: 'last', title: t('connectors.column.last'), width: '84px', isNumber: true,
    render: ({ stats: { last_event_at: at } }) => (at === null ? <TextCell text="" /> : <AgeCell at={at} />),
  },
  {
    id: 'lag', title: t('connectors.column.lag'), width: '72px', isNumber: true, minTableWidth: 860,
    render: ({ stats }) => <Lag stats={stats} />,
  },
  {
    id: 'message', title: t('connectors.column.message'), width: 'minmax(0, 2fr)', minTableWidth: 1080,
    render: ({ health }) => <TextCell text={printHealth(health.message)} />,
  },
]

/** The kind of a source in words. */
export function printType(type: string): string {
  const known = findTypeName(type)
  return known === undefined ? type : t(`connectors.type.${known}`)
}

type WithStats = { readonly stats: ConnectorBody['stats'] }

/** The events that failed, with their share of the last 15 minutes as the title. */
function Failed({ stats: { events_failed_total: failed, error_rate_15m: share = 0 } }: WithStats): ReactNode {
  return (
    <span className={share > 0 ? styles['failing'] : undefined} title={t('connectors.failedShare', { share: printNumber(share, 2) })}>
      {printNumber(failed)}
    </span>
  )
}

/** How far behind its source a connector is: since when it has not read all, or how old its newest event was on arrival. */
function Lag({ stats: { lag_seconds: unread, delay_seconds: delay } }: WithStats): ReactNode {
  const seconds = unread ?? delay
  if (seconds === null) return <TextCell text="" />
  return <span title={t(unread === null ? 'connectors.delay' : 'connectors.lag')}>{printSpan(seconds * 1_000)}</span>
}

export function ConnectorStatus({ status }: { readonly status: ConnectorBody['status'] }): ReactNode {
  return <Pill tone={tones[status]}>{t(`connectors.status.${status}`)}</Pill>
}
