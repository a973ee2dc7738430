import { expect, test } from 'vitest'
import { summarizeIncident } from './incident-summary.ts'

const at = (time: string): number => Date.parse(`2026-11-20T${time}Z`)
const worst = { id: 'm1', level: 'high', ruleTitle: 'Whoami', at: at('10:00:00') } as const
const entity = (kind: 'host' | 'user' | 'ip', value: string) => ({ kind, value, alertCount: 1, firstAt: 1, lastAt: 1, firstEventAt: 1, lastEventAt: 1 })

/** The instants of the first and the last event, and of the arrival of the first and the last alert. */
type Times = readonly [firstEvent: string, lastEvent: string, firstAlert: string, lastAlert: string]

test.for<[title: string, times: Times, sentence: string]>([
  ['a moment', ['10:00:00', '10:00:00', '10:00:00', '10:00:00'], 'events at 2026-11-20T10:00:00Z'],
  ['alerts that arrived with their events', ['07:00:00', '10:02:00', '07:00:03', '10:02:03'],
    'events from 2026-11-20T07:00:00Z to 2026-11-20T10:02:00Z (3 h)'],
  ['a folder of old logs', ['07:00:00', '10:02:00', '12:00:00', '12:00:02'],
    'events from 2026-11-20T07:00:00Z to 2026-11-20T10:02:00Z (3 h); '
    + 'alerts arrived from 2026-11-20T12:00:00Z to 2026-11-20T12:00:02Z (2 s)'],
  ['old logs in one moment', ['07:00:00', '07:01:30', '12:00:00', '12:00:00'],
    'events from 2026-11-20T07:00:00Z to 2026-11-20T07:01:30Z (90 s); alerts arrived at 2026-11-20T12:00:00Z'],
])('an incident of %s says when its events happened', ([, times, sentence]) => {
  const [firstEventAt = 0, lastEventAt = 0, firstAlertAt = 0, lastAlertAt = 0] = times.map(at)
  const facts = { worst, attack: { tactics: ['discovery'], techniques: [] }, firstEventAt, lastEventAt, firstAlertAt, lastAlertAt }
  const entities = [entity('host', 'web-1'), entity('host', 'web-2'), entity('user', 'alice')]
  expect(summarizeIncident({ ...facts, alertCount: 10, entities }))
    .toBe(`10 alerts, the worst high: Whoami on web-1 and 1 more, by alice; ${sentence}. Discovery.`)
})

test('an incident without alerts says so', () => {
  const none = { firstEventAt: undefined, lastEventAt: undefined, firstAlertAt: undefined, lastAlertAt: undefined }
  expect(summarizeIncident({ ...none, alertCount: 0, worst: undefined, entities: [], attack: { tactics: [], techniques: [] } })).toBe('No alerts.')
})
