import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PipelineMetricsBody } from '@tripline/contract/console/pipeline'
import type { ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { WidenRange } from '../../frame/none-found.tsx'
import { t } from '../../i18n/translate.ts'
import type { TimeRange } from '../../lib/time-range.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Button } from '../../ui/button.tsx'
import { X } from '../../ui/icons.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import styles from './no-events.module.css'
import { findPlaces } from './query/query-language.ts'

type NoEventsProps = {
  /** The query of the address; undefined where it has none. */
  readonly query: string | undefined
  readonly range: TimeRange
  readonly onQuery: (query: string | undefined) => void
  readonly onRange: (range: TimeRange) => void
}

/** A search without events: its query finds none, the range has none, or none is stored yet. */
export function NoEvents({ query, range, onQuery, onRange }: NoEventsProps): ReactNode {
  const { data } = useQuery({
    queryKey: ['search', 'books'],
    queryFn: async ({ signal }) => (await callApi<PipelineMetricsBody>('/v1/pipeline/metrics', { signal })).books,
    enabled: query === undefined,
  })
  // What was accepted and is not stored yet is found in a moment.
  const isNew = data?.accepted === 0
  if (query !== undefined) return <NoMatch query={query} range={range} onQuery={onQuery} onRange={onRange} />
  return (
    <StateMessage title={t(isNew ? 'search.none.yet' : 'search.none.range')}>
      {isNew ? <Link to="/connectors">{t('nav.connectors')}</Link> : <WidenRange range={range} onChange={onRange} />}
    </StateMessage>
  )
}

/** A query that finds nothing: where it looked, and where else it may. */
function NoMatch({ query, range, onQuery, onRange }: NoEventsProps & { readonly query: string }): ReactNode {
  const { words, anywhere } = findPlaces(query)
  return (
    <StateMessage title={t('search.none')}>
      {words.length > 0 && <p className={styles['text']}>{t('search.none.words', { words: toVisibleText(words.join(', ')) })}</p>}
      <div className={styles['actions']}>
        <Button icon={X} onClick={() => onQuery(undefined)}>{t('filters.removeAll')}</Button>
        {anywhere !== undefined && (
          <Button onClick={() => onQuery(anywhere)}>{t('search.none.anywhere', { query: toVisibleText(anywhere) })}</Button>
        )}
        <WidenRange range={range} onChange={onRange} />
      </div>
    </StateMessage>
  )
}
