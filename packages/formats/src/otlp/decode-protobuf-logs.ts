import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import { AppError } from '@tripline/contract/app-error'
import type { EventObject } from '@tripline/engine'
import type { BodyFormat } from '../body-format.ts'
import { encodeEvent, refuse } from '../json/decode-event.ts'
import type { DecodedEvent } from '../json/decode-event.ts'
import { limits } from '../limits.ts'
import { createPartCounter, toExactInteger, toLogEvent } from './log-event.ts'
import type { OtlpRecord, LogScope } from './log-event.ts'

/** The bytes of a record, with what it shares with others. */
type BinaryRecord = { readonly start: number; readonly end: number; readonly shared: LogScope }

/** Bodies of OTLP/HTTP in Protocol Buffers: an `ExportLogsServiceRequest` (opentelemetry-proto, `logs.proto`). */
export const otlpProtobufFormat: BodyFormat<BinaryRecord> = { scanBody: scanRecords, decodeEvent: decodeRecord, isRetriedWhole: true }

/** @throws AppError INVALID_BODY for anything but such a request, PAYLOAD_TOO_LARGE for too many records. */
function* scanRecords(bytes: Buffer): Generator<BinaryRecord | undefined> {
  const count = createPartCounter()
  try {
    for (const ofResource of scanMessages(bytes, 1)) {
      count()
      yield undefined
      const resource = readAttributes(findMessage(ofResource, 1), 1)
      for (const ofScope of scanMessages(ofResource, 2)) {
        count()
        yield undefined
        const scope = readScope(findMessage(ofScope, 1))
        for (const record of scanMessages(ofScope, 2)) {
          count()
          const start = record.byteOffset - bytes.byteOffset
          yield { start, end: start + record.length, shared: { resource, scope } }
        }
      }
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('INVALID_BODY', `the body is not an ExportLogsServiceRequest: ${printProblem(error)}`)
  }
}

function decodeRecord(bytes: Buffer, { start, end, shared }: BinaryRecord): DecodedEvent {
  const { eventBytesMax } = limits.ingest
  if (end - start > eventBytesMax) return refuse('TOO_LONG', `the log record has more than ${eventBytesMax} bytes`)
  try {
    return encodeEvent(toLogEvent(readRecord(bytes.subarray(start, end)), shared))
  } catch (error) {
    if (error instanceof ValueLimitError) return refuse(error.code, error.message)
    return refuse('INVALID_PROTOBUF', `the log record is not valid: ${printProblem(error)}`)
  }
}

/** A record with more values, or deeper ones, than an event may have. */
class ValueLimitError extends Error {
  readonly code: 'TOO_DEEP' | 'TOO_MANY_FIELDS'

  constructor(code: 'TOO_DEEP' | 'TOO_MANY_FIELDS', message: string) {
    super(message)
    this.code = code
  }
}

function readRecord(bytes: Uint8Array): OtlpRecord {
  const record: { -readonly [Name in keyof OtlpRecord]: OtlpRecord[Name] } = { attributes: {} }
  const attributes: (readonly [string, unknown])[] = []
  const budget = new ValueBudget()
  for (const { number, type, reader } of scanFields(bytes)) {
    if (number === 1 && type === WireType.Bit64) record.timeUnixNano = String(reader.fixed64())
    else if (number === 2 && type === WireType.Varint) record.severityNumber = reader.int32()
    else if (number === 3 && type === WireType.LengthDelimited) record.severityText = reader.string()
    else if (number === 5 && type === WireType.LengthDelimited) record.body = readValue(reader.bytes(), budget, 0)
    else if (number === 6 && type === WireType.LengthDelimited) attributes.push(readPair(reader.bytes(), budget, 0))
    else if (number === 9 && type === WireType.LengthDelimited) record.traceId = Buffer.from(reader.bytes()).toString('hex')
    else if (number === 10 && type === WireType.LengthDelimited) record.spanId = Buffer.from(reader.bytes()).toString('hex')
    else if (number === 11 && type === WireType.Bit64) record.observedTimeUnixNano = String(reader.fixed64())
    else if (number === 12 && type === WireType.LengthDelimited) record.eventName = reader.string()
    else reader.skip(type, number)
  }
  return { ...record, attributes: Object.fromEntries(attributes) }
}

function readScope(bytes: Uint8Array): LogScope['scope'] {
  let name: string | undefined
  let version: string | undefined
  for (const { number, type, reader } of scanFields(bytes)) {
    if (number === 1 && type === WireType.LengthDelimited) name = reader.string()
    else if (number === 2 && type === WireType.LengthDelimited) version = reader.string()
    else reader.skip(type, number)
  }
  return { name, version, attributes: readAttributes(bytes, 3) }
}

function readAttributes(bytes: Uint8Array, number: number): EventObject {
  const budget = new ValueBudget()
  const pairs: (readonly [string, unknown])[] = []
  for (const pair of scanMessages(bytes, number)) pairs.push(readPair(pair, budget, 0))
  return Object.fromEntries(pairs)
}

function readPair(bytes: Uint8Array, budget: ValueBudget, depth: number): readonly [key: string, value: unknown] {
  let key = ''
  let value: unknown = null
  for (const { number, type, reader } of scanFields(bytes)) {
    if (number === 1 && type === WireType.LengthDelimited) key = reader.string()
    else if (number === 2 && type === WireType.LengthDelimited) value = readValue(reader.bytes(), budget, depth) ?? null
    else reader.skip(type, number)
  }
  return [key, value]
}

/** A plain value of an `AnyValue`. */
function readValue(bytes: Uint8Array, budget: ValueBudget, depth: number): unknown {
  budget.spend(depth)
  let value: unknown
  for (const { number, type, reader } of scanFields(bytes)) {
    if (number === 1 && type === WireType.LengthDelimited) value = reader.string()
    else if (number === 2 && type === WireType.Varint) value = reader.bool()
    else if (number === 3 && type === WireType.Varint) value = toExactInteger(String(reader.int64()))
    else if (number === 4 && type === WireType.Bit64) value = toJsonNumber(reader.double())
    else if (number === 5 && type === WireType.LengthDelimited) value = readArray(reader.bytes(), budget, depth + 1)
    else if (number === 6 && type === WireType.LengthDelimited) value = readList(reader.bytes(), budget, depth + 1)
    else if (number === 7 && type === WireType.LengthDelimited) value = Buffer.from(reader.bytes()).toString('base64')
    else reader.skip(type, number)
  }
  return value
}

function readArray(bytes: Uint8Array, budget: ValueBudget, depth: number): unknown[] {
  const values: unknown[] = []
  for (const element of scanMessages(bytes, 1)) values.push(readValue(element, budget, depth) ?? null)
  return values
}

function readList(bytes: Uint8Array, budget: ValueBudget, depth: number): EventObject {
  const pairs: (readonly [string, unknown])[] = []
  for (const pair of scanMessages(bytes, 1)) pairs.push(readPair(pair, budget, depth))
  return Object.fromEntries(pairs)
}

/** JSON has no numbers that are none or infinite. */
function toJsonNumber(value: number): number | string {
  return Number.isFinite(value) ? value : String(value)
}

/** Bounds the values of one record, and how deep they nest, while they are read. */
class ValueBudget {
  #count = 0

  spend(depth: number): void {
    const { eventDepthMax, eventFieldsMax } = limits.ingest
    if (depth > eventDepthMax) throw new ValueLimitError('TOO_DEEP', `the log record nests deeper than ${eventDepthMax} levels`)
    if (++this.#count <= eventFieldsMax) return
    throw new ValueLimitError('TOO_MANY_FIELDS', `the log record has more than ${eventFieldsMax} values`)
  }
}

type Field = { readonly number: number; readonly type: WireType; readonly reader: BinaryReader }

/** The fields of a message; each is read or skipped before the next. */
function* scanFields(bytes: Uint8Array): Generator<Field> {
  const reader = new BinaryReader(bytes)
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag()
    yield { number, type, reader }
  }
}

/** The embedded messages of one field. */
function* scanMessages(bytes: Uint8Array, wanted: number): Generator<Uint8Array> {
  for (const { number, type, reader } of scanFields(bytes)) {
    if (number === wanted && type === WireType.LengthDelimited) yield reader.bytes()
    else reader.skip(type, number)
  }
}

/** The last embedded message of one field; empty without one. */
function findMessage(bytes: Uint8Array, wanted: number): Uint8Array {
  let found: Uint8Array = new Uint8Array(0)
  for (const message of scanMessages(bytes, wanted)) found = message
  return found
}

function printProblem(error: unknown): string {
  return String(error instanceof Error ? error.message : error).slice(0, 160)
}
