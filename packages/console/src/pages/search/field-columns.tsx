import type { SearchEventBody } from '@tripline/contract/console/search'
import { TextCell } from '../../ui/entries/cell.tsx'
import { printValue } from '../../lib/visible-text.ts'
import type { Column } from '../../ui/table.tsx'
import { readField } from './event-fields.ts'

/** Characters of a value in a row: a value may have 64 KiB. */
const valueShownMax = 400

type EventColumn = Column<SearchEventBody, 'timestamp'>

/** The columns with one for each of the fields, before the line about the whole event. */
export function addFieldColumns(columns: readonly EventColumn[], fields: readonly string[]): readonly EventColumn[] {
  const added = fields.map((field): EventColumn => ({
    id: `field:${field}`, title: field, width: 'minmax(0, 0.6fr)',
    render: (event) => <TextCell text={printValue(readField(event.fields, field)).slice(0, valueShownMax)} isMono />,
  }))
  return [...columns.slice(0, -1), ...added, ...columns.slice(-1)]
}
