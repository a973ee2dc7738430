import { parseEvent } from '@tripline/engine'
import { normalizeEvent, findEventTime } from '@tripline/engine/evaluate'
import { decodeUtf8 } from '../domain/decode-utf8.ts'
import { getEventSeverity } from '../domain/event-severity.ts'
import type { NewEvent } from '../events/event-store.ts'

/** An event for the store, or why the text is not an event. */
export type ParsedNewEvent = { readonly event: NewEvent } | { readonly reason: string }

/** Parses the text of an event to store; without a credible time of its own it gets its arrival time. */
export function parseNewEvent(bytes: Uint8Array, receivedAt: number): ParsedNewEvent {
  const parsed = parseEvent(decodeUtf8(bytes).trim())
  if ('reason' in parsed) return { reason: parsed.reason }
  const occurredAt = findEventTime(normalizeEvent(parsed.event, 'auto')) ?? receivedAt
  return { event: { occurredAt, severity: getEventSeverity(parsed.event), bytes } }
}
