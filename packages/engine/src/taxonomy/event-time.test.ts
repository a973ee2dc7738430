import { expect, test } from 'vitest'
import type { EventObject } from '../event/event.ts'
import { findEventTime } from './event-time.ts'
import { normalizeEvent } from './normalize.ts'

const noon = Date.UTC(2026, 10, 21, 12, 0, 0)

test.for<[shape: string, event: EventObject, occurredAt: number | undefined]>([
  ['a flat event', { '@timestamp': '2026-11-21T12:00:00.000Z' }, noon],
  ['an event of evtx_dump', {
    Event: {
      System: {
        EventID: 1, Channel: 'Security', Computer: 'a',
        Provider: { '#attributes': { Name: 'b' } },
        TimeCreated: { '#attributes': { SystemTime: '2026-11-21T12:00:00.0009999Z' } },
      },
    },
  }, noon],
  ['Sysmon without a collector\'s time', { EventID: 1, Channel: 'Microsoft-Windows-Sysmon/Operational', UtcTime: '2026-11-21 12:00:00.000' }, noon],
  ['CloudTrail', { eventVersion: '1.08', eventSource: 's3.amazonaws.com', eventName: 'x', eventTime: '2026-11-21T12:00:00Z' }, noon],
  ['Zeek', { ts: noon / 1_000, uid: 'C1' }, noon],
  ['GitHub', { created_at: noon, action: 'repo.create' }, noon],
  ['an invalid time next to a valid one', { '@timestamp': 'soon', eventTime: '2026-11-21T12:00:00Z' }, noon],
  ['a clock that was never set', { '@timestamp': '1970-01-01T00:00:03Z' }, undefined],
  ['an implausible year', { '@timestamp': '9999-12-31T23:59:59Z' }, undefined],
  ['several times in one field', { '@timestamp': ['2026-11-21T12:00:00Z'] }, undefined],
  ['no time', { message: 'hello' }, undefined],
])('%s', ([, event, occurredAt]) => {
  expect(findEventTime(normalizeEvent(event, 'auto'))).toBe(occurredAt)
})
