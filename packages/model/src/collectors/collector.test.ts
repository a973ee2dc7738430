import { expect, test } from 'vitest'
import { addSourceTotals, assessReport } from './collector.ts'
import type { CollectorSource } from './collector.ts'

const source = (status: CollectorSource['status']): CollectorSource =>
  ({ name: status, type: 'file', status, eventsPerSecond: 0, lastEventAt: null, lastError: null })
const buffer = { events: 0, bytes: 0, capacityBytes: 1_000, oldestEventAt: null, droppedTotal: 0 }

test.for<[title: string, report: Parameters<typeof assessReport>[0], status: string]>([
  ['without sources', { sources: [], buffer }, 'online'],
  ['whose sources are healthy, pending, quiet or disabled', { sources: (['healthy', 'pending', 'degraded', 'disabled'] as const).map(source), buffer }, 'online'],
  ['with an unhealthy source', { sources: [source('healthy'), source('unhealthy')], buffer }, 'degraded'],
  ['whose buffer is at its mark', { sources: [], buffer: { ...buffer, bytes: 800 } }, 'online'],
  ['whose buffer is beyond its mark', { sources: [], buffer: { ...buffer, bytes: 801 } }, 'degraded'],
  ['without a buffer', { sources: [], buffer: { ...buffer, bytes: 5, capacityBytes: 0 } }, 'online'],
])('a collector %s is %s', ([, report, status]) => {
  expect(assessReport(report)).toBe(status)
})

test('what a source read is added up over starts of its program', () => {
  const read = (events: number, dropped = 0) => ({ ...source('healthy'), counts: { events, bytes: events * 10, dropped } })
  let sources = addSourceTotals([read(5)], [])
  for (const report of [read(8, 1), read(8, 1), read(3), source('healthy'), read(2)]) sources = addSourceTotals([report], sources)
  expect(sources[0]?.totals).toEqual({ events: 13, bytes: 130, dropped: 1 })
  expect(addSourceTotals([source('healthy')], [])[0]?.totals).toBeUndefined()
})
