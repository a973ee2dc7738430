import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MinuteWindows } from './minute-windows.ts'
import { buildRateHeaders } from './rate-limiter.ts'

const minuteMs = 60_000

test('as many requests as the limit pass in each whole minute, whenever in it they come', () => {
  fc.assert(fc.property(fc.array(fc.nat(3 * minuteMs - 1), { maxLength: 300 }), fc.integer({ min: 1, max: 40 }), (offsets, limit) => {
    const windows = new MinuteWindows({ namesMax: 10 })
    const allowed = new Map<number, number>()
    for (const at of offsets.toSorted((a, b) => a - b)) {
      const { isAllowed, remaining, resetMs } = windows.consume([{ name: 'acme', limit }], at)
      const window = Math.floor(at / minuteMs)
      if (isAllowed) allowed.set(window, (allowed.get(window) ?? 0) + 1)
      expect(remaining).toBe(limit - (allowed.get(window) ?? 0))
      expect(at + resetMs).toBe((window + 1) * minuteMs)
    }
    for (const [window, count] of allowed) {
      expect(count).toBe(Math.min(limit, offsets.filter((at) => Math.floor(at / minuteMs) === window).length))
    }
  }))
})

test('the tighter limit shows, and a request that one refuses counts against neither', () => {
  const windows = new MinuteWindows({ namesMax: 10 })
  const both = [{ name: 'tenant', limit: 3 }, { name: 'key', limit: 2 }]
  expect(windows.consume(both, 0)).toMatchObject({ isAllowed: true, limit: 2, remaining: 1 })
  expect(windows.consume(both, 1)).toMatchObject({ isAllowed: true, limit: 2, remaining: 0 })
  expect(windows.consume(both, 2)).toMatchObject({ isAllowed: false, limit: 2, remaining: 0 })
  expect(windows.consume([{ name: 'tenant', limit: 3 }], 3)).toMatchObject({ isAllowed: true, limit: 3, remaining: 0 })
})

test('a lower limit holds at once, and shows none below zero', () => {
  const windows = new MinuteWindows({ namesMax: 10 })
  for (let i = 0; i < 5; i++) windows.consume([{ name: 'tenant', limit: 9 }], i)
  expect(windows.consume([{ name: 'tenant', limit: 2 }], 6)).toMatchObject({ isAllowed: false, limit: 2, remaining: 0 })
})

test('a clock that is set back opens no second window', () => {
  const windows = new MinuteWindows({ namesMax: 10 })
  expect(windows.consume([{ name: 'a', limit: 1 }], minuteMs)).toMatchObject({ isAllowed: true })
  expect(windows.consume([{ name: 'a', limit: 1 }], minuteMs - 1)).toMatchObject({ isAllowed: false, resetMs: minuteMs + 1 })
})

test('names beyond the most share one count', () => {
  const windows = new MinuteWindows({ namesMax: 2 })
  const consume = (name: string): boolean => windows.consume([{ name, limit: 1 }], 0).isAllowed
  expect(['a', 'b', 'c', 'd', 'a'].map(consume)).toEqual([true, true, true, false, false])
})

test.for([0, 1, 3_000])('headers that are built %i ms after the count name the end of the window that counted', (laterMs) => {
  const at = 1_800_000_000_000 + 59_000
  const decision = new MinuteWindows({ namesMax: 2 }).consume([{ name: 'acme', limit: 5 }], at)
  expect(buildRateHeaders(decision, at + laterMs)).toEqual({
    'X-RateLimit-Limit': '5', 'X-RateLimit-Remaining': '4', 'X-RateLimit-Reset': '1800000060',
  })
})
