import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PipelineMetricsBody } from '@tripline/contract/console/pipeline'
import type { ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { NoneFound, WidenRange } from '../../frame/none-found.tsx'
import { t } from '../../i18n/translate.ts'
import type { TimeRange } from '../../lib/time-range.ts'

type NoEventsProps = {
  /** The query of the address; undefined where it has none. */
  readonly query: string | undefined
  readonly range: TimeRange
  readonly onQuery: (change: { readonly [name: string]: undefined }) => void
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
  return (
    <NoneFound
      none={t(isNew ? 'search.none.yet' : 'search.none.range')}
      filtered={t('search.none')}
      filters={{ q: query }}
      onRemove={onQuery}
    >
      {isNew ? <Link to="/connectors">{t('nav.connectors')}</Link> : <WidenRange range={range} onChange={onRange} />}
    </NoneFound>
  )
}
