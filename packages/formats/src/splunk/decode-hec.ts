import { isJsonObject, measureJson, skipBlanks, tryParseJson } from '@tripline/common/json'
import { AppError } from '@tripline/contract/app-error'
import type { EventObject } from '@tripline/engine'
import type { BodyFormat } from '../body-format.ts'
import { decodeEvent, encodeEvent, refuse } from '../json/decode-event.ts'
import type { DecodedEvent } from '../json/decode-event.ts'
import { appendFields, scanMembers } from '../json/scan-members.ts'
import type { JsonMember } from '../json/scan-members.ts'
import type { EventSpan } from '../json/split-body.ts'
import { limits } from '../limits.ts'

/** What the URL of a request tells of all of its events. */
type HecDefaults = { readonly [name in 'host' | 'index' | 'source' | 'sourcetype']?: string | undefined }

const metadataNames = ['host', 'index', 'source', 'sourcetype'] as const

/**
 * Bodies of the HTTP Event Collector of Splunk: envelopes one behind the other, with or without blanks between them. An object in
 * `event` is the event, byte for byte, anything else its `message`. The envelope is added: `time` as `@timestamp`, `host`, and the
 * rest as `splunk`.
 */
export const hecFormat: BodyFormat<EventSpan> = { scanBody: scanEnvelopes, decodeEvent: decodeEnvelope, isRetriedWhole: true }

/** Bodies of the raw endpoint: each line is an event. */
export function hecRawFormat(defaults: HecDefaults): BodyFormat<EventSpan> {
  return { scanBody: scanTextLines, decodeEvent: (bytes, { start, end }) => decodeRawLine(bytes.subarray(start, end), defaults) }
}

/** @throws AppError INVALID_BODY for bytes that are no envelope, PAYLOAD_TOO_LARGE for too many of them. */
function* scanEnvelopes(bytes: Buffer): Generator<EventSpan> {
  let count = 0
  for (let start = skipBlanks(bytes, 0, bytes.length); start < bytes.length; ) {
    const extent = measureJson(bytes, start, bytes.length)
    checkCount(++count)
    // Where an envelope does not end, none behind it can be found.
    if (extent === undefined) return yield { start, end: bytes.length, extent }
    yield { start, end: extent.end, extent }
    start = skipBlanks(bytes, extent.end, bytes.length)
  }
}

function* scanTextLines(bytes: Buffer): Generator<EventSpan> {
  let count = 0
  for (let start = 0; start < bytes.length; ) {
    const newlineAt = bytes.indexOf(0x0a, start)
    const end = newlineAt === -1 ? bytes.length : newlineAt
    const contentStart = skipBlanks(bytes, start, end)
    if (contentStart < end) {
      checkCount(++count)
      yield { start: contentStart, end, extent: undefined }
    }
    start = end + 1
  }
}

function checkCount(count: number): void {
  const { requestEventsMax: limit } = limits.ingest
  if (count <= limit) return
  throw new AppError('PAYLOAD_TOO_LARGE', `the body contains more than ${limit} events; split it`, { limit_events: limit })
}

function decodeEnvelope(bytes: Buffer, span: EventSpan): DecodedEvent {
  const { eventBytesMax, eventDepthMax } = limits.ingest
  if (span.end - span.start > eventBytesMax) return refuse('TOO_LONG', `the event has more than ${eventBytesMax} bytes`)
  if ((span.extent?.depth ?? 0) > eventDepthMax) return refuse('TOO_DEEP', `the event nests deeper than ${eventDepthMax} levels`)
  const members = span.extent === undefined ? undefined : scanMembers(bytes, span.start, span.end)
  if (members === undefined) return refuse('INVALID_JSON', 'the event is not a JSON object')
  const event = members.findLast(({ name }) => name === 'event')
  if (event === undefined) return refuse('NO_EVENT', "the envelope has no 'event'")
  const rest = Object.fromEntries(members.filter(({ name }) => name !== 'event').map((member) => [member.name, parseMember(bytes, member)]))
  const object = findObject(bytes, event)
  if (object === undefined) {
    const message = parseMember(bytes, event)
    if (message === undefined || message === null || message === '') return refuse('NO_EVENT', "the 'event' of the envelope is empty")
    return encodeEvent({ message: typeof message === 'string' ? message : JSON.stringify(message), ...printEnvelope(rest, {}) })
  }
  const stated = decodeEvent(object, { start: 0, end: object.length, extent: measureJson(object, 0, object.length) })
  if ('refusal' in stated) return stated
  const whole = appendFields(object, { start: 0, end: object.length }, printEnvelope(rest, stated.event))
  const decoded = decodeEvent(whole, { start: 0, end: whole.length, extent: measureJson(whole, 0, whole.length) })
  return 'refusal' in decoded ? decoded : { ...decoded, bytes: whole }
}

/** The object that `event` is, or that it holds as text. */
function findObject(bytes: Buffer, { start, end }: JsonMember): Buffer | undefined {
  if (bytes[start] === 0x7b) return bytes.subarray(start, end)
  if (bytes[start] !== 0x22 || bytes[start + 1] !== 0x7b) return undefined
  const text = tryParseJson(bytes.toString('utf8', start, end))
  if (!('value' in text) || typeof text.value !== 'string') return undefined
  const inner = Buffer.from(text.value)
  const extent = measureJson(inner, 0, inner.length)
  return extent !== undefined && skipBlanks(inner, extent.end, inner.length) === inner.length ? inner.subarray(0, extent.end) : undefined
}

function parseMember(bytes: Buffer, { start, end }: JsonMember): unknown {
  const parsed = tryParseJson(bytes.toString('utf8', start, end))
  return 'value' in parsed ? parsed.value : undefined
}

/** What the envelope adds to an event that does not say it itself. */
function printEnvelope(envelope: EventObject, event: EventObject): EventObject {
  const { time, fields } = envelope
  const timestamp = parseEpochSeconds(time)
  const metadata = metadataNames.flatMap((name) => (typeof envelope[name] === 'string' ? [[name, envelope[name]] as const] : []))
  const splunk = { ...Object.fromEntries(metadata), ...(isJsonObject(fields) && { fields }) }
  const { host } = envelope
  return {
    ...(timestamp !== undefined && !Object.hasOwn(event, '@timestamp') && { '@timestamp': timestamp }),
    ...(typeof host === 'string' && !Object.hasOwn(event, 'host') && { host }),
    ...(Object.keys(splunk).length > 0 && { splunk }),
  }
}

/** Seconds since 1970 as a number or text, as clients send both; some send milliseconds. */
function parseEpochSeconds(time: unknown): string | undefined {
  if (typeof time !== 'number' && typeof time !== 'string') return undefined
  const number = Number(time)
  if (time === '' || !Number.isFinite(number)) return undefined
  const ms = Math.round(number >= 100_000_000_000 ? number : number * 1_000)
  const date = new Date(ms)
  return ms <= 0 || Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

function decodeRawLine(line: Buffer, defaults: HecDefaults): DecodedEvent {
  const { eventBytesMax } = limits.ingest
  if (line.length > eventBytesMax) return refuse('TOO_LONG', `the event has more than ${eventBytesMax} bytes`)
  return encodeEvent({ message: line.toString('utf8').trimEnd(), ...printEnvelope(defaults, {}) })
}
