import { useInfiniteQuery } from '@tanstack/react-query'
import type { IncidentDetailBody, IncidentTimelineBody } from '@tripline/contract/console/incident'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { incidentKey } from './incident-store.ts'
import styles from './timeline.module.css'

type Entry = IncidentDetailBody['timeline'][number]
/** Facts that say most about an entry, the first one there is. */
const toldFacts = ['rule_title', 'content', 'title', 'alert_id', 'incident_id', 'incident_ids', 'alert_ids'] as const
const pageSize = 100
/** Who opens incidents without a person. */
const groupingActor = 'grouping'

/** What happened to an incident and who did it, oldest first; entries before the latest ones are loaded when asked for. */
export function Timeline({ incidentId, latest }: { readonly incidentId: string; readonly latest: readonly Entry[] }): ReactNode {
  const [first] = latest
  const [isWhole, setIsWhole] = useState(false)
  const before = useInfiniteQuery({
    queryKey: [...incidentKey(incidentId), 'timeline', first?.number],
    queryFn: ({ pageParam, signal }) => {
      const query = { sort: 'number:desc', limit: String(pageSize), cursor: pageParam }
      return callApi<IncidentTimelineBody>(`/v1/incidents/${encodeURIComponent(incidentId)}/timeline`, { query, signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    enabled: isWhole,
  })
  const earlier = (before.data?.pages ?? [])
    .flatMap(({ timeline }) => timeline)
    .filter(({ number }) => number < (first?.number ?? 0))
    .toReversed()
  const hasMore = isWhole ? before.hasNextPage : (first?.number ?? 1) > 1
  const showMore = (): void => {
    if (isWhole) void before.fetchNextPage()
    else setIsWhole(true)
  }
  return (
    <>
      <p className={styles['order']}>{t('incidents.timeline.order')}</p>
      {hasMore && (
        <Button kind="ghost" isBusy={before.isFetching} onClick={showMore}>
          {t('incidents.timeline.earlier')}
        </Button>
      )}
      {before.isError && <ErrorMessage error={before.error} onRetry={() => void before.refetch()} />}
      <ol className={styles['entries']}>
        {[...earlier, ...latest].map(({ number, at, actor, action, detail }) => (
          <li key={number} className={styles['entry']}>
            <span className={styles['head']}>
              {actor === groupingActor ? t('incidents.timeline.grouping') : toVisibleText(actor)} ·{' '}
              <time dateTime={at}>{printTime(at)}</time>
            </span>
            <span className={styles['action']}>
              {t(`incidents.timeline.${action}`)} <span className={styles['fact']}>{toVisibleText(printDetail(detail))}</span>
              {typeof detail['first_event_at'] === 'string' && (
                <span className={styles['event']}>
                  {' · '}
                  {t('incidents.timeline.event', { time: printTime(detail['first_event_at']) })}
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}

function printDetail(detail: Entry['detail']): string {
  const { from, to } = detail
  if (from !== undefined || to !== undefined) return `${printFact(from)} → ${printFact(to)}`
  const name = toldFacts.find((fact) => detail[fact] !== undefined)
  return name === undefined ? '' : printFact(detail[name])
}

function printFact(fact: Entry['detail'][string] | undefined): string {
  if (fact === undefined || fact === null || fact === '') return '–'
  return Array.isArray(fact) ? fact.join(', ') : String(fact)
}
