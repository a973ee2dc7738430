import { beforeAll, expect, test } from 'vitest'
import { fuzzConsole } from './contract/fuzz-console.ts'
import type { FuzzReport } from './contract/fuzz-console.ts'

// A small run of `npm run trial:contract`: the same seed sends the same requests.
const seed = Number(process.env['TRIPLINE_SEED'] ?? 7)
let report: FuzzReport
beforeAll(async () => {
  report = await fuzzConsole({ seed, requestsPerOperation: 25 })
})

test(`generated requests are answered as documented (TRIPLINE_SEED=${seed})`, () => {
  expect(report.failures).toEqual([])
  expect(report.requestCount).toBeGreaterThan(2_000)
})

test('the requests reach every operation, and most of its errors', () => {
  const operations = new Set([...report.statuses.keys()].map((key) => key.split(' ')[0]))
  const answered = new Set([...report.statuses.keys()].filter((key) => / [123]/.test(key)).map((key) => key.split(' ')[0]))
  expect(operations.size).toBeGreaterThan(80)
  expect(answered.size / operations.size).toBeGreaterThan(0.7)
  expect([...report.codes]).toEqual(expect.arrayContaining([
    'CONFLICT', 'FORBIDDEN', 'INVALID_BODY', 'INVALID_PARAMETER', 'INVALID_QUERY_FIELD', 'NOT_FOUND', 'PRECONDITION_FAILED', 'UNAUTHORIZED',
  ]))
})
