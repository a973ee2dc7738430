import { describe, expect, test } from 'vitest'
import { SlidingWindowLog } from './rate-window.ts'

const open = (bounds: { requestsMax?: number; keysMax?: number } = {}): SlidingWindowLog =>
  new SlidingWindowLog({ requestsMax: 100, windowMs: 1_000, keysMax: 3, ...bounds })

/** Counts requests `key@ms` in order. */
function add(log: SlidingWindowLog, ...requests: readonly string[]): SlidingWindowLog {
  for (const request of requests) {
    const [key = '', ms] = request.split('@')
    log.add(key, Number(ms))
  }
  return log
}

describe('a window', () => {
  test.for<[atMs: number, count: number, oldestEndsInMs: number]>([
    [300, 3, 700], [999, 3, 1], [1_000, 2, 200], [1_199, 2, 1], [1_200, 1, 100], [1_300, 0, 0], [9_000, 0, 0],
  ])('at %i ms holds %i requests', ([atMs, count, oldestEndsInMs]) => {
    expect(add(open(), 'a@0', 'a@200', 'a@300').peek('a', atMs)).toEqual({ count, oldestEndsInMs })
  })

  test('of an unknown key is empty', () => {
    expect(add(open(), 'a@0').peek('b', 0)).toEqual({ count: 0, oldestEndsInMs: 0 })
  })

  test('drops the oldest request where it is full, and grows before', () => {
    const log = add(open({ requestsMax: 9 }), ...Array.from({ length: 9 }, (_, ms) => `a@${ms}`))
    expect(log.peek('a', 9)).toEqual({ count: 9, oldestEndsInMs: 991 })
    expect(add(log, 'a@10').peek('a', 10)).toEqual({ count: 9, oldestEndsInMs: 991 })
  })
})

describe('keys', () => {
  test.for<[title: string, requests: readonly string[], left: readonly string[]]>([
    ['are kept up to the maximum', ['a@0', 'b@1', 'c@2'], ['a', 'b', 'c']],
    ['make room by the one idle for longest', ['a@0', 'b@1', 'c@2', 'd@3'], ['b', 'c', 'd']],
    ['are idle since their last request', ['a@0', 'b@1', 'c@2', 'a@3', 'd@4'], ['a', 'c', 'd']],
  ])('%s', ([, requests, left]) => {
    const log = add(open(), ...requests)
    expect(['a', 'b', 'c', 'd'].filter((key) => log.peek(key, 5).count > 0)).toEqual(left)
  })

  test.for<[title: string, requests: readonly string[], keyCount: number]>([
    ['go when their window has ended', ['a@0', 'b@1000'], 1],
    ['stay a millisecond before', ['a@0', 'b@999'], 2],
    ['go two at a time', ['a@0', 'b@0', 'c@0', 'd@2000'], 2],
    ['go with the next request', ['a@0', 'b@0', 'c@0', 'd@2000', 'd@2001'], 1],
  ])('%s', ([, requests, keyCount]) => {
    expect(add(open(), ...requests).keyCount).toBe(keyCount)
  })
})
