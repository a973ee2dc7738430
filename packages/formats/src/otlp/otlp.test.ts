import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { describe, expect, test } from 'vitest'
import type { BodyFormat } from '../body-format.ts'
import { otlpJsonFormat } from './decode-json-logs.ts'
import { otlpProtobufFormat } from './decode-protobuf-logs.ts'

function decodeAll<Part>({ scanBody, decodeEvent }: BodyFormat<Part>, bytes: Buffer): unknown[] {
  return [...scanBody(bytes)].flatMap((part) => {
    if (part === undefined) return []
    const decoded = decodeEvent(bytes, part)
    return 'refusal' in decoded ? [decoded.refusal.code] : [JSON.parse(Buffer.from(decoded.bytes ?? '').toString())]
  })
}

const json = (request: unknown): Buffer => Buffer.from(JSON.stringify(request))
const oneRecord = (record: unknown): Buffer => json({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] })

/** Writes a value of JSON as an `AnyValue`: the same request in both encodings gives the same events. */
function writeValue(writer: BinaryWriter, value: unknown): void {
  if (typeof value === 'string') writer.tag(1, WireType.LengthDelimited).string(value)
  else if (typeof value === 'boolean') writer.tag(2, WireType.Varint).bool(value)
  else if (Number.isInteger(value)) writer.tag(3, WireType.Varint).int64(value as number)
  else if (typeof value === 'number') writer.tag(4, WireType.Bit64).double(value)
  else if (Array.isArray(value)) {
    writer.tag(5, WireType.LengthDelimited).fork()
    for (const element of value) {
      writer.tag(1, WireType.LengthDelimited).fork()
      writeValue(writer, element)
      writer.join()
    }
    writer.join()
  } else {
    writer.tag(6, WireType.LengthDelimited).fork()
    writePairs(writer, 1, value as object)
    writer.join()
  }
}

function writePairs(writer: BinaryWriter, number: number, object: object): void {
  for (const [key, value] of Object.entries(object)) {
    writer.tag(number, WireType.LengthDelimited).fork().tag(1, WireType.LengthDelimited).string(key).tag(2, WireType.LengthDelimited).fork()
    writeValue(writer, value)
    writer.join().join()
  }
}

function toAnyValue(value: unknown): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (Number.isInteger(value)) return { intValue: String(value) }
  if (typeof value === 'number') return { doubleValue: value }
  return Array.isArray(value) ? { arrayValue: { values: value.map(toAnyValue) } } : { kvlistValue: { values: toPairs(value as object) } }
}
function toPairs(object: object): object[] {
  return Object.entries(object).map(([key, value]) => ({ key, value: toAnyValue(value) }))
}

const resource = { 'host.name': 'h1', 'service.name': 'shop' }
const attributes = { 'user.name': 'ada', n: 7, big: 1.5, ok: true, list: ['a', 1], tree: { a: { b: 'c' } }, traceId: 'mine' }

