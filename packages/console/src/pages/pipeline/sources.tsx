import { Link } from '@tanstack/react-router'
import type { PipelineSourceListBody } from '@tripline/contract/console/pipeline'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import type { TimeRange } from '../../lib/time-range.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { usePipelineSources } from './pipeline-queries.ts'
import styles from './topics.module.css'

/** What each source of events brought in the range, the most first. */
export function SourceTable({ from, to }: TimeRange): ReactNode {
  const { data, error, isError, refetch } = usePipelineSources({ from, to })
  return (
    <section className={styles['topics']} tabIndex={0} aria-label={t('pipeline.sources')}>
      <h2 className={styles['title']}>{t('pipeline.sources')}</h2>
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data?.sources.length === 0 && <p className={styles['none']}>{t('pipeline.sources.none')}</p>}
      {data !== undefined && data.sources.length > 0 && <Rows sources={data.sources} />}
    </section>
  )
}

function Rows({ sources }: Pick<PipelineSourceListBody, 'sources'>): ReactNode {
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th>{t('pipeline.source')}</th>
          <th>{t('pipeline.source.rate')}</th>
          <th>{t('pipeline.source.events')}</th>
          <th>{t('pipeline.source.share')}</th>
          <th>{t('pipeline.failed')}</th>
        </tr>
      </thead>
      <tbody>
        {sources.map(({ id, name, type, events, events_failed: failed, events_per_second: rate, share }) => (
          <tr key={id ?? ''}>
            <td>{id === null ? t('pipeline.source.other') : <Source id={id} name={name} type={type} />}</td>
            <td>{printNumber(rate)}</td>
            <td>{printNumber(events)}</td>
            <td>{t('pipeline.percent', { share: printNumber(share) })}</td>
            <td>{printNumber(failed)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A link to the connector or the collector. */
function Source({ id, name, type }: { readonly id: string; readonly name: string; readonly type: string }): ReactNode {
  const shown = toVisibleText(name)
  return (
    <>
      {type === 'collector'
        ? <Link to="/connectors/collectors" search={{ collector: id }}>{shown}</Link>
        : <Link to="/connectors" search={{ connector: id }}>{shown}</Link>}{' '}
      <code>{type}</code>
    </>
  )
}
