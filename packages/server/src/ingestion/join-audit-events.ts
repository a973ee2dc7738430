import { parseJson } from '@tripline/common/parse-json'
import type { RawEvent } from '@tripline/detection/stages/event-message'
import type { EventObject } from '@tripline/engine'
import { AuditJoiner } from '@tripline/formats/audit/audit-joiner'
import type { AuditRecordHead, JoinedEntry } from '@tripline/formats/audit/audit-joiner'
import { extractTimeAndSeverity } from '@tripline/formats/event/extract-time-and-severity'
import { createHash } from 'node:crypto'

/** Joins the records of audit events among the events of a request; `heads` has those that are records. */
export function joinAuditEvents(events: readonly RawEvent[], heads: ReadonlyMap<RawEvent, AuditRecordHead>): readonly RawEvent[] {
  const joiner = openEventJoiner(events.length)
  for (const event of events) joiner.add(event, heads.get(event))
  return toRawEvents(joiner.take(() => true))
}

/** Opens a joiner of accepted events; refused ones are undefined, so that places are counted. */
export function openEventJoiner(heldMax: number): AuditJoiner<RawEvent | undefined> {
  return new AuditJoiner({ heldMax, read: (event) => (event === undefined ? {} : parseEventBytes(event)) })
}

/** The events that a joiner gave. */
export function toRawEvents(taken: readonly JoinedEntry<RawEvent | undefined>[]): readonly RawEvent[] {
  return taken.flatMap(({ entry, joined }) => {
    if (entry === undefined || joined === 'before') return []
    if (joined === 'none') return [entry]
    const { event, bytes, entries } = joined
    const { id: _first, ...origin } = entry
    const id = nameJoined(entries)
    return [{ ...origin, bytes, reading: extractTimeAndSeverity(event), ...(id !== undefined && { id }) }]
  })
}

/**
 * The id of a joined event is made of all its records': one that comes again with fewer or more records is another event, so that no
 * record is taken for repeated that is not.
 */
function nameJoined(parts: readonly (RawEvent | undefined)[]): string | undefined {
  const ids = parts.flatMap((part) => part?.id ?? [])
  return ids.length === parts.length ? createHash('sha256').update(ids.join('\n')).digest('base64url') : undefined
}

function parseEventBytes({ bytes }: RawEvent): EventObject {
  return parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')) as EventObject
}
