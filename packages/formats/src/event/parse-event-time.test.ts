import { expect, test } from 'vitest'
import { parseEventTime } from './parse-event-time.ts'

test.for<[text: string, printed: string | undefined]>([
  ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20T10:00:00.1234567Z', '2026-11-20T10:00:00.123Z'],
  ['2026-11-20 10:00:00.123', '2026-11-20T10:00:00.123Z'],
  ['2026-11-20T10:00:00+02:00', '2026-11-20T08:00:00.000Z'],
  ['2026-11-20T10:00', '2026-11-20T10:00:00.000Z'],
  ['1795168800', '2026-11-20T10:00:00.000Z'],
  ['1795168800123', '2026-11-20T10:00:00.123Z'],
  ['2026-13-40T10:00:00Z', undefined],
  ['yesterday', undefined],
  ['1', undefined],
  ['', undefined],
  ['2026-11-20T10:00:00.'.padEnd(80, '0'), undefined],
])('%s is %s', ([text, printed]) => {
  const at = parseEventTime(text)
  expect(at === undefined ? undefined : new Date(at).toISOString()).toBe(printed)
})
