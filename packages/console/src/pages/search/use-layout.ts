import type { ChangeUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { chooseColumns } from '../../lib/lists/choose-columns.ts'
import { columnChoices } from '../../lib/lists/column-choices.ts'
import type { Layout } from '../../lib/lists/column-choices.ts'
import { useKeys } from '../../lib/keys.ts'
import { useStore } from '../../lib/use-store.ts'
import type { searchParameters } from './search-url.ts'

/** By which the columns and the layout of events are kept. */
export const eventTable = 'search'

/** How events are shown, by the address or else as the person chose last, and what changes it, which has a key. */
export function useLayout(
  stated: Layout | undefined, setUrl: ChangeUrlState<typeof searchParameters>,
): { readonly layout: Layout; readonly change: () => void } {
  const chosen = useStore(columnChoices, ({ [eventTable]: choice }) => choice?.layout)
  const layout = stated ?? chosen ?? 'table'
  const change = (): void => {
    const next = layout === 'table' ? 'log' : 'table'
    chooseColumns(eventTable, { layout: next })
    setUrl({ layout: next })
  }
  useKeys([{ keys: 'v', label: t('search.keys.layout'), run: change }])
  return { layout, change }
}