describe('a request in both encodings gives the same event', () => {
  test.for<[what: string, body: unknown, printed: object]>([
    ['text', 'hello', { message: 'hello' }],
    ['a map', { channel: 'Security', event_id: { id: 4688 } }, { body: { channel: 'Security', event_id: { id: 4688 } } }],
    ['a list', ['a', 'b'], { body: ['a', 'b'] }],
  ])('with a body of %s', ([, body, printed]) => {
    const record = {
      timeUnixNano: '1763632800123456789', observedTimeUnixNano: '1763632801000000000', severityNumber: 9, severityText: 'INFO',
      eventName: 'sign-in', traceId: '5b8efff798038103d269b633813fc60c', spanId: 'eee19b7ec3c1b174', body: toAnyValue(body),
      attributes: toPairs(attributes),
    }
    const inJson = json({
      resourceLogs: [{
        scopeLogs: [{ logRecords: [record], scope: { name: 'lib', version: '1', attributes: toPairs({ s: 'x' }) } }],
        resource: { attributes: toPairs(resource) },
      }],
    })
    const writer = new BinaryWriter()
    writer.tag(1, WireType.LengthDelimited).fork().tag(2, WireType.LengthDelimited).fork()
    writer.tag(2, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.Bit64).fixed64(record.timeUnixNano).tag(11, WireType.Bit64).fixed64(record.observedTimeUnixNano)
    writer.tag(2, WireType.Varint).int32(9).tag(3, WireType.LengthDelimited).string('INFO').tag(12, WireType.LengthDelimited).string('sign-in')
    writer.tag(9, WireType.LengthDelimited).bytes(Buffer.from(record.traceId, 'hex')).tag(10, WireType.LengthDelimited).bytes(Buffer.from(record.spanId, 'hex'))
    writer.tag(5, WireType.LengthDelimited).fork()
    writeValue(writer, body)
    writer.join()
    writePairs(writer, 6, attributes)
    // What later versions add is skipped.
    writer.tag(99, WireType.LengthDelimited).string('later').join()
    writer.tag(1, WireType.LengthDelimited).fork().tag(1, WireType.LengthDelimited).string('lib').tag(2, WireType.LengthDelimited).string('1')
    writePairs(writer, 3, { s: 'x' })
    writer.join().join()
    writer.tag(1, WireType.LengthDelimited).fork()
    writePairs(writer, 1, resource)
    writer.join().join()
    const { traceId: _, ...shown } = attributes
    const event = {
      ...resource, ...shown, timeUnixNano: record.timeUnixNano, observedTimeUnixNano: record.observedTimeUnixNano, severityNumber: 9,
      severityText: 'INFO', eventName: 'sign-in', ...printed, scope: { name: 'lib', version: '1', attributes: { s: 'x' } },
      traceId: record.traceId, spanId: record.spanId, attributes: { traceId: 'mine' },
    }
    expect(decodeAll(otlpJsonFormat, inJson)).toEqual([event])
    expect(decodeAll(otlpProtobufFormat, Buffer.from(writer.finish()))).toEqual([event])
  })
})

describe('a value of JSON', () => {
  test.for<[what: string, value: unknown, printed: unknown]>([
    ['an integer beyond exact numbers', { intValue: '9007199254740993' }, '9007199254740993'],
    ['an integer as a number', { intValue: 5 }, 5],
    ['bytes', { bytesValue: 'AAE=' }, 'AAE='],
    ['an empty list', { arrayValue: {} }, []],
    ['none', {}, null],
  ])('%s', ([, value, printed]) => {
    expect(decodeAll(otlpJsonFormat, oneRecord({ attributes: [{ key: 'a', value }] }))).toEqual([{ a: printed }])
  })

  test('nested too deeply is refused before it is converted', () => {
    let value: object = { stringValue: 'x' }
    for (let i = 0; i < 65; i++) value = { kvlistValue: { values: [{ key: 'a', value }] } }
    expect(decodeAll(otlpJsonFormat, oneRecord({ body: value }))).toEqual(['TOO_DEEP'])
    const bytes = [...Array(66).keys()].reduce((inner) => {
      const writer = new BinaryWriter()
      writer.tag(6, WireType.LengthDelimited).fork().tag(1, WireType.LengthDelimited).fork().tag(2, WireType.LengthDelimited).bytes(inner)
      return writer.join().join().finish()
    }, new Uint8Array(0))
    const writer = new BinaryWriter()
    writer.tag(1, WireType.LengthDelimited).fork().tag(2, WireType.LengthDelimited).fork().tag(2, WireType.LengthDelimited).fork()
    writer.tag(5, WireType.LengthDelimited).bytes(bytes).join().join().join()
    expect(decodeAll(otlpProtobufFormat, Buffer.from(writer.finish()))).toEqual(['TOO_DEEP'])
  })
})

describe('a body that is no request', () => {
  test.for<[what: string, text: string, problem: string]>([
    ['empty', '', "the body is not an object with 'resourceLogs'"],
    ['an array', '[]', "the body is not an object with 'resourceLogs'"],
    ['a list that is none', '{"resourceLogs":{}}', "'resourceLogs' is not an array"],
    ['cut off', '{"resourceLogs":[{"scopeLogs":[', "the body is not an object with 'resourceLogs'"],
  ])('%s is refused', ([, text, problem]) => {
    expect(() => decodeAll(otlpJsonFormat, Buffer.from(text))).toThrow(problem)
  })

  test('of very many empty resources is refused', () => {
    expect(() => decodeAll(otlpProtobufFormat, Buffer.alloc(400_000, Buffer.from([0x0a, 0])))).toThrow('split it')
  })
})
