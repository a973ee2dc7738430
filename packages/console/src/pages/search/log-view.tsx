import type { SearchEventBody } from '@tripline/contract/console/search'
import { memo, useCallback, useMemo } from 'react'
import type { ReactNode, Ref } from 'react'
import { getZoneLabel, printInstant, printTime } from '../../lib/format-time.ts'
import { printValue, toVisibleText } from '../../lib/visible-text.ts'
import { LineWindow } from '../../ui/line-window.tsx'
import type { ListHandle } from '../../ui/list-window.tsx'
import type { MatchedRules } from './add-matches.ts'
import { findEntity, readField } from './event-fields.ts'
import { EventLine } from './event-line.tsx'
import styles from './log-view.module.css'
import type { QueryText } from './query/query-texts.ts'

type LogViewProps = {
  readonly label: string
  readonly rows: readonly SearchEventBody[]
  readonly total: number
  readonly current: string | undefined
  readonly onOpen: (row: SearchEventBody, index: number) => void
  readonly onShown?: (lastRow: number) => void
  /** Fields that stand before the text of each event. */
  readonly fields?: readonly string[]
  /** The rules that matched, of new events. */
  readonly matched?: MatchedRules
  /** What the query looks for, which is marked. */
  readonly sought?: readonly QueryText[]
  readonly ref?: Ref<ListHandle>
}

/** The height of a line that does not wrap, in pixels, as the style sheet has it. */
const lineHeight = 24
/** Characters of an event in its line, and of a field before it: an event may have 64 KiB. */
const textShownMax = 1_000
const valueShownMax = 120
const none: readonly string[] = []
const nothing: readonly QueryText[] = []

type LogLineProps = Pick<LogViewProps, 'onOpen'> & {
  readonly event: SearchEventBody
  readonly index: number
  readonly isCurrent: boolean
  readonly fields: readonly string[]
  readonly rules: string
  readonly sought: readonly QueryText[]
}

const LogLine = memo(function LineOfLog({ event, index, isCurrent, fields, rules, sought, onOpen }: LogLineProps): ReactNode {
  const { timestamp, source_type: source } = event
  const host = findEntity(event.fields, 'host') ?? event.source_ip
  return (
    <div className={styles['line']} role="row" aria-rowindex={index + 1} aria-selected={isCurrent} onClick={() => onOpen(event, index)}>
      <span role="gridcell" className={styles['time']}>
        {/* The line opens by a click anywhere; the button is what Tab reaches. */}
        <button type="button">
          <time dateTime={timestamp} title={printTime(timestamp)}>{printInstant(timestamp)}</time>
          <span className="hidden-visually"> {getZoneLabel(timestamp)}</span>
        </button>
      </span>
      <span role="gridcell" className={styles['source']} title={toVisibleText(source)}>{toVisibleText(source)}</span>
      <span role="gridcell" className={styles['text']}>
        {host !== '' && <span className={styles['field']}>{`${toVisibleText(host)} `}</span>}
        {rules !== '' && <span className={styles['rules']}>{toVisibleText(rules)}</span>}
        {fields.map((field) => (
          <span key={field} className={styles['field']}>
            {`${toVisibleText(field)}=${printValue(readField(event.fields, field)).slice(0, valueShownMax)} `}
          </span>
        ))}
        <EventLine event={event} sought={sought} lengthMax={textShownMax} valueLengthMax={textShownMax} />
      </span>
    </div>
  )
})

/** Events as lines of a log: time, source and text, which wraps; the keys and the panel are those of the table. */
export function LogView(
  { label, rows, total, current, onOpen, onShown, fields = none, matched, sought = nothing, ref }: LogViewProps,
): ReactNode {
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const renderLine = useCallback((index: number) => {
    const event = rows[index]
    if (event === undefined) return null
    return (
      <LogLine
        event={event}
        index={index}
        isCurrent={event.id === current}
        fields={fields}
        rules={matched?.get(event.id)?.join(', ') ?? ''}
        sought={sought}
        onOpen={onOpen}
      />
    )
  }, [rows, current, fields, matched, sought, onOpen])
  return (
    <div className={styles['log']} role="grid" aria-label={label} aria-rowcount={total}>
      <LineWindow ref={ref} ids={ids} lineHeight={lineHeight} renderLine={renderLine} {...(onShown && { onShown })} />
    </div>
  )
}
