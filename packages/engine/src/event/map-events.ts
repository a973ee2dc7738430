import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { encodeUtf8 } from './encode-utf8.ts'
import type { EventObject } from './event.ts'
import { parseEvent } from './parse-event.ts'
import { splitLines } from './split-lines.ts'

/** Makes of an event what rules read, such as other names of fields; returns it as it is where nothing has to change. */
export type EventMapper = (event: EventObject) => EventObject

/** @throws TypeError where the mapper returns no event; rethrows its errors. */
export function mapEvent(event: EventObject, mapper: EventMapper | undefined): EventObject {
  if (mapper === undefined) return event
  const mapped: unknown = mapper(event)
  if (typeof mapped === 'object' && mapped !== null && !Array.isArray(mapped)) return mapped as EventObject
  throw new TypeError("the option 'mapping' returned no event for an event")
}

/** Maps the event of each line of NDJSON. Lines keep their numbers; those that hold no event stay as they are. */
export function mapEventLines(bytes: Uint8Array, mapper: EventMapper): Uint8Array {
  const lines = Array.from(splitLines(bytes), ({ start, end }) => {
    const text = decodeUtf8(bytes.subarray(start, end))
    const parsed = parseEvent(text.trim())
    return 'event' in parsed ? JSON.stringify(mapEvent(parsed.event, mapper)) : text
  })
  return encodeUtf8(lines.join('\n'))
}
