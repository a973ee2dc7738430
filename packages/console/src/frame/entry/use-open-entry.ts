import { useParams, useRouter } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'
import { printSearch } from '../../lib/url-state.ts'

/** Which entry of a list is open, and how. */
type OpenEntry = {
  readonly openId: string | undefined
  /** Whether it is a page of its own in place of the list; else a panel stands beside the list. */
  readonly isPage: boolean
  /** Opens an entry the way that one is open, or in a panel. */
  readonly open: (id: string, isReplacing: boolean) => void
  readonly openPage: (id: string) => void
  /** Closes the panel, or leads from the page back to the list: with its panel, if that was open. */
  readonly close: () => void
}

/**
 * The open entry of a list: `/alerts?alert={id}` is its panel, `/alerts/{id}` its page. The list stays mounted behind the page, and
 * its parameters stay in the address, so that one comes back to the same rows, place and selection.
 */
export function useOpenEntry(parameter: string, inPanel: string | undefined): OpenEntry {
  const router = useRouter()
  const { id } = useParams({ strict: false }) as { readonly id?: string }
  const isPage = id !== undefined
  const hadPanel = useRef(false)
  const go = useCallback(
    (target: { readonly page?: string; readonly panel?: string | undefined }, isReplacing = false) => {
      const { history } = router
      const { pathname, search: before } = history.location
      const list = isPage ? pathname.slice(0, pathname.lastIndexOf('/')) : pathname
      const parameters = new URLSearchParams(before)
      if (target.panel === undefined) parameters.delete(parameter)
      else parameters.set(parameter, target.panel)
      const search = printSearch(parameters)
      const path = target.page === undefined ? list : `${list}/${encodeURIComponent(target.page)}`
      const href = search === '' ? path : `${path}?${search}`
      if (isReplacing) history.replace(href)
      else history.push(href)
    },
    [router, isPage, parameter],
  )
  return {
    openId: id ?? inPanel,
    isPage,
    open: useCallback((entry, isReplacing) => go(isPage ? { page: entry } : { panel: entry }, isReplacing), [go, isPage]),
    openPage: useCallback(
      (entry) => {
        hadPanel.current = inPanel !== undefined
        go({ page: entry })
      },
      [go, inPanel],
    ),
    close: () => {
      if (isPage) go({ panel: hadPanel.current ? id : undefined })
      else if (inPanel !== undefined) go({})
    },
  }
}
