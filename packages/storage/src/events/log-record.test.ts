import { expect, test } from 'vitest'
import { ByteWriter } from '../log/byte-writer.ts'
import { decodeLogRecord } from './log-record.ts'

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
