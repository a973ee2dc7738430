import type { PercentilesBody, PipelineMetricsBody } from '@tripline/contract/console/pipeline'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { ChevronRight } from '../../ui/icons.tsx'
import styles from './stages.module.css'

export const stageNames = ['ingestion', 'normalization', 'detection', 'enrichment'] as const
export type StageName = (typeof stageNames)[number]

type StagesProps = {
  readonly stages: PipelineMetricsBody['stages']
  readonly topics: PipelineMetricsBody['queue']['topics']
  readonly chosen: StageName | undefined
  /** Chooses a stage, or none. */
  readonly onChoose: (stage: StageName | undefined) => void
}

/** The path of an event as four cards in a row; choosing one shows its series alone. */
export function Stages({ stages, topics, chosen, onChoose }: StagesProps): ReactNode {
  return (
    <ol className={styles['stages']}>
      {stageNames.map((name, index) => {
        const [main, ...own] = listFigures(name, stages)
        const rest = [...own, ...listShared(name, topics, stages)]
        return (
          <li key={name} className={styles['step']}>
            {index > 0 && <ChevronRight size={16} aria-hidden className={styles['arrow']} />}
            <button
              type="button"
              className={styles['stage']}
              aria-pressed={name === chosen}
              onClick={() => onChoose(name === chosen ? undefined : name)}
            >
              <span className={styles['name']}>{t(`pipeline.stage.${name}`)}</span>
              <span className={styles['main']}>{main?.value}</span>
              <span className={styles['mainName']}>{main?.name}</span>
              <dl className={styles['figures']}>
                {rest.map((figure) => (
                  <div key={figure.name} className={styles['figure']} data-bad={figure.isBad === true || undefined}>
                    <dt>{figure.name}</dt>
                    <dd>{figure.value}</dd>
                  </div>
                ))}
              </dl>
            </button>
          </li>
        )
      })}
    </ol>
  )
}

type Figure = { readonly name: string; readonly value: string; readonly isBad?: boolean }

/** Stands for a figure that nothing was measured for: the API has a number there, such as 100 percent of no event. */
const noValue = '–'

/** The queue that each stage reads from; what is ingested comes from outside. */
const queues = { normalization: 'raw-events', detection: 'normalized-events', enrichment: 'alerts' } as const

/** What cards have in common: how long the stage takes, and what waits for it. */
function listShared(name: StageName, topics: StagesProps['topics'], stages: StagesProps['stages']): readonly Figure[] {
  if (name === 'ingestion') return []
  const lag = topics.find((topic) => topic.name === queues[name])?.consumer_lag ?? 0
  return [
    ...(['p50', 'p95', 'p99'] as const).map((percentile) => {
      const ms = stages[name].percentiles_ms[percentile]
      return { name: percentile, value: ms === null ? noValue : printShortly(ms) }
    }),
    { name: t('pipeline.lag'), value: t('pipeline.events', { count: lag }) },
  ]
}

/** What a card says, the most telling figure first. */
function listFigures(name: StageName, stages: PipelineMetricsBody['stages']): readonly Figure[] {
  const { ingestion, normalization, detection, enrichment } = stages
  if (name === 'ingestion') {
    const { events_per_second: rate, events_total: total, active_connectors: active, healthy_connectors: healthy } = ingestion
    const { pending_connectors: pending } = ingestion
    return [
      { name: t('pipeline.eventsPerSecond'), value: printNumber(rate) },
      { name: t('pipeline.accepted'), value: printNumber(total) },
      { name: t('pipeline.connectors'), value: t('pipeline.ofCount', { part: healthy, whole: active }), isBad: healthy + pending < active },
      ...(pending > 0 ? [{ name: t('pipeline.pending'), value: printNumber(pending) }] : []),
    ]
  }
  if (name === 'normalization') {
    const { events_processed: processed, events_failed: failed, success_rate: share } = normalization
    return [
      { name: t('pipeline.succeeded'), value: processed === 0 ? noValue : printPercent(share, 2), isBad: failed > 0 },
      { name: t('pipeline.processed'), value: printNumber(processed) },
      { name: t('pipeline.failed'), value: printNumber(failed), isBad: failed > 0 },
      { name: t('pipeline.meanLatency'), value: printMean(normalization.avg_latency_ms, normalization.percentiles_ms) },
    ]
  }
  if (name === 'detection') {
    const { events_evaluated: evaluated, rules_matched: matches, alerts_generated: alerts, false_positives: wrong } = detection
    return [
      { name: t('pipeline.alerts'), value: printNumber(alerts) },
      { name: t('pipeline.evaluated'), value: printNumber(evaluated) },
      { name: t('pipeline.matches'), value: printNumber(matches) },
      { name: t('pipeline.falsePositives'), value: printNumber(wrong) },
      { name: t('pipeline.meanEvaluation'), value: printMean(detection.avg_evaluation_time_ms, detection.percentiles_ms) },
    ]
  }
  const { alerts_processed: enriched, avg_enrichment_time_ms: meanMs, intel_cache_hit_rate: hitShare } = enrichment
  return [
    { name: t('pipeline.enriched'), value: printNumber(enriched) },
    { name: t('pipeline.meanLatency'), value: printMean(meanMs, enrichment.percentiles_ms) },
    { name: t('pipeline.cacheHits'), value: enriched === 0 ? noValue : printPercent(hitShare) },
  ]
}

function printPercent(share: number, digits?: number): string {
  return t('pipeline.percent', { share: printNumber(share, digits) })
}

/** The mean of a latency, which is 0 where nothing was measured, or too little for the clock: percentiles tell these apart. */
function printMean(ms: number, { p50 }: PercentilesBody): string {
  if (p50 === null) return noValue
  return ms === 0 ? t('pipeline.belowMicrosecond') : printMs(ms)
}

/** A latency in little room: whole milliseconds from ten on. It is measured to the microsecond. */
function printShortly(ms: number): string {
  if (ms === 0) return t('pipeline.belowMicrosecond')
  return printMs(ms < 10 ? Math.round(ms * 1_000) / 1_000 : Math.round(ms))
}

/** Milliseconds, or microseconds where the greatest beside it is below one: an event is evaluated in a few. */
export function printMs(ms: number, greatest = ms): string {
  if (greatest < 1) return t('pipeline.microseconds', { value: printNumber(ms * 1_000) })
  return t('pipeline.milliseconds', { value: printNumber(ms, 2) })
}
