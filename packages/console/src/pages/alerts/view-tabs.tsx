import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { ViewBody } from '@tripline/contract/console/view'
import type { FormEvent, ReactNode } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { printSearch } from '../../lib/url-state.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Bookmark, Trash2 } from '../../ui/icons.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { showToast } from '../../ui/toast-store.ts'
import styles from './view-tabs.module.css'

/** Views that everybody has, as the query of their address. */
const ownViews = [
  { id: 'all', query: '' },
  { id: 'unassigned', query: 'severity=critical,high&status=open,investigating&assignee=none' },
  { id: 'mine', query: 'status=open,investigating&assignee=me' },
  { id: 'closed', query: 'status=resolved,false_positive' },
] as const

/** What does not make a page another view of the list. */
const besideView = new Set(['alert', 'sort', 'from', 'to', 'tz'])

/** The views of the list: those that everybody has, and those that were saved. */
export function ViewTabs({ search, total }: { readonly search: string; readonly total: number }): ReactNode {
  const router = useRouter()
  const cache = useQueryClient()
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
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
      await cache.invalidateQueries({ queryKey: ['views', 'alerts'] })
    } catch (error) {
      showToast({ kind: 'error', text: getErrorText(error) })
    }
  }
  return (
    <Tabs
      label={t('alerts.views')}
      current={current}
      onChoose={choose}
      tabs={views.map(({ id, label }) => ({ id, label, ...(id === current && { count: printNumber(total) }) }))}
      end={
        own === undefined ? (
          current === undefined && (
            <Popover
              label={t('alerts.view.save')}
              align="end"
              button={(target) => (
                <Button kind="ghost" icon={Bookmark} {...target}>
                  {t('alerts.view.save')}
                </Button>
              )}
            >
              {(close) => (
                <form
                  className={styles['form']}
                  onSubmit={(event: FormEvent<HTMLFormElement>) => {
                    event.preventDefault()
                    const body = { page: 'alerts', name: readForm(event.currentTarget)('name').trim(), query: now }
                    close()
                    void change(() => callApi('/v1/views', { method: 'POST', body }))
                  }}
                >
                  <Field label={t('alerts.view.name')} name="name" required maxLength={80} autoFocus autoComplete="off" />
                  <Button kind="primary" type="submit">
                    {t('save')}
                  </Button>
                </form>
              )}
            </Popover>
          )
        ) : (
          <IconButton
            icon={Trash2}
            label={t('alerts.view.delete', { name: own.name })}
            onClick={() => void change(() => callApi(`/v1/views/${own.id}`, { method: 'DELETE' }))}
          />
        )
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
