import { expect, test } from 'vitest'
import { readMessages } from './read-messages.ts'

test('the events of a page have ids of their own, so that a message given again is not ingested twice', () => {
  const texts = ['{"records":[{"n":1},{"n":2}]}', '{"n":3}', '{"n":']
  const messages = texts.map((text, i) => ({ id: `0 ${i}`, bytes: Buffer.from(text), storedAt: 0 }))
  const { events, refusedCount, byteCount } = readMessages(messages, { format: 'json', logsource: undefined, connectorId: 'c' })
  expect(events.map(({ id, event }) => [id, event])).toEqual([['c 0 0 0', { n: 1 }], ['c 0 0 1', { n: 2 }], ['c 0 1', { n: 3 }]])
  expect({ refusedCount, byteCount }).toEqual({ refusedCount: 1, byteCount: texts.join('').length })
})
