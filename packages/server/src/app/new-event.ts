import { parseEvent } from '@tripline/engine'
import { normalizeEvent, findEventTime } from '@tripline/engine/evaluate'
import { decodeUtf8 } from '../domain/decode-utf8.ts'
import { getEventSeverity } from '../domain/event-severity.ts'
import type { NewEvent } from '../events/event-store.ts'

/** An event for the store, or why the text is none. */
export type ParsedNewEvent = { readonly event: NewEvent } | { readonly reason: string }

/** Reads the text of an event as it is to be stored; one that states no credible time happened when it arrived. */
export function parseNewEvent(bytes: Uint8Array, receivedAt: number): ParsedNewEvent {
  const parsed = parseEvent(decodeUtf8(bytes).trim())
  if ('reason' in parsed) return { reason: parsed.reason }
  const occurredAt = findEventTime(normalizeEvent(parsed.event, 'auto')) ?? receivedAt
  return { event: { occurredAt, severity: getEventSeverity(parsed.event), bytes } }
}
