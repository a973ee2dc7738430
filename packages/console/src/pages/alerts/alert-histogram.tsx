import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { toIso, zoomOut } from '../../lib/time-range.ts'
import type { TimeRange } from '../../lib/time-range.ts'
import { lazyPart } from '../../ui/loading/lazy-part.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { useHistogram } from './alert-figures.ts'
import styles from './alerts-page.module.css'

// It waits for an answer of its own anyway. Until it is loaded, a line of its height stands there.
const Histogram = lazyPart(
  async () => (await import('../../ui/charts/histogram.tsx')).Histogram,
  (_props, message) => message ?? <div className={styles['histogramSpace']} />,
)

/** The listed alerts over time; marking a span narrows the range of the page. */
export function AlertHistogram({
  parameters,
  loadedAt,
  range,
  onRange,
}: {
  readonly parameters: Readonly<Record<string, string>>
  readonly loadedAt: number
  readonly range: TimeRange
  readonly onRange: (range: TimeRange) => void
}): ReactNode {
  const { data, error, refetch } = useHistogram(parameters, loadedAt)
  if (error !== null) return <ErrorMessage isBrief error={error} what={t('alerts.bars')} onRetry={() => void refetch()} />
  return (
    <Histogram
      bars={data?.bars ?? []}
      barMs={data?.barMs ?? 0}
      onZoom={(from, to) => onRange({ from: toIso(from), to: to >= loadedAt ? undefined : toIso(to) })}
      onZoomOut={() => onRange(zoomOut(range, Date.now()))}
    />
  )
}
