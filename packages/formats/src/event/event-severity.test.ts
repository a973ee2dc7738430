import { expect, test } from 'vitest'
import { getEventSeverity } from './event-severity.ts'
import type { EventSeverity } from './event-severity.ts'

test.for<[event: { readonly [field: string]: unknown }, severity: EventSeverity]>([
  [{}, 'info'],
  [{ severity: 'WARNING' }, 'medium'],
  [{ severity: 'notice' }, 'low'],
  [{ severity: 'somewhat' }, 'info'],
  [{ severity: 'somewhat', level: 'error' }, 'high'],
  [{ log: { level: 'debug' } }, 'info'],
  [{ 'log.level': 'fatal' }, 'critical'],
  [{ log: { syslog: { severity: { code: 2 } } }, severity: 'info' }, 'critical'],
  [{ syslog_severity: 3 }, 'high'],
  [{ syslog_severity: 9, severity: 'low' }, 'low'],
  [{ severityNumber: 9 }, 'info'],
  [{ severityNumber: 13 }, 'medium'],
  [{ severityNumber: 17 }, 'high'],
  [{ severityNumber: 24 }, 'critical'],
  [{ event: { severity: 73 } }, 'high'],
  [{ event: { severity: 20 } }, 'info'],
  [{ event: { severity: '73' } }, 'info'],
  [{ severity: '__proto__' }, 'info'],
])('%j is %s', ([event, severity]) => {
  expect(getEventSeverity(event)).toBe(severity)
})
