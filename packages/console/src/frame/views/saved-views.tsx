import { useQuery } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import type { ViewBody } from '@tripline/contract/console/view'
import type { ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { enTools } from '../../i18n/en/tools.ts'
import { addTexts, t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Bookmark } from '../../ui/icons.tsx'
import { Menu } from '../../ui/menu.tsx'
import { ViewActions } from './view-actions.tsx'
import { toViewAddress, toViewQuery } from './view-query.ts'

type SavedViewsProps = {
  readonly page: ViewBody['page']
  readonly path: string
  /** Parameters that are no part of a view, such as the entry that is open. */
  readonly beside: readonly string[]
}

addTexts(enTools)

/** The saved views of a page in a menu; filters that are none yet can be saved as one. */
export function SavedViews({ page, path, beside }: SavedViewsProps): ReactNode {
  const router = useRouter()
  const search = useLocation({ select: ({ searchStr }) => searchStr })
  const { data: saved = [] } = useQuery({
    queryKey: ['views', page],
    queryFn: async ({ signal }) => (await callApi<{ readonly views: readonly ViewBody[] }>('/v1/views', { query: { page }, signal })).views,
  })
  const query = toViewQuery(search, beside)
  const current = saved.find((view) => toViewQuery(view.query, beside) === query)
  const { basepath } = router
  return (
    <>
      {saved.length > 0 && (
        <Menu
          label={t('views')}
          align="end"
          button={(target) => (
            <Button kind="ghost" icon={Bookmark} {...target}>
              {current?.name ?? t('views')}
            </Button>
          )}
          items={saved.map(({ id, name, query: wanted }) => ({
            label: name, isChecked: id === current?.id,
            run: () => router.history.push(toViewAddress(basepath === '/' ? path : basepath + path, wanted, search)),
          }))}
        />
      )}
      {(current?.is_own === true || (current === undefined && query !== '')) && (
        <ViewActions page={page} own={current?.is_own === true ? current : undefined} query={query} />
      )}
    </>
  )
}
