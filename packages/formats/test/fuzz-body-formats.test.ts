import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { AppError } from '@tripline/contract/app-error'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findBodyFormat } from '../src/body-format.ts'
import type { BodyFormat } from '../src/body-format.ts'
import { bulkFormat } from '../src/elastic/decode-bulk.ts'
import { otlpJsonFormat } from '../src/otlp/decode-json-logs.ts'
import { otlpProtobufFormat } from '../src/otlp/decode-protobuf-logs.ts'
import { hecFormat, hecRawFormat } from '../src/splunk/decode-hec.ts'
import { decodeSyslog } from '../src/syslog/decode-message.ts'
import { FrameReader } from '../src/syslog/frame-reader.ts'
import { changeBytes, changes } from './change-bytes.ts'

/** Bodies as clients sent them, which the generator changes. */
const captures = [
  '{"create":{"_index":"logs","pipeline":null}}\n{"@timestamp":"2026-11-20T10:00:00.123Z","message":"a"}\n{"delete":{"_id":"1"}}\n\n',
  '{"time":"1763632800.5","host":"h","event":{"a":[1,{"b":null}]}}{"event":"text"} {"event":"{\\"a\\":1}","fields":{"x":"y"}}',
  '{"resourceLogs":[{"resource":{"attributes":[{"key":"a","value":{"stringValue":"b"}}]},"scopeLogs":[{"logRecords":[{"timeUnixNano":"1","body":{"kvlistValue":{"values":[]}}}]}]}]}',
  '{"a":{"b":[1,"\\u00e9",null]},"@timestamp":"2026-11-20T10:00:00Z"}\n\n{"a":1}\r\n[{"a":1},{"b":12345678901234567890}]\n',
  '<34>1 2026-11-20T10:00:00Z h sshd 1 - [a b="c"] hello\n19 <13>Nov 20 x: text\n<13>CEF:0|a|b|c|d|e|5|src=1 msg=x',
].map((text) => Buffer.from(text))
/** One record with a time and an attribute of text, in Protocol Buffers. */
function encodeRecord(): Buffer {
  const writer = new BinaryWriter()
  for (const number of [1, 2, 2]) writer.tag(number, WireType.LengthDelimited).fork()
  writer.tag(1, WireType.Bit64).fixed64('1763632800123456789')
  writer.tag(6, WireType.LengthDelimited).fork().tag(1, WireType.LengthDelimited).string('a')
  writer.tag(2, WireType.LengthDelimited).fork().tag(1, WireType.LengthDelimited).string('b')
  return Buffer.from(writer.join().join().join().join().join().finish())
}
const protobuf = encodeRecord()

const body = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.tuple(fc.constantFrom(...captures, protobuf), changes).map(([capture, made]) => changeBytes(capture, made)),
)

/** Decodes a body; whatever is in it, the result is events as lines of JSON, refusals, or one refusal of the whole. */
function check<Part extends { readonly start?: number; readonly end?: number }>({ scanBody, decodeEvent }: BodyFormat<Part>, bytes: Buffer): void {
  try {
    for (const part of scanBody(bytes)) {
      if (part === undefined) continue
      const decoded = decodeEvent(bytes, part)
      if ('refusal' in decoded) {
        expect(decoded.refusal.reason).not.toBe('')
        continue
      }
      const event: unknown = JSON.parse(Buffer.from(decoded.bytes ?? bytes.subarray(part.start, part.end)).toString('utf8'))
      expect(event).toBeTypeOf('object')
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(['INVALID_BODY', 'PAYLOAD_TOO_LARGE']).toContain(error.code)
  }
}

const seed = Number(process.env['TRIPLINE_SEED'] ?? 7)
const numRuns = process.env['TRIPLINE_FULL'] === '1' ? 20_000 : 3_000

describe(`changed captures and random bytes are events or refused (TRIPLINE_SEED=${seed})`, () => {
  test.for<[what: string, decode: (bytes: Buffer) => void]>([
    ['NDJSON and arrays', (bytes) => check(findBodyFormat(), bytes)],
    ['Elasticsearch bulk', (bytes) => check(bulkFormat(undefined, []), bytes)],
    ['Splunk HEC', (bytes) => check(hecFormat, bytes)],
    ['Splunk HEC, raw', (bytes) => check(hecRawFormat({}), bytes)],
    ['OTLP in JSON', (bytes) => check(otlpJsonFormat, bytes)],
    ['OTLP in Protocol Buffers', (bytes) => check(otlpProtobufFormat, bytes)],
    ['streams of syslog', (bytes) => {
      const reader = new FrameReader({ framing: 'auto', messageBytesMax: 64, onTooLong: () => {} })
      const rest = (messages: readonly Buffer[]): readonly Buffer[] => [...messages, reader.takeRest() ?? Buffer.alloc(0)]
      const messages = rest(reader.push(bytes))
      expect(messages.every(({ length }) => length <= 64 + 1)).toBe(true)
      for (const message of messages) {
        const decoded = decodeSyslog(message, { receivedAt: 1_763_632_800_000 })
        if (!('refusal' in decoded)) expect(JSON.parse(Buffer.from(decoded.bytes ?? '').toString('utf8'))).toBeTypeOf('object')
      }
    }],
  ])('%s', ([, decode]) => {
    expect(() => fc.assert(fc.property(body, decode), { seed, numRuns })).not.toThrow()
  })
})
