import type { UseQueryResult } from '@tanstack/react-query'
import type { Completion } from '@tripline/query'
import { useMemo, useState } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { showToast } from '../../ui/toast-store.ts'
import type { ValueOfEvent } from './narrow-buttons.tsx'
import { useFieldCatalog, useQueryLanguage } from './search-queries.ts'

type Language = typeof import('./query/query-language.ts')

/** What checks and completes a query while it is typed; undefined until it is loaded. */
type QueryTools = {
  readonly language: UseQueryResult<Language>
  readonly check: Language['checkQuery'] | undefined
  readonly suggest: ((text: string, cursor: number) => Completion) | undefined
  /** The query narrowed to events with or without a value; says why where that cannot be. */
  readonly narrow: (query: string, value: ValueOfEvent, isExcluded: boolean) => string | undefined
  /** To be called when the person turns to the query. */
  readonly onFocus: () => void
}

/** Loads the search language, and the fields of the events once a query is typed. */
export function useQueryTools(): QueryTools {
  const language = useQueryLanguage()
  const [isTyping, setIsTyping] = useState(false)
  const { data: catalog } = useFieldCatalog(isTyping)
  const suggest = useMemo(() => {
    const complete = language.data?.suggest
    return complete === undefined || catalog === undefined ? undefined : (text: string, at: number) => complete(text, at, catalog)
  }, [language.data, catalog])
  const narrow = (query: string, value: ValueOfEvent, isExcluded: boolean): string | undefined => {
    try {
      return language.data?.addCondition(query, { ...value, isExcluded })
    } catch (error) {
      // The query of the address is not one, or the value is too long for a query.
      showToast({ kind: 'error', text: t('search.cannotNarrow', { problem: getErrorText(error) }) })
      return undefined
    }
  }
  return { narrow, language, check: language.data?.checkQuery, suggest, onFocus: () => setIsTyping(true) }
}
