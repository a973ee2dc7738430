import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { parseEvent } from '@tripline/engine'
import { normalizeEvent, findEventTime } from '@tripline/engine/evaluate'
import { getEventSeverity } from '@tripline/formats/event/event-severity'
import type { NewEvent } from '@tripline/storage/events/event-store'

/** An event for the store, or why the text is not an event. */
export type ParsedNewEvent = { readonly event: NewEvent } | { readonly reason: string }

/** Parses the text of an event to store; without a credible time of its own it gets its arrival time. */
export function parseNewEvent(bytes: Uint8Array, receivedAt: number): ParsedNewEvent {
  const parsed = parseEvent(decodeUtf8(bytes).trim())
  if ('reason' in parsed) return { reason: parsed.reason }
  const occurredAt = findEventTime(normalizeEvent(parsed.event, 'auto')) ?? receivedAt
  return { event: { occurredAt, severity: getEventSeverity(parsed.event), bytes } }
}
