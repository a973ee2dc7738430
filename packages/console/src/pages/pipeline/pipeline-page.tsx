import { useMemo } from 'react'
import type { ReactNode } from 'react'
import type { PipelineSeriesBody } from '@tripline/contract/console/metrics'
import { PageHead } from '../../frame/page-head.tsx'
import { useUrlState } from '../../frame/use-url-state.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { printSpan, printTime } from '../../lib/format-time.ts'
import { toIso, zoomOut } from '../../lib/time-range.ts'
import { timeParameter, wordParameter } from '../../lib/url-state.ts'
import { useKeys } from '../../lib/keys.ts'
import { Button } from '../../ui/button.tsx'
import { LineChart } from '../../ui/charts/line-chart.tsx'
import type { LineChartProps } from '../../ui/charts/line-chart.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import type { Line } from '../../ui/charts/plot.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { Books } from './books.tsx'
import { Failures } from './failures.tsx'
import { usePipelineMetrics, usePipelineSeries, usePreviousSeries } from './pipeline-queries.ts'
import styles from './pipeline-page.module.css'
import { SourceTable } from './sources.tsx'
import { Stages, printMs, stageNames } from './stages.tsx'
import type { StageName } from './stages.tsx'
import { TopicTable } from './topics.tsx'

const parameters = {
  from: timeParameter, to: timeParameter, stage: wordParameter(stageNames), compare: wordParameter(['previous'] as const),
}

const defaultRange = { from: '-1h' }

/** The path of events through the server: four stages, the queues between them, and where every event is. */
export function PipelinePage(): ReactNode {
  const [url, setUrl] = useUrlState(parameters)
  const { from = defaultRange.from, to, stage, compare } = url
  const { data: now, isError, error, refetch } = usePipelineMetrics()
  const series = usePipelineSeries({ from, to })
  const previous = usePreviousSeries({ from, to }, series.data?.interval, compare !== undefined)
  const before = compare === undefined ? undefined : previous.data
  const charts = useMemo(() => (series.data === undefined ? [] : listCharts(series.data, before)), [series.data, before])
  const zoomIn = useMemo(() => (start: number, end: number) => setUrl({ from: toIso(start), to: toIso(end) }), [setUrl])
  useKeys([{ keys: 'z', label: t('pipeline.keys.zoomOut'), run: () => setUrl(zoomOut({ from, to }, Date.now())) }])
  return (
    <>
      <PageHead title={t('pipeline.title')} range={{ from, to }} onRange={(range) => setUrl(range)}>
        <Button
          isPressed={compare !== undefined}
          onClick={() => setUrl({ compare: compare === undefined ? 'previous' : undefined })}
        >
          {t('pipeline.compare')}
        </Button>
      </PageHead>
      <div className={styles['page']}>
        {isError && <ErrorMessage error={error} what={t('pipeline.figures')} onRetry={() => void refetch()} />}
        {now === undefined && !isError && <Skeleton lines={12} />}
        {now !== undefined && (
          <>
            <Stages
              stages={now.metrics.stages}
              topics={now.metrics.queue.topics}
              chosen={stage}
              onChoose={(next) => setUrl({ stage: next })}
            />
            <Books books={now.metrics.books} />
            <Failures stage={stage} />
          </>
        )}
        {series.isError && <ErrorMessage error={series.error} what={t('pipeline.charts')} onRetry={() => void series.refetch()} />}
        {compare !== undefined && previous.isError && (
          <ErrorMessage error={previous.error} what={t('pipeline.previous')} onRetry={() => void previous.refetch()} />
        )}
        <div className={styles['charts']}>
          {charts
            .filter(({ stages }) => stage === undefined || stages.includes(stage))
            .map(({ id, chart }) => (
              <LineChart key={id} {...chart} onZoom={zoomIn} />
            ))}
        </div>
        {now !== undefined && (
          <>
            <TopicTable topics={now.metrics.queue.topics} recent={now.lags} lags={series.data?.queue_consumer_lag} />
            <SourceTable from={from} to={to} />
            <p className={styles['asOf']}>{t('pipeline.asOf', { time: printTime(now.metrics.timestamp) })}</p>
          </>
        )}
      </div>
    </>
  )
}

const percentiles = ['p50', 'p95', 'p99'] as const

