import { encoded, encodedPowerShell } from '@tripline/detection/test/rules'
import { beforeEach, expect, test, vi } from 'vitest'
import { openTestServer } from '../../../../test/open-test-server.ts'
import type { TestServer } from '../../../../test/open-test-server.ts'
import { limits } from '../../../limits.ts'

const storedId = '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'
const rules = '/v1/detection/rules'
const stored = `${rules}/${storedId}`

let server: TestServer
beforeEach(async () => void (server = await openTestServer([encodedPowerShell])))

/** A rule with so many values, and an id of its own unless it is the stored one. */
function listValues(count: number, modifier = 'contains', value = (i: number): string => `value-${i}`): string {
  const values = Array.from({ length: count }, (_, i) => `'${value(i)}'`).join(', ')
  return `title: Values\nlogsource: { category: process_creation }\ndetection:\n  a: { CommandLine|${modifier}: [${values}] }\n  condition: a\n`
}

const costly = listValues(1_000)
const cheap = listValues(20)
const tested = (text: string, word: string): string => `${text}tests:\n  - { event: { CommandLine: '${word}' }, match: true }\n`
const expiresAt = '2026-11-21T00:00:00Z'
const exceptionOf = (count: number) => ({
  detection: { a: { User: Array.from({ length: count }, (_, i) => `u${i}`) }, condition: 'not a' }, reason: 'known', expires_at: expiresAt,
})
const correlation = `title: Twice\ndescription: "${'a, '.repeat(3_000)}"
correlation: { type: event_count, rules: [${storedId}], group-by: [Image], timespan: 1m, condition: { gte: 2 } }\n`

test.for<[what: string, method: 'POST' | 'PUT', path: string, body: object, status: number, isInThread: boolean]>([
  ['a new rule', 'POST', rules, { definition: costly }, 201, true],
  ['a new rule of small cost', 'POST', rules, { definition: cheap }, 201, false],
  ['a new rule with a test that passes', 'POST', rules, { definition: tested(costly, 'value-7') }, 201, true],
  ['a new rule with a test that fails', 'POST', rules, { definition: tested(costly, 'none') }, 400, true],
  ['a new correlation of a stored rule', 'POST', rules, { definition: correlation }, 201, true],
  ['a new rule with an exception', 'POST', rules, { definition: cheap, filters: [exceptionOf(2_000)] }, 201, true],
  ['a new rule with an exception of small cost', 'POST', rules, { definition: cheap, filters: [exceptionOf(2)] }, 201, false],
  ['another text', 'PUT', stored, { definition: costly }, 200, true],
  ['another text of small cost', 'PUT', stored, { definition: cheap }, 200, false],
  ['an exception', 'PUT', stored, { filters: [exceptionOf(2_000)] }, 200, true],
  ['an exception of small cost', 'PUT', stored, { filters: [exceptionOf(2)] }, 200, false],
  ['one more exception', 'POST', `${stored}/exceptions`, exceptionOf(2_000), 201, true],
  ['a backtest', 'POST', `${stored}/backtest`, { definition: costly }, 200, true],
  ['a backtest of small cost', 'POST', `${stored}/backtest`, { definition: cheap }, 200, false],
  ['regular expressions over the budget', 'POST', rules, { definition: listValues(20_000, 're', () => 'a+b') }, 400, true],
  ['nested repetitions over the budget', 'PUT', stored, { definition: listValues(500, 're', (i) => `((a{1,9}${i}){1,9}){1,9}`) }, 400, true],
  ['an exception over the budget', 'PUT', stored, { filters: [exceptionOf(15_000)] }, 400, true],
  ['a backtest over the budget', 'POST', `${stored}/backtest`, { definition: listValues(20_000, 're', () => 'a+b') }, 400, true],
])('%s', async ([, method, path, body, status, isInThread]) => {
  const run = vi.spyOn(server.app.costlyRules.ruleTests, 'run')
  const answer = await server.call(method, path, { body })
  expect([answer.status, run.mock.calls.length > 0], JSON.stringify(answer.body).slice(0, 300)).toEqual([status, isInThread])
})

test('another text over the budget is refused before it is read for its id', async () => {
  const definition = `${listValues(20_000, 're', () => 'a+b')}id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0999\n`
  const { status, body } = await server.call('PUT', stored, { body: { definition } })
  expect([status, JSON.stringify(body)]).toEqual([400, expect.not.stringContaining('different id')])
  const small = await server.call('PUT', stored, { body: { definition: `${cheap}id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0999\n` } })
  expect([small.status, JSON.stringify(small.body)]).toEqual([400, expect.stringContaining('different id')])
})

test('a rule that was checked in the thread runs as it was sent', async () => {
  expect((await server.call('PUT', stored, { body: { definition: costly } })).status).toBe(200)
  await server.call('POST', '/ingest/v1/events', { body: [{ ...encoded, CommandLine: 'a value-999 b' }, encoded] })
  expect(await server.call('GET', `${stored}/matches`)).toMatchObject({ body: { total_estimate: 1 } })
})

test('costly rules of a tenant are limited, those of small cost and of others are not', async () => {
  const other = await server.tokenOf(['admin'], 'other')
  const put = (i: number, text: string, token?: string) =>
    server.call('PUT', stored, { body: { definition: `${text}level: ${i % 2 === 0 ? 'low' : 'high'}\n` }, ...(token !== undefined && { token }) })
  for (let i = 0; i < limits.rules.costlyChangesMax; i++) expect((await put(i, costly)).status).toBe(200)
  expect(await put(0, costly)).toMatchObject({
    status: 429, headers: { 'retry-after': '60' },
    body: { error: { code: 'RATE_LIMITED', message: 'the tenant has used 12 costly rules within a minute; retry later, or use fewer values' } },
  })
  expect((await put(1, cheap)).status).toBe(200)
  expect((await put(0, costly, other)).status).toBe(200)
  server.io.elapsedNowMs += limits.rules.costlyChangesMs
  expect((await put(0, costly)).status).toBe(200)
})
