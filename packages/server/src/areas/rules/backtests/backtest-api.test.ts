import { backtestJobSchema, backtestListSchema, backtestSchema } from '@tripline/contract/console/backtest'
import { anySshLogin, encoded, encodedPowerShell } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import { memoryEvents } from '@tripline/storage/test/events/memory-events'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../../test/open-test-server.ts'
import type { TestServer } from '../../../../test/open-test-server.ts'
import { parseNewEvent } from '../../search/new-event.ts'

const base = '/v1/detection/rules'
const id = (number: number): string => `0198f1c0-7a10-4c3e-9b1e-2f6a3a1f000${number}`
const nowMs = Date.UTC(2026, 10, 20, 10)
const minuteMs = 60_000

/** An event some minutes before now. */
function minutesAgo(minutes: number, fields: object) {
  return { ...encoded, '@timestamp': new Date(nowMs - minutes * minuteMs).toISOString(), ...fields }
}

/** Six events of today, and one of the day before yesterday: who ran what. */
const events = [
  minutesAgo(2_000, { User: 'ACME\\old' }),
  minutesAgo(60, { User: 'ACME\\alice' }),
  minutesAgo(50, { User: 'ACME\\alice', Computer: 'web-2' }),
  minutesAgo(40, { User: 'ACME\\bob' }),
  minutesAgo(30, { User: 'SYSTEM' }),
  minutesAgo(20, { User: 'ACME\\alice', CommandLine: 'powershell dir' }),
  minutesAgo(10, { User: 'ACME\\alice', Image: 'C:\\cmd.exe' }),
]

const correlation = `title: Many
correlation: { type: event_count, rules: [${id(1)}], group-by: [User], timespan: 15m, condition: { gte: 2 } }
`
const withSystem = encodedPowerShell.replace(' and not filter', '').replace("' -enc'", "'-enc '")
const exceptBob = encodedPowerShell.replace('User: SYSTEM', 'User: ACME\\bob')

let server: TestServer
beforeAll(async () => {
  const store = memoryEvents()
  server = await openTestServer([encodedPowerShell, anySshLogin], { events: store })
  for (const event of events) {
    const read = parseNewEvent(Buffer.from(JSON.stringify(event)), nowMs)
    if ('reason' in read) throw new Error(read.reason)
    await store.append(onlyTenant, [read.event])
  }
})

const run = (ruleId: string, body: object) => server.call('POST', `${base}/${ruleId}/backtest`, { body })

test('reports when, for whom and where a rule would have matched', async () => {
  const { status, body } = await run(id(1), {})
  expect(status).toBe(200)
  const { histogram, examples, ...rest } = backtestSchema.parse(body)
  expect(rest).toEqual({
    rule_id: id(1), from: '2026-11-19T10:00:00.000Z', to: '2026-11-20T10:00:00.000Z',
    events_evaluated: 3, matches_total: 3,
    users: [{ value: 'ACME\\alice', count: 2 }, { value: 'ACME\\bob', count: 1 }],
    hosts: [{ value: 'web-1', count: 2 }, { value: 'web-2', count: 1 }],
    processes: [{ value: 'powershell.exe', count: 3 }],
    rules: [{ id: id(1), title: 'Encoded PowerShell', matches_total: 3 }],
    comparison: null, truncated: false, took_ms: 0,
  })
  expect(histogram.reduce((sum, { count }) => sum + count, 0)).toBe(3)
  expect(examples[0]).toEqual({
    timestamp: '2026-11-20T09:00:00.000Z',
    matched_conditions: ['selection_img: Image|endswith=\\powershell.exe', 'selection_cli: CommandLine|contains= -enc'],
    event: { process_name: 'powershell.exe', command_line: encoded.CommandLine, user: 'ACME\\alice', host: 'web-1' },
  })
})

