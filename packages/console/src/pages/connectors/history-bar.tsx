import type { ConnectorHealthBody } from '@tripline/contract/console/sources/connector'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { useNow } from '../../lib/clock.ts'
import { printTime } from '../../lib/format-time.ts'
import { unitMs } from '../../lib/time-range.ts'
import { listSpans } from './list-spans.ts'
import styles from './history-bar.module.css'

const days = 90
const width = 900

/** The states of a connector over the last 90 days as a bar; the list of changes below it says the same. */
export function HistoryBar({ history }: Pick<ConnectorHealthBody, 'history'>): ReactNode {
  const now = useNow()
  const spans = listSpans(history, { from: now - days * unitMs.d, to: now })
  if (spans.length === 0) return null
  const toX = (at: number): number => ((at - (now - days * unitMs.d)) / (days * unitMs.d)) * width
  return (
    <svg
      className={styles['bar']}
      viewBox={`0 0 ${width} 12`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('connectors.history.bar')}
    >
      {spans.map(({ from, to, status }) => (
        <rect key={from} className={styles[status]} x={toX(from)} y={0} width={Math.max(2, toX(to) - toX(from))} height={12}>
          <title>{`${t(`connectors.status.${status}`)}: ${printTime(from)} – ${printTime(to)}`}</title>
        </rect>
      ))}
    </svg>
  )
}
