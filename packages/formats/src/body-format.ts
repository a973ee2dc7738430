import { decodeEvent } from './json/decode-event.ts'
import type { DecodedEvent } from './json/decode-event.ts'
import { scanBody } from './json/split-body.ts'
import type { EventSpan } from './json/split-body.ts'

/** How a body becomes events. */
export type BodyFormat = {
  /** Finds events without decoding them; undefined stands for a step that has not found one yet. */
  readonly scanBody: (bytes: Buffer) => Iterable<EventSpan | undefined>
  readonly decodeEvent: (bytes: Buffer, span: EventSpan) => DecodedEvent
}

const json: BodyFormat = { scanBody, decodeEvent }

/** The formats of bodies by content type. A format is a folder beside `json/` and a row here for each of its types. */
const bodyFormats: { readonly [contentType: string]: BodyFormat } = {
  'application/json': json,
  'application/x-ndjson': json,
}

/** The format for a content type, parameters such as `charset` aside: JSON for all types that no row names, as many senders state none. */
export function findBodyFormat(contentType = ''): BodyFormat {
  const [type = ''] = contentType.split(';', 1)
  const name = type.trim().toLowerCase()
  return Object.hasOwn(bodyFormats, name) ? bodyFormats[name] ?? json : json
}