describe('what matches', () => {
  test.for<[title: string, ruleId: string, body: object, matchCount: number]>([
    ['in a longer range', id(1), { from: '2026-11-18T00:00:00Z' }, 4],
    ['in a range of others', id(1), { from: '2026-11-18T00:00:00Z', to: '2026-11-19T12:00:00Z' }, 1],
    ['of a rule without events', id(2), {}, 0],
    ['of a text over a rule', id(1), { definition: withSystem }, 4],
    ['of a new rule', 'new', { definition: exceptBob }, 3],
    ['of a correlation of stored rules', 'new', { definition: correlation }, 1],
  ])('%s', async ([, ruleId, body, matchCount]) => {
    expect(await run(ruleId, body)).toMatchObject({
      status: 200, body: { matches_total: matchCount, truncated: false, rule_id: ruleId === 'new' ? null : ruleId },
    })
  })

  test('excludes the rule\'s exceptions', async () => {
    const filters = [{ detection: { b: { User: 'ACME\\bob' }, condition: 'not b' }, reason: 'a trial', expires_at: '2026-11-21T00:00:00Z' }]
    await server.call('PUT', `${base}/${id(1)}`, { body: { filters } })
    expect(await run(id(1), {})).toMatchObject({ body: { matches_total: 2 } })
    await server.call('PUT', `${base}/${id(1)}`, { body: { filters: [] } })
  })

  test('is isolated by tenant', async () => {
    const token = await server.tokenOf(['analyst'], 'other')
    expect(await server.call('POST', `${base}/${id(1)}/backtest`, { token, body: {} })).toMatchObject({ status: 200, body: { matches_total: 0 } })
  })
})

test('a comparison lists lost and new matches', async () => {
  const answer = await run(id(1), { definition: exceptBob, compare: true })
  expect(answer).toMatchObject({
    status: 200,
    body: {
      matches_total: 3,
      comparison: {
        stored_matches_total: 3,
        gone: { total: 1, examples: [{ event: { user: 'ACME\\bob' } }] },
        added: { total: 1, examples: [{ event: { user: 'SYSTEM' } }] },
      },
    },
  })
})

test('a tenant runs two at once, and a third is refused', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => run(id(1), {})))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 503])
  expect(await run(id(1), {})).toMatchObject({ status: 200 })
})

test('a rule of very many values is run in small steps', async () => {
  const values = Array.from({ length: 5_000 }, (_, number) => `v${number}*`).join(', ')
  const definition = encodedPowerShell.replace("' -enc'", `[' -enc', ${values}]`)
  expect(await run(id(1), { definition })).toMatchObject({ status: 200, body: { matches_total: 3, truncated: false } })
})

test('a backtest has no side effects', async () => {
  const before = (await server.call('GET', `${base}/${id(1)}`)).body
  await run(id(1), { definition: exceptBob })
  expect((await server.call('GET', `${base}/${id(1)}`)).body).toEqual(before)
})

describe('refuses', () => {
  test.for<[title: string, ruleId: string, body: object, status: number, code: string]>([
    ['a rule that is not there', id(9), {}, 404, 'NOT_FOUND'],
    ['a new rule without a text', 'new', {}, 400, 'INVALID_BODY'],
    ['a text that does not compile', id(1), { definition: 'title: x' }, 400, 'INVALID_RULE'],
    ['a comparison with nothing', 'new', { definition: exceptBob, compare: true }, 400, 'INVALID_BODY'],
    ['a comparison of nothing', id(1), { compare: true }, 400, 'INVALID_BODY'],
    ['an end before the start', id(1), { from: '2026-11-20T00:00:00Z', to: '2026-11-19T00:00:00Z' }, 400, 'INVALID_BODY'],
    ['a range that is too long', id(1), { from: '2025-10-01T00:00:00Z' }, 400, 'INVALID_BODY'],
    ['a time that is none', id(1), { from: 'yesterday' }, 400, 'INVALID_BODY'],
    ['an unknown field', id(1), { since: '2026-11-20T00:00:00Z' }, 400, 'INVALID_BODY'],
  ])('%s', async ([, ruleId, body, status, code]) => {
    expect(await run(ruleId, body)).toMatchObject({ status, body: { error: { code } } })
  })
})

