import { expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { decodeRecordAt } from '../../log/record.ts'
import { decodeTopicRecord, encodeUnits } from './topic-record.ts'

// More than one unit, of messages of some length.
const messages = Array.from({ length: limits.bus.unitMessagesMax + 1 }, (_, i) => Buffer.alloc(900 + (i % 7), i))

test('messages are written to their units once, and read back', () => {
  const bytes = encodeUnits({ firstOffset: 5, tenant: 'acme', messages }, { hasTrailers: true })
  expect(bytes.buffer.byteLength).toBeLessThan(1.01 * bytes.length)
  const records: ReturnType<typeof decodeTopicRecord>[] = []
  for (let at = 0; at < bytes.length;) {
    const record = decodeRecordAt(bytes, at)!
    records.push(decodeTopicRecord(record.payload))
    at = record.end
  }
  expect(records.map((record) => [record?.kind, record?.firstOffset])).toEqual([
    ['batch', 5], ['trailer', 5], ['batch', 5 + limits.bus.unitMessagesMax], ['trailer', 5 + limits.bus.unitMessagesMax],
  ])
  const read = records.flatMap((record) => (record?.kind === 'batch' ? record.messages : []))
  expect(Buffer.concat(read).equals(Buffer.concat(messages))).toBe(true)
})
