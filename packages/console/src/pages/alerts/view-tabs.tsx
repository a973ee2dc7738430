import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { ViewBody } from '@tripline/contract/console/view'
import type { ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { printSearch } from '../../lib/url-state.ts'
import { lazyPart } from '../../ui/loading/lazy-part.tsx'
import { Tabs } from '../../ui/tabs.tsx'

// What saves and deletes views is no part of the first page.
const ViewActions = lazyPart(async () => (await import('./view-actions.tsx')).ViewActions)

/** Views that everybody has, as the query of their address. */
const ownViews = [
  { id: 'all', query: '' },
  { id: 'unassigned', query: 'severity=critical,high&status=open,investigating&assignee=none' },
  { id: 'overdue', query: 'status=open,investigating&due=overdue' },
  { id: 'mine', query: 'status=open,investigating&assignee=me' },
  { id: 'closed', query: 'status=resolved,false_positive' },
] as const

/** What does not make a page another view of the list. */
const besideView = new Set(['alert', 'sort', 'from', 'to', 'tz'])

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
  const now = normalize(search)
  const current = views.find(({ query }) => normalize(query) === now)?.id
  const own = saved.find(({ id, is_own: isOwn }) => id === current && isOwn)
  const choose = (id: string): void => {
    const view = views.find((one) => one.id === id)
    const kept = new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => ['from', 'to', 'tz'].includes(name)))
    for (const [name, value] of new URLSearchParams(view?.query)) kept.set(name, value)
    const text = printSearch(kept)
    router.history.push(text === '' ? '/alerts' : `/alerts?${text}`)
  }
  return (
    <Tabs
      label={t('alerts.views')}
      current={current}
      onChoose={choose}
      tabs={views.map(({ id, label }) => ({ id, label, ...(id === current && total !== undefined && { count: printNumber(total) }) }))}
      end={
        (own !== undefined || current === undefined) && <ViewActions own={own} query={now} />
      }
    />
  )
}

/** The filters of an address in one order, without what is not part of a view. */
function normalize(search: string): string {
  const filters = [...new URLSearchParams(search)]
    .filter(([name]) => !besideView.has(name))
    .sort(([one], [other]) => one.localeCompare(other))
  return printSearch(new URLSearchParams(filters))
}
