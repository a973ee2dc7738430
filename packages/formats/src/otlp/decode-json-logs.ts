import { isJsonObject, skipBlanks, tryParseJson } from '@tripline/common/json'
import { AppError } from '@tripline/contract/app-error'
import type { EventObject } from '@tripline/engine'
import type { BodyFormat } from '../body-format.ts'
import { encodeEvent, refuse } from '../json/decode-event.ts'
import type { DecodedEvent } from '../json/decode-event.ts'
import { findJsonElements } from '../json/json-elements.ts'
import { scanMembers } from '../json/scan-members.ts'
import type { JsonMember } from '../json/scan-members.ts'
import { limits } from '../limits.ts'
import { createPartCounter, toExactInteger, toLogEvent } from './log-event.ts'
import type { LogScope } from './log-event.ts'

/** The place of a record, with what it shares with others. */
type JsonRecord = Pick<JsonMember, 'start' | 'end' | 'extent'> & { readonly shared: LogScope }

/** Levels of JSON for one level of a value: an object, its list, the element, and the value in it. */
const nestingMax = 4

/** Bodies of OTLP/HTTP in JSON: an `ExportLogsServiceRequest`. */
export const otlpJsonFormat: BodyFormat<JsonRecord> = { scanBody: scanRecords, decodeEvent: decodeRecord, isRetriedWhole: true }

/** @throws AppError INVALID_BODY for anything but such a request, PAYLOAD_TOO_LARGE for too many records. */
function* scanRecords(bytes: Buffer): Generator<JsonRecord | undefined> {
  const count = createPartCounter()
  const start = skipBlanks(bytes, 0, bytes.length)
  const whole = { start, end: bytes.length }
  for (const ofResource of scanList(bytes, whole, 'resourceLogs')) {
    count()
    yield undefined
    const resource = convertAttributes(readObject(bytes, ofResource, 'resource')['attributes'])
    for (const ofScope of scanList(bytes, ofResource, 'scopeLogs')) {
      count()
      yield undefined
      const { name, version, attributes } = readObject(bytes, ofScope, 'scope')
      const scope = { name: toText(name), version: toText(version), attributes: convertAttributes(attributes) }
      for (const element of scanList(bytes, ofScope, 'logRecords')) {
        count()
        yield { ...element, shared: { resource, scope } }
      }
    }
  }
}

type Span = Pick<JsonMember, 'start' | 'end'>

/** The elements of a list that an object has; none where it has no such member. @throws AppError INVALID_BODY for another value. */
function* scanList(bytes: Buffer, object: Span, name: string): Generator<Pick<JsonMember, 'start' | 'end' | 'extent'>> {
  const member = findMember(bytes, object, name)
  if (member === undefined || bytes.toString('latin1', member.start, member.end) === 'null') return
  if (bytes[member.start] !== 0x5b) throw invalidBody(`'${name}' is not an array`)
  yield* findJsonElements(bytes.subarray(0, member.end), member.start)
}

/** An object that another one has, parsed. */
function readObject(bytes: Buffer, object: Span, name: string): EventObject {
  const member = findMember(bytes, object, name)
  if (member === undefined) return {}
  const { eventDepthMax, eventBytesMax } = limits.ingest
  if (member.extent.depth > nestingMax * eventDepthMax || member.end - member.start > eventBytesMax) {
    throw invalidBody(`'${name}' is longer than ${eventBytesMax} bytes or too deep`)
  }
  const parsed = tryParseJson(bytes.toString('utf8', member.start, member.end))
  return 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : {}
}

function findMember(bytes: Buffer, { start, end }: Span, name: string): JsonMember | undefined {
  const members = scanMembers(bytes, start, end)
  if (members === undefined) throw invalidBody("the body is not an object with 'resourceLogs'")
  return members.findLast((member) => member.name === name)
}

function decodeRecord(bytes: Buffer, { start, end, extent, shared }: JsonRecord): DecodedEvent {
  const { eventBytesMax, eventDepthMax } = limits.ingest
  if (end - start > eventBytesMax) return refuse('TOO_LONG', `the log record has more than ${eventBytesMax} bytes`)
  const depthMax = nestingMax * eventDepthMax
  if (extent.depth > depthMax) return refuse('TOO_DEEP', `the log record nests deeper than ${depthMax} levels`)
  const parsed = tryParseJson(bytes.toString('utf8', start, end))
  if ('problem' in parsed) return refuse('INVALID_JSON', `the log record is not valid JSON: ${parsed.problem}`)
  if (!isJsonObject(parsed.value)) return refuse('NOT_AN_OBJECT', 'the log record is not a JSON object')
  const { timeUnixNano, observedTimeUnixNano, severityNumber, severityText, eventName, body, attributes, traceId, spanId } = parsed.value
  return encodeEvent(toLogEvent({
    timeUnixNano: toDigits(timeUnixNano), observedTimeUnixNano: toDigits(observedTimeUnixNano),
    severityNumber: typeof severityNumber === 'number' ? severityNumber : undefined,
    severityText: toText(severityText), eventName: toText(eventName), body: convertValue(body), attributes: convertAttributes(attributes),
    traceId: toText(traceId), spanId: toText(spanId),
  }, shared))
}

/** Nanoseconds since 1970: a text, or a number of senders that do not know that JSON rounds it. */
function toDigits(value: unknown): string | undefined {
  if (typeof value === 'number' && value > 0) return BigInt(Math.trunc(value)).toString()
  return typeof value === 'string' && /^\d{1,20}$/.test(value) ? value : undefined
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function convertAttributes(list: unknown): EventObject {
  if (!Array.isArray(list)) return {}
  return Object.fromEntries(list.flatMap((pair: unknown) =>
    isJsonObject(pair) && typeof pair['key'] === 'string' ? [[pair['key'], convertValue(pair['value']) ?? null] as const] : []))
}

/** A plain value of an `AnyValue`; its depth was measured. */
function convertValue(value: unknown): unknown {
  if (!isJsonObject(value)) return undefined
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = value
  if (typeof stringValue === 'string') return stringValue
  if (typeof boolValue === 'boolean') return boolValue
  if (intValue !== undefined) return toExactInteger(intValue)
  if (typeof doubleValue === 'number' || typeof doubleValue === 'string') return doubleValue
  if (typeof bytesValue === 'string') return bytesValue
  if (isJsonObject(kvlistValue)) return convertAttributes(kvlistValue['values'])
  if (!isJsonObject(arrayValue)) return undefined
  const { values } = arrayValue
  return Array.isArray(values) ? values.map((element) => convertValue(element) ?? null) : []
}

function invalidBody(message: string): AppError {
  return new AppError('INVALID_BODY', message)
}
