import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RateLimiter, createConsoleLimiter, buildRateHeaders } from './rate-limiter.ts'
import { SlidingWindowLog } from './rate-window.ts'

const openLimiter = (): RateLimiter<'user' | 'tenant'> => new RateLimiter([
  { kind: 'user', requestsMax: 3, windowMs: 1_000, keysMax: 100 },
  { kind: 'tenant', requestsMax: 5, windowMs: 1_000, keysMax: 100 },
])
const by = (user: string): { kind: 'user' | 'tenant'; key: string }[] =>
  [{ kind: 'user', key: user }, { kind: 'tenant', key: 'acme' }]

describe('a limit', () => {
  test('allows the last request and refuses the next', () => {
    const limiter = openLimiter()
    const decisions = [0, 1, 2, 3].map((at) => limiter.consume(by('ann'), at))
    expect(decisions.map(({ isAllowed, remaining }) => [isAllowed, remaining]))
      .toEqual([[true, 2], [true, 1], [true, 0], [false, 0]])
  })

  test('opens at the stated time', () => {
    const limiter = openLimiter()
    for (const at of [0, 100, 200]) limiter.consume(by('ann'), at)
    const { resetMs } = limiter.consume(by('ann'), 300)
    expect(resetMs).toBe(700)
    expect(limiter.consume(by('ann'), 300 + resetMs - 1).isAllowed).toBe(false)
    expect(limiter.consume(by('ann'), 300 + resetMs)).toEqual({ isAllowed: true, limit: 3, remaining: 0, resetMs: 100 })
  })

  test('applies per key, and the nearest of several is reported', () => {
    const limiter = openLimiter()
    for (const user of ['ann', 'ann', 'bob']) limiter.consume(by(user), 0)
    expect(limiter.consume(by('bob'), 0)).toMatchObject({ isAllowed: true, remaining: 1 })
    expect(limiter.consume(by('cid'), 0)).toMatchObject({ isAllowed: true, limit: 5, remaining: 0 })
    expect(limiter.consume(by('dan'), 0)).toMatchObject({ isAllowed: false, limit: 5, remaining: 0 })
  })

  test('reports the exhausted limit that resets last', () => {
    const limiter = openLimiter()
    for (const at of [0, 0]) limiter.consume(by('bob'), at)
    for (const at of [500, 500, 500]) limiter.consume(by('ann'), at)
    expect(limiter.consume(by('ann'), 500)).toEqual({ isAllowed: false, limit: 3, remaining: 0, resetMs: 1_000 })
  })

  test('that refuses does not consume another', () => {
    const limiter = openLimiter()
    for (let count = 0; count < 100; count++) limiter.consume(by('ann'), 0)
    expect(limiter.consume(by('bob'), 0)).toMatchObject({ isAllowed: true })
  })
})

test('the console allows 600 requests a minute to a user and 6,000 to a tenant', () => {
  const limiter = createConsoleLimiter()
  const take = (user: number): boolean =>
    limiter.consume([{ kind: 'user', key: `acme u${user}` }, { kind: 'tenant', key: 'acme' }], 0).isAllowed
  const allowedOf = (user: number): number => Array.from({ length: 700 }, () => take(user)).filter(Boolean).length
  expect(Array.from({ length: 11 }, (_, user) => allowedOf(user))).toEqual([...Array.from({ length: 10 }, () => 600), 0])
})

test('headers are rounded so that a client obeying them is allowed', () => {
  const decision = { isAllowed: false, limit: 600, remaining: 0, resetMs: 1 }
  expect(buildRateHeaders(decision, 1_800_000_000_999)).toEqual({
    'X-RateLimit-Limit': '600', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '1800000060', 'Retry-After': '1',
  })
  expect(buildRateHeaders({ ...decision, isAllowed: true, remaining: 7, resetMs: 1_500 }, 1_800_000_000_000)).toEqual({
    'X-RateLimit-Limit': '600', 'X-RateLimit-Remaining': '7', 'X-RateLimit-Reset': '1800000060',
  })
})

describe('sliding windows', () => {
  test('count like a plain list of times', () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b'), waitMs: fc.nat(12) })
    fc.assert(fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 9 }), (steps, requestsMax) => {
      const windows = new SlidingWindowLog({ requestsMax, windowMs: 100, keysMax: 10 })
      const taken: { key: string; at: number }[] = []
      let now = 0
      for (const { key, waitMs } of steps) {
        now += waitMs
        const inView = taken.filter((one) => one.key === key && one.at > now - 100)
        const oldestEndsInMs = inView[0] === undefined ? 0 : inView[0].at + 100 - now
        expect(windows.peek(key, now)).toEqual({ count: inView.length, oldestEndsInMs })
        if (inView.length === requestsMax) continue
        windows.add(key, now)
        taken.push({ key, at: now })
      }
    }))
  })

  test('never allow more than the limit in any window', () => {
    fc.assert(fc.property(fc.array(fc.nat(30), { maxLength: 300 }), (waits) => {
      const windows = new SlidingWindowLog({ requestsMax: 5, windowMs: 100, keysMax: 10 })
      const taken: number[] = []
      let now = 0
      for (const wait of waits) {
        now += wait
        if (windows.peek('a', now).count === 5) continue
        windows.add('a', now)
        taken.push(now)
      }
      expect(taken.filter((at, index) => at - (taken[index - 5] ?? Number.NEGATIVE_INFINITY) < 100)).toEqual([])
    }))
  })

  test('allow more requests after some have expired', () => {
    const windows = new SlidingWindowLog({ requestsMax: 9, windowMs: 100, keysMax: 10 })
    for (const at of [0, 50, 120, 130, 140, 145]) windows.add('a', at)
    expect(windows.peek('a', 145)).toEqual({ count: 5, oldestEndsInMs: 5 })
    expect(windows.peek('a', 160)).toEqual({ count: 4, oldestEndsInMs: 60 })
  })

  test('evict idle keys, and the longest idle ones at the maximum', () => {
    const windows = new SlidingWindowLog({ requestsMax: 5, windowMs: 100, keysMax: 10 })
    for (let key = 0; key < 1_000; key++) windows.add(`k${key}`, 0)
    expect(windows.keyCount).toBe(10)
    expect(windows.peek('k999', 0).count).toBe(1)
    expect(windows.peek('k0', 0).count).toBe(0)
    for (let count = 0; count < 5; count++) windows.add('k', 200)
    expect(windows.keyCount).toBe(1)
  })

  test('never track more keys than the maximum', () => {
    const windows = new SlidingWindowLog({ requestsMax: 5, windowMs: 100, keysMax: 10 })
    for (let count = 0; count < 1_000; count++) windows.add('a', 50)
    expect(windows.peek('a', 50).count).toBeLessThanOrEqual(5)
  })
})
