import { measureJson, skipBlanks } from '@tripline/common/json'
import type { JsonExtent } from '@tripline/common/json'
import { AppError } from '@tripline/contract/app-error'
import { limits } from '../limits.ts'
import { findPage } from './find-page.ts'
import { findJsonElements, findBodyStart } from './json-elements.ts'

/** The position of one event in a body. */
export type EventSpan = {
  readonly start: number
  readonly end: number
  /** Its measured extent; undefined if it is incomplete. */
  readonly extent: JsonExtent | undefined
}

const openBracket = 0x5b
const newline = 0x0a

/**
 * Splits a body into events without parsing them. The first non-blank byte decides: `[` starts an array of events. A page of
 * events as some producers print it, such as `{"Records":[]}`, is its events. Otherwise there is one event per line, or, if the
 * first line is incomplete and the body splits into whole values, values over several lines (such as a pretty-printed object).
 *
 * @throws AppError INVALID_BODY for a body without events or a truncated array; PAYLOAD_TOO_LARGE for too many events.
 */
export function splitBody(bytes: Uint8Array): EventSpan[] {
  return [...scanBody(bytes)].filter((span) => span !== undefined)
}

/**
 * Splits a body as `splitBody` does, event by event, so that the caller may do other work in between. Undefined stands for a
 * step that has not found an event yet.
 *
 * @throws AppError as `splitBody`, perhaps after it found some events.
 */
export function* scanBody(body: Uint8Array): Generator<EventSpan | undefined> {
  const { requestEventsMax: limit } = limits.ingest
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const start = findBodyStart(bytes)
  const page = yield* findPage(bytes, start)
  let spans: Iterable<EventSpan>
  if (page !== undefined) spans = findJsonElements(bytes.subarray(0, page.end), page.start)
  else if (bytes[start] === openBracket) spans = findJsonElements(bytes, start)
  else {
    const [firstLine] = scanLines(bytes, start)
    const hasOpenLine = firstLine !== undefined && firstLine.extent === undefined
    spans = hasOpenLine && (yield* areWholeValues(bytes, start)) ? scanValues(bytes, start) : scanLines(bytes, start)
  }
  let count = 0
  for (const span of spans) {
    if (++count > limit) {
      throw new AppError('PAYLOAD_TOO_LARGE', `the body contains more than ${limit} events; split it`, { limit_events: limit })
    }
    yield span
  }
  if (count === 0) throw invalidBody('the body contains no events')
}

/** A line is one event: text after its first value belongs to it and is refused by the parser. */
function* scanLines(bytes: Uint8Array, bodyStart: number): Generator<EventSpan> {
  for (let start = bodyStart; start < bytes.length; ) {
    const newlineAt = bytes.indexOf(newline, start)
    const end = newlineAt === -1 ? bytes.length : newlineAt
    const contentStart = skipBlanks(bytes, start, end)
    if (contentStart < end) yield { start: contentStart, end, extent: measureJson(bytes, contentStart, end) }
    start = end + 1
  }
}

/** Finds consecutive values, up to one that is incomplete. */
function* scanValues(bytes: Uint8Array, bodyStart: number): Generator<EventSpan> {
  for (let start = bodyStart; start < bytes.length; ) {
    const extent = measureJson(bytes, start, bytes.length)
    const end = extent?.end ?? bytes.length
    yield { start, end, extent }
    start = skipBlanks(bytes, end, bytes.length)
  }
}

/** Whether all of a body splits into whole values, and not too many. */
function* areWholeValues(bytes: Uint8Array, bodyStart: number): Generator<undefined, boolean> {
  let count = 0
  for (const { extent } of scanValues(bytes, bodyStart)) {
    yield
    // More of them are refused, whatever follows.
    if (extent === undefined || ++count > limits.ingest.requestEventsMax) return extent !== undefined
  }
  return true
}

function invalidBody(message: string): AppError {
  return new AppError('INVALID_BODY', message)
}
