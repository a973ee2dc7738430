import type { SearchEventBody } from '@tripline/contract/console/search'
import { useEffect, useRef, useState } from 'react'
import { followEvents } from '../../api/live.ts'
import { addMatches } from './add-matches.ts'
import type { MatchedRules } from './add-matches.ts'

/** Events that are kept, the newest: more cannot be read while more arrive. */
const keptMax = 1_000

type Tail = {
  /** Whether the server has begun to send. */
  readonly isFollowed: boolean
  /** The newest first. */
  readonly rows: readonly SearchEventBody[]
  /** The rules that matched them, as far as these were evaluated. */
  readonly matched: MatchedRules
  /** Events that arrived while the list was held. */
  readonly waitingCount: number
  /** Matching events that the server left out, because they were too many. */
  readonly droppedCount: number
  /** Why the server does not follow the query. */
  readonly problem: string | undefined
}

const nothing: Tail = { isFollowed: false, rows: [], matched: new Map(), waitingCount: 0, droppedCount: 0, problem: undefined }

/** Follows the new events that match a query; while it is held, the list stays as it is. */
export function useTail(query: string, isHeld: boolean): Tail {
  const [tail, setTail] = useState(nothing)
  const waiting = useRef<readonly SearchEventBody[]>([])
  const held = useRef(isHeld)
  useEffect(() => {
    held.current = isHeld
    if (isHeld || waiting.current.length === 0) return
    const arrived = waiting.current
    waiting.current = []
    setTail((before) => ({ ...before, rows: [...arrived, ...before.rows].slice(0, keptMax), waitingCount: 0 }))
  }, [isHeld])
  useEffect(() => {
    waiting.current = []
    setTail(nothing)
    return followEvents(query, (message) => {
      if (message.type === 'subscribed') {
        setTail((before) => ({ ...before, isFollowed: true }))
        return
      }
      if (message.type === 'error') {
        const { message: problem } = message.data
        setTail((before) => ({ ...before, problem }))
        return
      }
      const { events, event_ids: ids, sources, matches, dropped } = message.data
      const timestamp = new Date().toISOString()
      const arrived = events.map((fields, index) => {
        return toRow(fields, { id: ids[index] ?? '', source_type: sources[index] ?? '', timestamp })
      }).toReversed()
      if (held.current) waiting.current = [...arrived, ...waiting.current].slice(0, keptMax)
      const isShown = !held.current
      setTail(({ rows, matched, waitingCount, droppedCount }) => ({
        isFollowed: true,
        rows: isShown ? [...arrived, ...rows].slice(0, keptMax) : rows,
        // Those of events that wait are there when these are shown.
        matched: addMatches(matched, matches, 2 * keptMax),
        waitingCount: isShown ? 0 : waitingCount + arrived.length,
        droppedCount: droppedCount + dropped,
        problem: undefined,
      }))
    })
  }, [query])
  return tail
}

/** An event as lists show it, at the time of its arrival. */
function toRow(
  fields: SearchEventBody['fields'], known: Pick<SearchEventBody, 'id' | 'source_type' | 'timestamp'>,
): SearchEventBody {
  const { message } = fields
  return {
    ...known, fields, source_ip: '', event_id: null, severity: 'info',
    message: typeof message === 'string' ? message : '',
  }
}
