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

  const except = (...selections: readonly object[]) =>
    ({ exceptions: selections.map((here) => ({ detection: { here, condition: 'not here' } })) })
  const ofWeb1 = except({ Computer: 'web-1' })

  test.for<[title: string, body: object, result: object]>([
    ['a stored rule with an exception', { rule_ids: [id(1)], ...ofWeb1 }, { matches_total: 1, hosts: [{ value: 'web-2', count: 1 }], comparison: null }],
    ['with several', { rule_ids: [id(1)], ...except({ Computer: 'web-2' }, { User: 'ACME\\bob' }) }, { matches_total: 1 }],
    ['with one of nothing', { rule_ids: [id(1)], ...except({ Computer: 'web-9' }) }, { matches_total: 3 }],
    ['several stored rules', { rule_ids: [id(1), id(2)], ...ofWeb1 }, { matches_total: 1, rules: [{ id: id(1), matches_total: 1 }] }],
    ['a text', { definition: withSystem, ...ofWeb1 }, { matches_total: 1 }],
    ['a stored rule, compared with itself without them', { rule_ids: [id(1)], compare: true, ...ofWeb1 }, {
      matches_total: 1,
      comparison: {
        stored_matches_total: 3, added: { total: 0 },
        gone: { total: 2, examples: [{ event: { user: 'ACME\\alice', host: 'web-1' } }, { event: { user: 'ACME\\bob' } }] },
      },
    }],
    ['a text, compared with the stored rule', { rule_ids: [id(1)], definition: withSystem, compare: true, ...except({ User: 'ACME\\alice' }) }, {
      matches_total: 2, comparison: { gone: { total: 2 }, added: { total: 1 } },
    }],
  ])('exceptions are tried: %s', async ([, body, result]) => {
    const { exceptions } = body as typeof ofWeb1
    expect((await runJob(body)).job).toMatchObject({ status: 'succeeded', exceptions, result })
    const { entries: [entry] } = await server.app.state.audit.list(onlyTenant, { limit: 1 })
    expect(entry).toMatchObject({ action: 'backtest.create', diff: { exceptions: exceptions.length } })
  })

  test('exceptions are tried besides those in force, and not stored with the rule', async () => {
    const filters = [{ detection: { b: { User: 'ACME\\bob' }, condition: 'not b' }, reason: 'a trial', expires_at: '2026-11-21T00:00:00Z' }]
    await server.call('PUT', `${base}/${id(1)}`, { body: { filters } })
    const { job } = await runJob({ rule_ids: [id(1)], compare: true, ...except({ Computer: 'web-2' }) })
    expect(job.result).toMatchObject({ matches_total: 1, comparison: { stored_matches_total: 2, gone: { total: 1 } } })
    expect(await server.call('GET', `${base}/${id(1)}`)).toMatchObject({ body: { filters: [{ reason: 'a trial' }] } })
    await server.call('PUT', `${base}/${id(1)}`, { body: { filters: [] } })
  })

  test.for<[title: string, body: object, path: string]>([
    ['an unknown modifier', { rule_ids: [id(1)], ...except({ User: 'a' }, { 'User|like': 'a' }) }, 'exceptions.1.detection.here.User|like'],
    ['one of a text', { definition: exceptBob, ...except({ 'User|like': 'a' }) }, 'exceptions.0.detection.here.User|like'],
    ['no selection', { rule_ids: [id(1)], exceptions: [{ detection: { condition: 'not here' } }] }, 'exceptions.0.detection.condition'],
    ['rules of its own', { rule_ids: [id(1)], exceptions: [{ detection: { rules: 'any' } }] }, 'exceptions.0.detection.rules'],
    ['a correlation', { definition: correlation, ...ofWeb1 }, 'exceptions'],
    ['very much work', { rule_ids: [id(1)], ...except({ User: Array.from({ length: 60_000 }, (_, number) => `v${number}`) }) }, 'exceptions.0'],
  ])('refuses exceptions with %s', async ([, body, path]) => {
    const { status, body: refusal } = await begin(body)
    expect(refusal).toMatchObject({ error: { code: 'INVALID_RULE', details: { errors: [{ path }] } } })
    expect(status).toBe(400)
  })

  test('exceptions of many rules share one budget', async () => {
    const many = Array.from({ length: 120 }, (_, number) => `0198f1c0-7a10-4c3e-9b1e-${String(number).padStart(12, '0')}`)
    const other = await openTestServer(many.map((one) => encodedPowerShell.replace(id(1), one)))
    const ask = (valueCount: number) => other.call('POST', path, {
      body: { rule_ids: many, ...except({ User: Array.from({ length: valueCount }, (_, number) => `v${number}`) }) },
    })
    expect(await ask(1)).toMatchObject({ status: 202 })
    expect(await ask(900)).toMatchObject({ status: 400, body: { error: { code: 'INVALID_RULE', details: { errors: [{ code: 'LIMIT_EXCEEDED' }] } } } })
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
    ['a comparison of nothing', { rule_ids: [id(1)], compare: true, exceptions: [] }, 400, 'INVALID_BODY'],
    ['very many exceptions', { rule_ids: [id(1)], ...except(...Array.from({ length: 51 }, () => ({ User: 'a' }))) }, 400, 'INVALID_BODY'],
    ['an exception without a detection', { rule_ids: [id(1)], exceptions: [{}] }, 400, 'INVALID_BODY'],
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
