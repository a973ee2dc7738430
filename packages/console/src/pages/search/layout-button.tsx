import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import type { Layout } from '../../lib/lists/column-choices.ts'
import { IconButton } from '../../ui/button.tsx'
import { LogLinesIcon, Table2 } from '../../ui/icons.tsx'

/** Changes between a table of events and lines as of a log. */
export function LayoutButton({ layout, onChange }: { readonly layout: Layout; readonly onChange: () => void }): ReactNode {
  const next = layout === 'table' ? 'log' : 'table'
  return <IconButton icon={next === 'table' ? Table2 : LogLinesIcon} label={t(`search.layout.${next}`)} onClick={onChange} />
}
