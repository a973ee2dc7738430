import { isJsonObject, measureJson, tryParseJson } from '@tripline/common/json'
import { findEventExcess, limits as engineLimits } from '@tripline/engine'
import type { EventExcess, EventObject } from '@tripline/engine'
import { limits } from '../limits.ts'
import type { EventSpan } from './split-body.ts'

/** Why an event was rejected: a stable code and a message. */
type Refusal = { readonly code: RefusalCode; readonly reason: string }

export type RefusalCode =
  | EventExcess['code']
  | 'INVALID_JSON'
  | 'INVALID_PROTOBUF'
  | 'NOT_AN_OBJECT'
  | 'TOO_DEEP'
  | 'TOO_LONG'
  | 'TOO_MANY_FIELDS'
  | 'NO_EVENT'
  | 'UNSUPPORTED_ACTION'
  | 'UNSUPPORTED_FORMAT'

/** An event, or why it was rejected. */
export type DecodedEvent = DecodedObject | { readonly refusal: Refusal }

type DecodedObject = {
  readonly event: EventObject
  /** The event as one line of JSON, where the format is another. */
  readonly bytes?: Uint8Array
  /** The id that the sender gave it. */
  readonly id?: string
}

/** Parses one event after checking its limits. Invalid UTF-8 becomes U+FFFD. */
export function decodeEvent(bytes: Buffer, { start, end, extent }: EventSpan): DecodedEvent {
  const { eventBytesMax, eventDepthMax, eventFieldsMax } = limits.ingest
  if (end - start > eventBytesMax) return refuse('TOO_LONG', `the event has more than ${eventBytesMax} bytes`)
  if (extent === undefined) return refuse('INVALID_JSON', 'the event is incomplete JSON')
  if (extent.depth > eventDepthMax) return refuse('TOO_DEEP', `the event nests deeper than ${eventDepthMax} levels`)
  if (extent.fieldCount > eventFieldsMax) {
    return refuse('TOO_MANY_FIELDS', `the event has more than ${eventFieldsMax} fields`)
  }
  const parsed = tryParseJson(bytes.toString('utf8', start, end))
  if ('problem' in parsed) return refuse('INVALID_JSON', `the event is not valid JSON: ${parsed.problem}`)
  if (!isJsonObject(parsed.value)) return refuse('NOT_AN_OBJECT', 'the event is not a JSON object')
  // An element and its comma take two bytes: shorter events cannot exceed the limit.
  const excess = end - start > 2 * engineLimits.eventListElementsMax ? findEventExcess(parsed.value) : undefined
  return excess === undefined ? { event: parsed.value } : refuse(excess.code, excess.message)
}

/** Prints an event that was read from another format, after checking its limits. Its nesting was bounded by the format. */
export function encodeEvent(event: EventObject): DecodedEvent {
  const bytes = Buffer.from(JSON.stringify(event))
  const decoded = decodeEvent(bytes, { start: 0, end: bytes.length, extent: measureJson(bytes, 0, bytes.length) })
  return 'refusal' in decoded ? decoded : { event, bytes }
}

/** Rejects an event. */
export function refuse(code: RefusalCode, reason: string): { readonly refusal: Refusal } {
  return { refusal: { code, reason } }
}
