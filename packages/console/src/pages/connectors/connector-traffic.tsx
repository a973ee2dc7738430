import type { ConnectorMetricsBody } from '@tripline/contract/console/metrics'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { useKeys } from '../../lib/keys.ts'
import { toIso, zoomOut } from '../../lib/time-range.ts'
import type { TimeRange } from '../../lib/time-range.ts'
import { LineChart } from '../../ui/charts/line-chart.tsx'
import type { LineChartProps } from '../../ui/charts/line-chart.tsx'
import { PanelSection } from '../../ui/side-panel.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { TimePicker } from '../../ui/time-picker.tsx'
import styles from './connector-panel.module.css'
import { useConnectorMetrics } from './connector-queries.ts'

const defaultFrom = '-1h'

type ConnectorTrafficProps = { readonly id: string; readonly range: TimeRange; readonly onRange: (range: TimeRange) => void }

/** What a connector received and what failed of it over time, up to the 90 days that figures are kept. */
export function ConnectorTraffic({ id, range: { from = defaultFrom, to }, onRange }: ConnectorTrafficProps): ReactNode {
  const { data, error, isError, refetch } = useConnectorMetrics(id, { from, to })
  const charts = useMemo(() => (data === undefined ? [] : listCharts(data)), [data])
  const zoomIn = useMemo(() => (start: number, end: number) => onRange({ from: toIso(start), to: toIso(end) }), [onRange])
  useKeys([{ keys: 'z', label: t('time.zoomOut'), run: () => onRange(zoomOut({ from, to }, Date.now())) }])
  return (
    <PanelSection title={t('connectors.section.traffic')}>
      <div className={styles['traffic']}>
        <div className={styles['line']}>
          <TimePicker range={{ from, to }} onChange={onRange} />
        </div>
        {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
        {charts.map((chart) => <LineChart key={chart.label} {...chart} onZoom={zoomIn} />)}
      </div>
    </PanelSection>
  )
}

function listCharts({ metrics, interval }: ConnectorMetricsBody): readonly LineChartProps[] {
  const times = metrics.throughput_eps.map(({ timestamp }) => Date.parse(timestamp))
  const toLine = (label: string, name: keyof ConnectorMetricsBody['metrics']) => {
    return { label, values: metrics[name].map(({ value }) => value) }
  }
  return [
    { label: t('connectors.chart.rate'), times, lines: [toLine(t('connectors.column.rate'), 'throughput_eps')], format: printNumber },
    {
      label: t('connectors.chart.counts', { interval: t(`connectors.interval.${interval}`) }), times, format: printNumber,
      lines: [
        toLine(t('connectors.column.total'), 'events_received'), toLine(t('connectors.column.failed'), 'events_failed'),
      ],
    },
  ]
}
