import { expect, test } from 'vitest'
import { ConnectorCounters } from './connector-counters.ts'

const spanMs = 30_000

/** Lets one event arrive at each of these half minutes, and returns what was counted by the last of them, as of another. */
function count(spans: readonly number[], nowSpan: number): readonly number[] {
  let nowMs = 0
  const counters = new ConnectorCounters({ now: () => nowMs })
  for (const span of spans) {
    nowMs = span * spanMs
    counters.record('acme', 'c1', { receivedCount: 1, refusedCount: 2, byteCount: 10 })
  }
  nowMs = nowSpan * spanMs
  const found = counters.get('acme', 'c1').spans
  expect(found.length).toBe(30)
  expect(found.every(({ receivedCount, refusedCount }) => refusedCount === 2 * receivedCount)).toBe(true)
  const received = found.map(({ receivedCount }) => receivedCount)
  return received.slice(received.findIndex((one) => one > 0))
}

test.for<[title: string, spans: number[], now: number, answer: readonly number[]]>([
  ['three in the half minute that is under way', [100, 100.2, 100.9], 100.9, [3]],
  ['one, then none', [100], 103, [1, 0, 0, 0]],
  ['gaps are empty', [100, 102], 102, [1, 0, 1]],
  ['what is 15 minutes old is forgotten', [100, 101, 130], 130, [1, ...Array<number>(28).fill(0), 1]],
  ['nothing of an hour ago', [100], 220, [0]],
])('half minutes: %s', ([, spans, now, answer]) => {
  expect(count(spans, now)).toEqual(answer)
})

test('a connector of which nothing came, and that of another tenant, have nothing', () => {
  const counters = new ConnectorCounters({ now: () => 0 })
  counters.record('acme', 'c1', { receivedCount: 1, refusedCount: 0, byteCount: 1 })
  for (const { spans } of [counters.get('acme', 'c2'), counters.get('other', 'c1')]) {
    expect(spans).toEqual(Array.from({ length: 30 }, () => ({ receivedCount: 0, refusedCount: 0 })))
  }
})

test('how long ago a source was read to its end is known of that connector, until it is another source', () => {
  let nowMs = 1_000
  const counters = new ConnectorCounters({ now: () => nowMs })
  const read = () => [counters.get('acme', 'c1'), counters.get('acme', 'c2'), counters.get('other', 'c1')].map(({ caughtUpAt }) => caughtUpAt)
  expect(read()).toEqual([undefined, undefined, undefined])
  counters.noteCaughtUp('acme', 'c1')
  nowMs = 5_000
  counters.record('acme', 'c1', { receivedCount: 1, refusedCount: 0, byteCount: 1 })
  expect(read()).toEqual([1_000, undefined, undefined])
  counters.noteCaughtUp('acme', 'c1')
  expect(read()[0]).toBe(5_000)
  counters.forgetSource('acme', 'c1')
  expect(read()[0]).toBe(undefined)
})
