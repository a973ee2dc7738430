import { useLocation, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo } from 'react'
import { t } from '../i18n/translate.ts'
import { showToast } from '../ui/toast-store.ts'
import { parseUrlState, printUrlState } from '../lib/url-state.ts'
import type { ParameterTable, UrlState } from '../lib/url-state.ts'

/** Changes of an address within this time make one entry of the history: typing and brushing. */
const stepMs = 1_000

let lastStep = { at: 0, name: '' }

/** Changes the parameters of the page; `isTyping` joins changes that follow each other in one step of the history. */
export type ChangeUrlState<Table extends ParameterTable> = (
  change: UrlState<Table>,
  options?: { readonly isTyping?: boolean; readonly isReplacing?: boolean },
) => void

/** The parameters of the page's address as validated values, and a function that changes some of them. */
export function useUrlState<Table extends ParameterTable>(table: Table): readonly [UrlState<Table>, ChangeUrlState<Table>] {
  const router = useRouter()
  const search = useLocation({ select: ({ searchStr }) => searchStr })
  const { state, dropped } = useMemo(() => parseUrlState(table, search), [table, search])
  const droppedNames = dropped.join(', ')
  useEffect(() => {
    if (droppedNames !== '') showToast({ kind: 'notice', text: t('url.dropped', { names: droppedNames }) })
  }, [droppedNames])
  const change: ChangeUrlState<Table> = useCallback(
    (changes, { isTyping = false, isReplacing = false } = {}) => {
      const { history } = router
      const { pathname, search: before } = history.location
      const next = printUrlState(table, { ...parseUrlState(table, before).state, ...changes }, before)
      const name = Object.keys(changes).join()
      const now = Date.now()
      const isSameStep = isTyping && lastStep.name === name && now - lastStep.at < stepMs
      lastStep = { at: now, name: isTyping ? name : '' }
      const href = next === '' ? pathname : `${pathname}?${next}`
      if (href === pathname + before) return
      if (isReplacing || isSameStep) history.replace(href)
      else history.push(href)
    },
    [router, table],
  )
  return [state, change]
}
