import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { liveHistory } from '../../api/live-history.ts'
import type { LiveMetrics } from '../../api/live-history.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { useStore } from '../../lib/use-store.ts'
import { Sparkline } from '../../ui/charts/sparkline.tsx'
import { averageRuns } from './average-runs.ts'
import styles from './key-figures.module.css'

/** Bars of a sparkline: as many as stand side by side. */
const barCount = 42
/** Sparklines show counts from one on; a latency below a millisecond is to be seen too. */
const sparklineScale = 1_000

const figures = [
  { id: 'ingestion_rate', to: '/pipeline', search: { stage: 'ingestion' } },
  { id: 'alerts_last_minute', to: '/alerts', search: {} },
  { id: 'normalization_latency_p99', to: '/pipeline', search: { stage: 'normalization' } },
  { id: 'queue_consumer_lag_total', to: '/pipeline', search: {} },
] as const satisfies readonly { readonly id: keyof LiveMetrics; readonly to: string; readonly search: object }[]

/** What the server is doing now, every five seconds, with the last quarter of an hour that this page saw. */
export function KeyFigures(): ReactNode {
  const history = useStore(liveHistory)
  const now = history.at(-1)
  return (
    <ul className={styles['figures']}>
      {figures.map(({ id, to, search }) => (
        <li key={id} className={styles['figure']}>
          <Link to={to} search={search} className={styles['name']}>
            {t(`dashboard.figure.${id}`)}
          </Link>
          <span className={styles['value']}>{now === undefined ? '–' : printFigure(id, now[id])}</span>
          <span className={styles['unit']}>{t(`dashboard.unit.${id}`)}</span>
          <span className={styles['line']}>
            <Sparkline counts={toBars(history.map((metrics) => metrics[id] * sparklineScale))} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** A figure as it is shown. Most events are normalised in some microseconds, which are not none; without an event no time is known. */
export function printFigure(id: (typeof figures)[number]['id'], value: number): string {
  return id === 'normalization_latency_p99' && value === 0 ? '–' : printNumber(value, value < 1 ? 3 : 1)
}

/** Bars that end now: what the page has not seen yet is empty at the left. */
function toBars(values: readonly number[]): readonly number[] {
  const bars = averageRuns(values, barCount)
  return [...Array.from({ length: barCount - bars.length }, () => 0), ...bars]
}
