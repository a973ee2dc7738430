import { parseEvent } from '@tripline/engine'
import { normalizeEvent, occurredAtOf } from '@tripline/engine/evaluate'
import { textOf } from '../domain/decode-utf8.ts'
import { eventSeverityOf } from '../domain/event-severity.ts'
import type { NewEvent } from '../events/event-store.ts'

/** An event for the store, or why the text is none. */
export type ReadNewEvent = { readonly event: NewEvent } | { readonly reason: string }

/** Reads the text of an event as it is to be stored; one that states no credible time happened when it arrived. */
export function newEventOf(bytes: Uint8Array, receivedAt: number): ReadNewEvent {
  const parsed = parseEvent(textOf(bytes).trim())
  if ('reason' in parsed) return { reason: parsed.reason }
  const occurredAt = occurredAtOf(normalizeEvent(parsed.event, 'auto')) ?? receivedAt
  return { event: { occurredAt, severity: eventSeverityOf(parsed.event), bytes } }
}
