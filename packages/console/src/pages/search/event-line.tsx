import type { SearchEventBody } from '@tripline/contract/console/search'
import type { ReactNode } from 'react'
import { printEventLine } from '../../lib/event-line.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Marked } from '../../ui/long-value.tsx'
import { findQueryTexts } from './query/query-texts.ts'
import type { QueryText } from './query/query-texts.ts'

type EventLineProps = {
  readonly event: SearchEventBody
  readonly sought: readonly QueryText[]
  /** Characters: an event may have 64 KiB. */
  readonly lengthMax: number
  readonly valueLengthMax?: number
}

/** What an event says in one line, with what a query looks for marked. */
export function EventLine({ event, sought, lengthMax, valueLengthMax }: EventLineProps): ReactNode {
  const found = findQueryTexts(event.fields, sought)
  const [part] = found.values()
  return <Marked text={toVisibleText(printEventLine(event, found, valueLengthMax).slice(0, lengthMax))} part={part} />
}
