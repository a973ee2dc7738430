import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  parseUrlState,
  printUrlState,
  sortParameter,
  textParameter,
  timeParameter,
  wordListParameter,
  wordParameter,
} from './url-state.ts'

const table = {
  q: textParameter,
  tab: wordParameter(['one', 'two']),
  severity: wordListParameter(['critical', 'high', 'low']),
  from: timeParameter,
  sort: sortParameter(['created_at', 'host']),
}

test('what is printed is read again, whatever stands beside it', () => {
  const state = fc.record(
    {
      q: fc.string({ minLength: 1, unit: 'binary' }).filter((text) => text.isWellFormed()),
      tab: fc.constantFrom('one' as const, 'two' as const),
      severity: fc.subarray(['critical' as const, 'high' as const, 'low' as const], { minLength: 1 }),
      from: fc.oneof(
        fc.nat(99_999).map((count) => `-${count}h`),
        fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString()),
      ),
      sort: fc.record({
        field: fc.constantFrom('created_at' as const, 'host' as const),
        direction: fc.constantFrom('asc' as const, 'desc' as const),
      }),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(state, fc.constantFrom('', 'tz=utc&x=1'), (given, beside) => {
      const printed = printUrlState(table, given, beside)
      expect(parseUrlState(table, printed)).toEqual({ state: given, dropped: [] })
      for (const [name, value] of new URLSearchParams(beside)) expect(new URLSearchParams(printed).get(name)).toBe(value)
    }),
  )
})

test.for<[search: string, state: object, dropped: string[]]>([
  ['?severity=high,critical', { severity: ['critical', 'high'] }, []],
  ['?severity=high,hgih&q=a', { q: 'a' }, ['severity']],
  ['?from=yesterday&tab=three', {}, ['tab', 'from']],
  ['?from=2026-11-22T10:00:00Z&sort=host:asc', { from: '2026-11-22T10:00:00Z', sort: { field: 'host', direction: 'asc' } }, []],
  ['?from=2026-13-40&sort=host', {}, ['from', 'sort']],
  ['?q=', {}, ['q']],
])('%s', ([search, state, dropped]) => {
  expect(parseUrlState(table, search)).toEqual({ state, dropped })
})

test('an address stays readable', () => {
  expect(printUrlState(table, { severity: ['high', 'low'], sort: { field: 'host', direction: 'asc' } })).toBe(
    'severity=high,low&sort=host:asc',
  )
})