/** Series of one value each. */
type CountSeries = 'ingestion_rate' | 'alerts_generated' | 'normalization_failed' | 'late' | 'dropped' | 'refused'

type StageChart = { readonly id: string; readonly stages: readonly StageName[]; readonly chart: LineChartProps }

/** The charts of the page, and the stages that each belongs to; beside a period that is compared, each count with that before. */
function listCharts(series: PipelineSeriesBody, before: PipelineSeriesBody | undefined): readonly StageChart[] {
  const { ingestion_rate: rate, queue_consumer_lag: lags } = series
  const times = rate.map(({ timestamp }) => Date.parse(timestamp))
  /** A line at a place of its chart, and beside it that of the period before. */
  const toLines = (label: string, name: CountSeries, place = 0): readonly Line[] =>
    [
      toLine(label, series[name]),
      ...(before === undefined ? [] : [toEarlierLine(times, before[name].map(({ value }) => value), label, place)]),
    ]
  const toLatency = (name: 'normalization_latency' | 'evaluation_latency' | 'enrichment_latency') => ({
    times, format: (ms: number) => printMs(ms), formatTick: printMs,
    lines: [
      ...percentiles.map((percentile): Line => ({ label: percentile, values: series[name].map((point) => point[percentile]) })),
      ...(before === undefined ? [] : [toEarlierLine(times, before[name].map(({ p95 }) => p95), 'p95', percentiles.indexOf('p95'))]),
    ],
  })
  const rateLines = toLines(t('pipeline.eventsPerSecond'), 'ingestion_rate')
  const failedLines = toLines(t('pipeline.failed'), 'normalization_failed')
  const refusedPlace = before === undefined ? 1 : 2
  const droppedLines = [...toLines(t('pipeline.dropped'), 'dropped'), ...toLines(t('pipeline.refused'), 'refused', refusedPlace)]
  const lateLines = toLines(t('pipeline.books.late'), 'late')
  const alertLines = toLines(t('pipeline.alerts'), 'alerts_generated')
  const unit = t('chart.per', { span: printSpan((times[1] ?? 0) - (times[0] ?? 0)) })
  const lagLines = Object.entries(lags).map(([name, points]) => toLine(name, points))
  return [
    {
      stages: ['ingestion'],
      id: 'rate',
      chart: { label: t('pipeline.chart.rate'), unit: t('pipeline.eventsPerSecond'), times, lines: rateLines, format: printNumber },
    },
    {
      stages: ['normalization'],
      id: 'latency',
      chart: { label: t('pipeline.chart.latency'), ...toLatency('normalization_latency') },
    },
    {
      stages: ['normalization'],
      id: 'failed',
      chart: { label: t('pipeline.chart.failed'), unit, times, lines: failedLines, format: printNumber },
    },
    {
      stages: ['ingestion', 'normalization', 'detection'],
      id: 'dropped',
      chart: { label: t('pipeline.chart.dropped'), unit, times, lines: droppedLines, format: printNumber },
    },
    { stages: ['detection'], id: 'evaluation', chart: { label: t('pipeline.chart.evaluation'), ...toLatency('evaluation_latency') } },
    { stages: ['detection'], id: 'late', chart: { label: t('pipeline.chart.late'), unit, times, lines: lateLines, format: printNumber } },
    { stages: ['enrichment'], id: 'enrichment', chart: { label: t('pipeline.chart.enrichment'), ...toLatency('enrichment_latency') } },
    {
      stages: ['detection', 'enrichment'],
      id: 'alerts',
      chart: { label: t('pipeline.chart.alerts'), unit, times, lines: alertLines, format: printNumber },
    },
    {
      stages: stageNames,
      id: 'lag',
      chart: { label: t('pipeline.chart.lag'), unit: t('pipeline.unit.events'), times, lines: lagLines, format: printNumber },
    },
  ]
}

function toLine(label: string, points: readonly { readonly value: number }[]): Line {
  return { label, values: points.map(({ value }) => value) }
}

/** A line of the period before, at the times of the present one. */
function toEarlierLine(times: readonly number[], values: readonly (number | null)[], name: string, comparedWith: number): Line {
  return { label: t('pipeline.before', { name }), values: times.map((_time, index) => values[index] ?? null), comparedWith }
}