describe('beside requests', () => {
  const path = '/v1/detection/backtests'
  const begin = (body: object, token?: string) => server.call('POST', path, { body, ...(token !== undefined && { token }) })
  const untilIdle = (): Promise<void> => server.app.delivery.backtests.untilIdle()

  /** Begins one, waits for it and returns what became of it. */
  async function runJob(body: object) {
    const { status, headers, body: begun } = await begin(body)
    expect(status).toBe(202)
    const { status_url: url, status: first } = backtestJobSchema.parse(begun)
    expect([headers['location'], first]).toEqual([url, 'queued'])
    await untilIdle()
    return { url, job: backtestJobSchema.parse((await server.call('GET', url)).body) }
  }

  test('rules run over stored events, and the result is kept', async () => {
    const { url, job } = await runJob({ rule_ids: [id(1), id(2)] })
    expect(job).toMatchObject({
      status: 'succeeded', progress: 100, rule_ids: [id(1), id(2)], definition: null, error: null, finished_at: '2026-11-20T10:00:00.000Z',
      result: { matches_total: 3, rules: [{ id: id(1), matches_total: 3 }], rule_id: null, truncated: false },
    })
    const { backtests } = backtestListSchema.parse((await server.call('GET', path)).body)
    expect(backtests[0]).toMatchObject({ status_url: url, status: 'succeeded' })
  })

  test('a changed text is compared with the stored rule', async () => {
    const { job } = await runJob({ rule_ids: [id(1)], definition: exceptBob, compare: true })
    expect(job).toMatchObject({ definition: exceptBob, compare: true, result: { matches_total: 3, comparison: { gone: { total: 1 }, added: { total: 1 } } } })
  })

  test('one that is removed before it ends leaves nothing', async () => {
    const urls = await Promise.all([1, 2, 3].map(async () => backtestJobSchema.parse((await begin({ rule_ids: [id(1)] })).body).status_url))
    for (const url of urls) expect(await server.call('DELETE', url)).toMatchObject({ status: 204 })
    await untilIdle()
    for (const url of urls) expect(await server.call('GET', url)).toMatchObject({ status: 404 })
    expect(await server.call('DELETE', urls[0]!)).toMatchObject({ status: 404 })
  })

  test('is another tenant\'s own', async () => {
    const { url } = await runJob({ rule_ids: [id(1)] })
    const token = await server.tokenOf(['analyst'], 'other')
    for (const method of ['GET', 'DELETE']) expect(await server.call(method, url, { token })).toMatchObject({ status: 404 })
    expect(await server.call('GET', path, { token })).toMatchObject({ body: { backtests: [] } })
  })

  test.for<[title: string, body: object, status: number, code: string]>([
    ['a rule that is not there', { rule_ids: [id(9)] }, 404, 'NOT_FOUND'],
    ['no rule and no text', {}, 400, 'INVALID_BODY'],
    ['a text for two rules', { rule_ids: [id(1), id(2)], definition: exceptBob }, 400, 'INVALID_BODY'],
    ['a text that does not compile', { definition: 'title: x' }, 400, 'INVALID_RULE'],
    ['a range that is too long', { rule_ids: [id(1)], from: '2025-10-01T00:00:00Z' }, 400, 'INVALID_BODY'],
  ])('refuses %s', async ([, body, status, code]) => {
    expect(await begin(body)).toMatchObject({ status, body: { error: { code } } })
  })

  test('is for those who may run backtests', async () => {
    expect(await begin({ rule_ids: [id(1)] }, await server.tokenOf(['viewer']))).toMatchObject({ status: 403 })
  })
})
