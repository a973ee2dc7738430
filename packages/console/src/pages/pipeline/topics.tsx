import type { PipelineSeriesBody } from '@tripline/contract/console/metrics'
import type { PipelineMetricsBody } from '@tripline/contract/console/pipeline'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { forecastDrain } from './forecast-drain.ts'
import type { Drain } from './forecast-drain.ts'
import { chooseLags } from './recent-lags.ts'
import type { LagSample } from './recent-lags.ts'
import styles from './topics.module.css'

type Topics = PipelineMetricsBody['queue']['topics']
type LagByTopic = PipelineSeriesBody['queue_consumer_lag']

type TopicTableProps = {
  readonly topics: Topics
  /** The lags of the last minute. */
  readonly recent: readonly LagSample[]
  /** The stored ones. */
  readonly lags: LagByTopic | undefined
}

/** The queues between the stages: what waits in each, and when it will be gone. */
export function TopicTable({ topics, recent, lags }: TopicTableProps): ReactNode {
  return (
    <section className={styles['topics']} tabIndex={0} aria-label={t('pipeline.topics')}>
      <h2 className={styles['title']}>{t('pipeline.topics')}</h2>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th>{t('pipeline.topic')}</th>
            <th>{t('pipeline.messagesPerSecond')}</th>
            <th>{t('pipeline.lag')}</th>
            <th>{t('pipeline.forecast')}</th>
          </tr>
        </thead>
        <tbody>
          {topics.map(({ name, consumer_lag: lag, messages_per_second: rate }) => (
            <tr key={name}>
              <td>
                <code>{name}</code>
              </td>
              <td>{printNumber(rate)}</td>
              <td>{printNumber(lag)}</td>
              <td>{printDrain(forecastDrain(lag, chooseLags(recent, name, lags?.[name] ?? [])))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function printDrain(drain: Drain): string {
  switch (drain.kind) {
    case 'empty':
      return t('pipeline.drain.empty')
    case 'steady':
      return t('pipeline.drain.steady')
    case 'grows':
      return t('pipeline.drain.grows', { rate: printNumber(drain.perSecond) })
    case 'drains':
      return drain.seconds < 90
        ? t('pipeline.drain.seconds', { count: Math.ceil(drain.seconds) })
        : t('pipeline.drain.minutes', { count: Math.ceil(drain.seconds / 60) })
  }
}
