import { useRouter } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { parseLength, toIso } from '../../lib/time-range.ts'
import type { TimeRange } from '../../lib/time-range.ts'
import { toBars } from '../../ui/charts/bars.ts'
import { Histogram } from '../../ui/charts/histogram.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './alert-trend.module.css'
import { useAlertFigures, useChanges, useEventRate } from './dashboard-queries.ts'
import { fillBars } from './fill-bars.ts'
import { Reading } from './reading.tsx'
import { TimeStrips } from './time-strips.tsx'

/**
 * Alerts over time, and below them on the same axis the events and what was changed, with one cursor over all: a cause stands beside
 * its effect. Marking a span lists the alerts of the span.
 */
export function AlertTrend({ range }: { readonly range: TimeRange }): ReactNode {
  const router = useRouter()
  const { data, error, isError, refetch } = useAlertFigures(range)
  const rates = useEventRate(range).data
  const changes = useChanges(range).data
  const [cursor, setCursor] = useState<number>()
  const bars = useMemo(() => (data === undefined ? [] : toBars(data.histogram)), [data])
  const barMs = data?.bucket_ms ?? 0
  const strips = useMemo(
    () => fillBars(bars.map(({ at }) => at), barMs, {
      rates: rates?.ingestion_rate ?? [], rateMs: rates === undefined ? 0 : parseLength(rates.interval), changes: changes?.changes ?? [],
    }),
    [bars, barMs, rates, changes],
  )
  if (isError && data === undefined) return <ErrorMessage error={error} onRetry={() => void refetch()} />
  const show = (span: TimeRange): void => void router.navigate({ to: '/alerts', search: span })
  return (
    <div className={styles['trend']}>
      <Histogram
        bars={bars}
        barMs={barMs}
        shared={[cursor, setCursor]}
        onZoom={(from, to) => show({ from: toIso(from), ...(to < Date.now() && { to: toIso(to) }) })}
        onZoomOut={() => show({})}
      />
      <TimeStrips strips={strips} cursor={cursor} onCursor={setCursor} />
      <Reading bar={cursor === undefined ? undefined : bars[cursor]} barMs={barMs} strip={strips[cursor ?? -1]} />
    </div>
  )
}
