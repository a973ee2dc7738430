import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { PageHead } from '../../frame/page-head.tsx'
import { useUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { useEventsAround } from './search-queries.ts'
import { searchParameters } from './search-url.ts'

/** Leads from the address of an event's surroundings to the search that finds them. */
export function AroundEvent({ id }: { readonly id: string }): ReactNode {
  const [, setUrl] = useUrlState(searchParameters)
  const { data, error, isError, refetch } = useEventsAround(id, { same: 'place', minutes: '15' })
  useEffect(() => {
    if (data === undefined) return
    const { query, from, to } = data
    const found = { q: query === '' ? undefined : query, from, to, sort: { field: 'timestamp', direction: 'asc' }, event: id } as const
    setUrl({ around: undefined, ...found }, { isReplacing: true })
  }, [data, id, setUrl])
  return (
    <>
      <PageHead title={t('search.title')} />
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
    </>
  )
}
