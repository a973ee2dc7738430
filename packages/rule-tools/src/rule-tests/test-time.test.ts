import { describe, expect, test } from 'vitest'
import { parseTestTime, printTestTime } from './test-time.ts'

const startAt = Date.UTC(2026, 0, 1)

describe('a test time', () => {
  test.for<[text: string, ms: number | undefined]>([
    ['0', 0],
    ['0s', 0],
    ['18s', 18_000],
    ['1m30s', 90_000],
    ['1.5s', 1_500],
    ['250ms', 250],
    ['1d2h', 93_600_000],
    ['1w', 604_800_000],
    ['2026-01-01T00:00:10Z', 10_000],
    ['2026-01-01 00:00:10.5', 10_500],
    ['2025-12-31T23:59:59Z', -1_000],
    ['90', undefined],
    ['-5s', undefined],
    ['1M', undefined],
    ['5 s', undefined],
    ['s', undefined],
    ['', undefined],
    ['soon', undefined],
    ['2026-13-01T00:00:00Z', undefined],
    ['999999999w999999999w', undefined],
  ])('%s', ([text, ms]) => {
    expect(parseTestTime(text, startAt)).toBe(ms === undefined ? undefined : startAt + ms)
  })

  test.for(['0s', '18s', '1m30s', '1s500ms', '250ms', '1d2h', '1w', '2w3d4h5m6s7ms'])('%s survives parsing and printing', (text) => {
    expect(printTestTime(parseTestTime(text, startAt) ?? Number.NaN, startAt)).toBe(text)
  })

  test('before the start has a sign', () => {
    expect(printTestTime(startAt - 90_000, startAt)).toBe('-1m30s')
  })
})
