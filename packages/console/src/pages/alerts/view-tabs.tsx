import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { ViewBody } from '@tripline/contract/console/view'
import type { ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { toViewAddress, toViewQuery } from '../../frame/views/view-query.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { lazyPart } from '../../ui/loading/lazy-part.tsx'
import { Tabs } from '../../ui/tabs.tsx'

// What saves and deletes views is no part of the first page.
const ViewActions = lazyPart(async () => (await import('../../frame/views/view-actions.tsx')).ViewActions)

/** Views that everybody has, as the query of their address. */
const ownViews = [
  { id: 'all', query: '' },
  { id: 'unassigned', query: 'severity=critical,high&status=open,investigating&assignee=none' },
  { id: 'overdue', query: 'status=open,investigating&due=overdue' },
  { id: 'mine', query: 'status=open,investigating&assignee=me' },
  { id: 'closed', query: 'status=resolved,false_positive' },
] as const

/** What does not make a page another view of the list. */
const beside = ['alert', 'tab']

/** The views of the list: those that everybody has, and those that were saved. */
export function ViewTabs({ search, total }: { readonly search: string; readonly total: number | undefined }): ReactNode {
  const router = useRouter()
  const { data: saved = [] } = useQuery({
    queryKey: ['views', 'alerts'],
    queryFn: async ({ signal }) =>
      (await callApi<{ readonly views: readonly ViewBody[] }>('/v1/views', { query: { page: 'alerts' }, signal })).views,
  })
  const views = [
    ...ownViews.map(({ id, query }) => ({ id: id as string, query, label: t(`alerts.view.${id}`) })),
    ...saved.map(({ id, query, name }) => ({ id, query, label: name })),
  ]
  const now = toViewQuery(search, beside)
  const current = views.find(({ query }) => toViewQuery(query, beside) === now)?.id
  const own = saved.find(({ id, is_own: isOwn }) => id === current && isOwn)
  const choose = (id: string): void => {
    const view = views.find((one) => one.id === id)
    router.history.push(toViewAddress('/alerts', view?.query ?? '', search))
  }
  return (
    <Tabs
      label={t('alerts.views')}
      current={current}
      onChoose={choose}
      tabs={views.map(({ id, label }) => ({ id, label, ...(id === current && total !== undefined && { count: printNumber(total) }) }))}
      end={
        (own !== undefined || current === undefined) && <ViewActions page="alerts" own={own} query={now} />
      }
    />
  )
}
