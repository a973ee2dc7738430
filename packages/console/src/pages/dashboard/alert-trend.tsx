import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { toIso } from '../../lib/time-range.ts'
import { toBars } from '../../ui/charts/bars.ts'
import { Histogram } from '../../ui/charts/histogram.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './alert-trend.module.css'
import { useAlertTrend } from './dashboard-queries.ts'

/** Alerts of the last 24 hours over time; marking a span lists those of the span. */
export function AlertTrend(): ReactNode {
  const router = useRouter()
  const { data, error, isError, refetch } = useAlertTrend()
  if (isError && data === undefined) return <ErrorMessage error={error} onRetry={() => void refetch()} />
  const show = (range: { readonly from?: string; readonly to?: string }): void => void router.navigate({ to: '/alerts', search: range })
  return (
    <div className={styles['trend']}>
      <Histogram
        bars={data === undefined ? [] : toBars(data.histogram)}
        barMs={data?.bucket_ms ?? 0}
        onZoom={(from, to) => show({ from: toIso(from), ...(to < Date.now() && { to: toIso(to) }) })}
        onZoomOut={() => show({})}
      />
    </div>
  )
}
