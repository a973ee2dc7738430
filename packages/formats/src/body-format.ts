import { decodeEvent } from './json/decode-event.ts'
import type { DecodedEvent } from './json/decode-event.ts'
import { scanBody } from './json/split-body.ts'
import type { EventSpan } from './json/split-body.ts'

/** How a body becomes events, in two steps, so that the caller may do other work between any two of them. */
export type BodyFormat<Part> = {
  /** Finds the parts of a body that are one event each; undefined stands for a step that has not found one yet. */
  readonly scanBody: (bytes: Buffer) => Iterable<Part | undefined>
  /** Decodes one part. Without `bytes` in the result, the event is stored as the bytes of its part. */
  readonly decodeEvent: (bytes: Buffer, part: Part) => DecodedEvent
  /** What to answer when no part of the body could be read; undefined if each event is answered on its own. */
  readonly unreadable?: string
  /**
   * Whether a body that comes again byte for byte is a retry of its sender: its events get ids made of the body, unless they
   * have ids or may well occur twice as they are.
   */
  readonly isRetriedWhole?: true
}

const json: BodyFormat<EventSpan> = { scanBody, decodeEvent, unreadable: 'the body is not NDJSON, a JSON array or a JSON object' }

/** The formats of bodies by content type. A format is a folder beside `json/` and a row here for each of its types. */
const bodyFormats: { readonly [contentType: string]: BodyFormat<EventSpan> } = {
  'application/json': json,
  'application/x-ndjson': json,
}

/** The format for a content type, parameters such as `charset` aside: JSON for all types that no row names, as many senders state none. */
export function findBodyFormat(contentType = ''): BodyFormat<EventSpan> {
  const [type = ''] = contentType.split(';', 1)
  const name = type.trim().toLowerCase()
  return Object.hasOwn(bodyFormats, name) ? bodyFormats[name] ?? json : json
}
