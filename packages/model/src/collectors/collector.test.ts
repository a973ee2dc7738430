import { expect, test } from 'vitest'
import { assessReport } from './collector.ts'
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
