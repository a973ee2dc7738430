import { expect, test } from 'vitest'
import { ByteWriter } from '../log/byte-writer.ts'
import { decodeRecordAt } from '../log/record.ts'
import { decodeLogRecord, encodeLogRecord } from './log-record.ts'

test.for<[version: number, mark: number | undefined]>([[1, undefined], [2, 5], [3, 5]])('a record of version %d has no arrivals', ([version, mark]) => {
  const writer = new ByteWriter()
  writer.u8(version)
  writer.u8(0)
  writer.varint(1)
  writer.bytes(Buffer.from('t'))
  if (mark !== undefined) writer.f64(mark)
  writer.f64(3)
  writer.varint(1)
  writer.f64(1_000)
  writer.u8(2)
  writer.varint(2)
  writer.bytes(Buffer.from('{}\n'))
  const rows = [{ sequence: 3, occurredAt: 1_000, severity: 2, bytes: Buffer.from('{}'), arrival: undefined }]
  expect(decodeLogRecord(Buffer.from(writer.done()))).toEqual({ kind: 'events', tenant: 't', mark, rows })
})

test('events are written to their record once, and read back', () => {
  const arrival = { offset: 7, receivedAt: 1_700_000_000_000 }
  const rows = Array.from({ length: 500 }, (_, i) => {
    return { sequence: 3 + i, occurredAt: 1_000, severity: 2, bytes: Buffer.alloc(1_200, 97), arrival: { ...arrival, offset: 7 + i } }
  })
  const bytes = encodeLogRecord({ kind: 'events', tenant: 't', mark: 5, rows })
  expect(bytes.buffer.byteLength).toBeLessThan(1.05 * bytes.length)
  expect(decodeLogRecord(decodeRecordAt(bytes, 0)!.payload)).toEqual({ kind: 'events', tenant: 't', mark: 5, rows })
})
