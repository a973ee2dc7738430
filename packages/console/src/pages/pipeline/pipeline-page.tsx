import { useMemo } from 'react'
import type { ReactNode } from 'react'
import type { PipelineSeriesBody } from '@tripline/contract/console/metrics'
import { PageHead } from '../../frame/page-head.tsx'
import { useUrlState } from '../../frame/use-url-state.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { toIso, zoomOut } from '../../lib/time-range.ts'
import { timeParameter, wordParameter } from '../../lib/url-state.ts'
import { useKeys } from '../../lib/keys.ts'
import { LineChart } from '../../ui/line-chart.tsx'
import type { LineChartProps } from '../../ui/line-chart.tsx'
import type { Line } from '../../ui/plot.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { Books } from './books.tsx'
import { Failures } from './failures.tsx'
import { usePipelineMetrics, usePipelineSeries } from './pipeline-queries.ts'
import styles from './pipeline-page.module.css'
import { Stages, printMs, stageNames } from './stages.tsx'
import type { StageName } from './stages.tsx'
import { TopicTable } from './topics.tsx'

const parameters = { from: timeParameter, to: timeParameter, stage: wordParameter(stageNames) }

const defaultRange = { from: '-1h' }

/** The path of events through the server: four stages, the queues between them, and where every event is. */
export function PipelinePage(): ReactNode {
  const [url, setUrl] = useUrlState(parameters)
  const { from = defaultRange.from, to, stage } = url
  const metrics = usePipelineMetrics()
  const series = usePipelineSeries({ from, to })
  const charts = useMemo(() => (series.data === undefined ? [] : listCharts(series.data)), [series.data])
  const zoomIn = useMemo(() => (start: number, end: number) => setUrl({ from: toIso(start), to: toIso(end) }), [setUrl])
  useKeys([{ keys: 'z', label: t('pipeline.keys.zoomOut'), run: () => setUrl(zoomOut({ from, to }, Date.now())) }])
  return (
    <>
      <PageHead title={t('pipeline.title')} range={{ from, to }} onRange={(range) => setUrl(range)} />
      <div className={styles['page']}>
        {metrics.isError && <ErrorMessage error={metrics.error} onRetry={() => void metrics.refetch()} />}
        {metrics.data !== undefined && (
          <>
            <Stages stages={metrics.data.stages} chosen={stage} onChoose={(next) => setUrl({ stage: next })} />
            <Books books={metrics.data.books} />
            <Failures />
          </>
        )}
        {series.isError && <ErrorMessage error={series.error} onRetry={() => void series.refetch()} />}
        <div className={styles['charts']}>
          {charts
            .filter(({ stages }) => stage === undefined || stages.includes(stage))
            .map(({ id, chart }) => (
              <LineChart key={id} {...chart} onZoom={zoomIn} />
            ))}
        </div>
        {metrics.data !== undefined && (
          <>
            <TopicTable topics={metrics.data.queue.topics} lags={series.data?.queue_consumer_lag} />
            <p className={styles['asOf']}>{t('pipeline.asOf', { time: printTime(metrics.data.timestamp) })}</p>
          </>
        )}
      </div>
    </>
  )
}

const percentiles = ['p50', 'p95', 'p99'] as const

type StageChart = { readonly id: string; readonly stages: readonly StageName[]; readonly chart: LineChartProps }

/** The charts of the page, and the stages that each belongs to. */
function listCharts(series: PipelineSeriesBody): readonly StageChart[] {
  const { ingestion_rate: rate, normalization_latency: latency, alerts_generated: alerts, queue_consumer_lag: lags } = series
  const times = rate.map(({ timestamp }) => Date.parse(timestamp))
  const rateLines = [toLine(t('pipeline.eventsPerSecond'), rate)]
  const latencyLines = percentiles.map((name): Line => ({ label: name, values: latency.map((point) => point[name]) }))
  const alertLines = [toLine(t('pipeline.alerts'), alerts)]
  const lagLines = Object.entries(lags).map(([name, points]) => toLine(name, points))
  return [
    { stages: ['ingestion'], id: 'rate', chart: { label: t('pipeline.chart.rate'), times, lines: rateLines, format: printNumber } },
    {
      stages: ['normalization'],
      id: 'latency',
      chart: { label: t('pipeline.chart.latency'), times, lines: latencyLines, format: printMs },
    },
    {
      stages: ['detection', 'enrichment'],
      id: 'alerts',
      chart: { label: t('pipeline.chart.alerts'), times, lines: alertLines, format: printNumber },
    },
    { stages: stageNames, id: 'lag', chart: { label: t('pipeline.chart.lag'), times, lines: lagLines, format: printNumber } },
  ]
}

function toLine(label: string, points: readonly { readonly value: number }[]): Line {
  return { label, values: points.map(({ value }) => value) }
}
