import type { AssetBody } from '@tripline/contract/console/enrichment/asset'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { useNow } from '../../lib/clock.ts'
import { printSpan, printTime } from '../../lib/format-time.ts'
import { Pill, SeverityLabel } from '../../ui/badge.tsx'
import { AgeCell, TextCell } from '../../ui/entries/cell.tsx'
import type { Column } from '../../ui/table.tsx'

type AssetSort = 'hostname' | 'risk_score' | 'criticality' | 'open_alerts' | 'last_seen' | 'last_scan_at' | 'findings_due_at'

/** The columns of the list, in order. */
export const listAssetColumns = (): readonly Column<AssetBody, AssetSort>[] => [
  {
    id: 'risk', title: t('assets.column.risk'), width: '88px',
    render: (asset) => (isRated(asset) ? <SeverityLabel severity={asset.risk_level} /> : <TextCell text="" />),
  },
  {
    id: 'score', title: t('assets.column.score'), width: '60px', isNumber: true, sort: 'risk_score', minTableWidth: 700,
    render: (asset) => (isRated(asset) ? printNumber(asset.risk_score) : <TextCell text="" />),
  },
  {
    id: 'host', title: t('assets.column.host'), width: 'minmax(0, 3.2fr)', sort: 'hostname',
    render: (asset) => <TextCell text={nameAsset(asset)} isStrong />,
  },
  {
    id: 'type', title: t('assets.column.type'), width: 'minmax(0, 1fr)', minTableWidth: 1000,
    render: ({ type }) => <TextCell text={t(`assets.type.${type}`)} />,
  },
  {
    id: 'criticality', title: t('assets.column.criticality'), width: '92px', sort: 'criticality', minTableWidth: 620,
    render: ({ criticality }) => <TextCell text={t(`assets.criticality.${criticality}`)} />,
  },
  {
    id: 'owner', title: t('assets.column.owner'), width: 'minmax(0, 1fr)', minTableWidth: 1260,
    render: ({ owner }) => <TextCell text={owner} />,
  },
  {
    id: 'alerts', title: t('assets.column.alerts'), width: '64px', isNumber: true, sort: 'open_alerts',
    render: ({ open_alerts: count }) => printNumber(count),
  },
  {
    id: 'findings', title: t('assets.column.findings'), width: '84px', isNumber: true, minTableWidth: 700,
    render: ({ last_scan_at: scannedAt, vulnerabilities: { critical, high, medium, low, exploitable } }) => {
      if (scannedAt === null) return <TextCell text="" />
      const all = t('assets.allFindings', { critical, high, medium, low, exploitable })
      return <span title={all}>{t('assets.findings', { grave: critical + high, exploitable })}</span>
    },
  },
  {
    id: 'blind', title: t('assets.column.blind'), width: '148px', minTableWidth: 860,
    render: ({ blind_spots: spots }) => <BlindSpots spots={spots} />,
  },
  {
    id: 'due', title: t('assets.column.due'), width: '88px', isNumber: true, sort: 'findings_due_at', minTableWidth: 1060,
    render: ({ findings_due_at: due }) => <FindingsDue due={due} />,
  },
  {
    id: 'scan', title: t('assets.column.scan'), width: '68px', isNumber: true, sort: 'last_scan_at', minTableWidth: 1000,
    render: ({ last_scan_at: at }) => (at === null ? <TextCell text="" /> : <AgeCell at={at} />),
  },
  {
    id: 'seen', title: t('assets.column.seen'), width: '68px', isNumber: true, sort: 'last_seen',
    render: ({ last_seen: at }) => (at === null ? <TextCell text="" /> : <AgeCell at={at} />),
  },
]

/** Whether the risk of an asset is known: before a scanner has seen it and without a rating its score is 0, which is not a low one. */
export function isRated({ last_scan_at: scannedAt, risk_score: score }: Pick<AssetBody, 'last_scan_at' | 'risk_score'>): boolean {
  return scannedAt !== null || score > 0
}

/** When the first of the open findings is due, or that it is overdue. */
function FindingsDue({ due }: { readonly due: string | null }): ReactNode {
  const now = useNow()
  if (due === null) return <TextCell text="" />
  if (Date.parse(due) < now) return <span title={printTime(due)}><Pill tone="bad">{t('assets.isOverdue')}</Pill></span>
  return <time dateTime={due} title={printTime(due)}>{printSpan(Date.parse(due) - now)}</time>
}

/** The name of an asset, or its first address. */
export function nameAsset({ hostname, ip_addresses: [address], id }: Pick<AssetBody, 'hostname' | 'ip_addresses' | 'id'>): string {
  return hostname === '' ? (address ?? id) : hostname
}

/** What is not known of an asset: nothing is seen there, whatever happens. */
export function BlindSpots({ spots }: { readonly spots: AssetBody['blind_spots'] }): ReactNode {
  return spots.map((spot) => <Pill key={spot} tone="warn">{t(`assets.blind.${spot}`)}</Pill>)
}
