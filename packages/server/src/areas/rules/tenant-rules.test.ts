import { ruleDetailSchema, ruleListSchema } from '@tripline/contract/console/rule'
import type { RuleDetail } from '@tripline/contract/console/rule'
import { changedRuleSchema } from '@tripline/contract/console/rule-change'
import { encoded, encodedPowerShell, unsupported, whoami } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'
import { checkRule } from './check-rule.ts'

const base = '/v1/detection/rules'
const id = (number: number): string => `0198f1c0-7a10-4c3e-9b1e-2f6a3a1f000${number}`
const path = `${base}/${id(1)}`
const own = 'title: Ours\nlogsource: { category: process_creation }\ndetection: { s: { Image|endswith: cmd.exe }, condition: s }\n'

async function detailOf(server: TestServer, ruleId: string, token?: string): Promise<RuleDetail> {
  return ruleDetailSchema.parse((await server.call('GET', `${base}/${ruleId}`, token === undefined ? {} : { token })).body)
}

/** How often a rule matches an event that comes now. */
async function matchesOf(server: TestServer, ruleId: string, event: object): Promise<number> {
  const count = async () => (await server.app.activity.of(onlyTenant)).totalsOf(ruleId).matches
  const before = await count()
  expect(await server.call('POST', '/ingest/v1/events', { body: event })).toMatchObject({ status: 202 })
  return (await count()) - before
}

describe('rules of two tenants', () => {
  let server: TestServer
  let other: string
  beforeEach(async () => {
    server = await openTestServer([encodedPowerShell, whoami])
    other = await server.tokenOf(['engineer'], 'other')
  })

  test('start as the built-in ones and change independently', async () => {
    const fresh = await detailOf(server, id(1))
    expect(await detailOf(server, id(1), other)).toMatchObject({ title: fresh.title, version: 1, origin: 'builtin' })
    await server.call('PUT', path, { token: other, body: { title: 'Theirs', enabled: false } })
    expect(await detailOf(server, id(1), other)).toMatchObject({ title: 'Theirs', enabled: false, version: 2, origin: 'modified' })
    expect(await detailOf(server, id(1))).toEqual(fresh)
    expect(await matchesOf(server, id(1), encoded)).toBe(1)
  })

  test('cannot be read, changed, deleted or referenced by another tenant', async () => {
    const created = await server.call('POST', base, { token: other, body: { definition: own } })
    const { id: theirs } = changedRuleSchema.parse(created.body)
    for (const [method, suffix] of [['GET', ''], ['PUT', ''], ['DELETE', ''], ['POST', '/reset'], ['POST', '/test'], ['GET', '/matches']] as const) {
      const body = { PUT: { enabled: false }, POST: suffix === '/test' ? { events: [] } : undefined, GET: undefined, DELETE: undefined }[method]
      const answer = await server.call(method, `${base}/${theirs}${suffix}`, body && { body })
      expect(answer, `${method} ${suffix}`).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
    }
    expect(ruleListSchema.parse((await server.call('GET', base)).body).rules).toHaveLength(2)
    expect(ruleListSchema.parse((await server.call('GET', base, { token: other })).body).rules).toHaveLength(3)
    const naming = `title: Many\ncorrelation: { type: event_count, rules: [${theirs}], timespan: 1m, condition: { gte: 2 } }\n`
    expect(await server.call('POST', base, { body: { definition: naming } })).toMatchObject({ status: 400, body: { error: { code: 'INVALID_RULE' } } })
    expect(await server.call('POST', base, { token: other, body: { definition: naming } })).toMatchObject({ status: 201 })
    // The same id may be taken in each tenant.
    expect(await server.call('POST', base, { body: { definition: `id: ${theirs}\n${own}` } })).toMatchObject({ status: 201 })
  })

  test('have separate audit trails', async () => {
    await server.call('PUT', path, { token: other, body: { level: 'low' } })
    expect((await server.app.state.audit.list('other', { limit: 1 })).entries).toMatchObject([{ action: 'rule.update', diff: { level: ['high', 'low'] } }])
    expect((await server.app.state.audit.list(onlyTenant, { limit: 9 })).entries.filter(({ action }) => action.startsWith('rule.'))).toEqual([])
  })
})

test('statistics of a rule continue while it is changed, disabled and enabled', async () => {
  const server = await openTestServer([encodedPowerShell])
  const totals = async () => (await server.app.activity.of(onlyTenant)).totalsOf(id(1))
  const ingest = () => server.call('POST', '/ingest/v1/events', { body: encoded })
  await ingest()
  for (const body of [{ level: 'low' }, { enabled: false }, { enabled: true }, { tags: null }]) {
    const before = await totals()
    await server.call('PUT', path, { body })
    expect(await totals()).toEqual(before)
    await ingest()
  }
  expect(await totals()).toEqual({ evaluations: 4, matches: 4 })
})

describe('after a restart', () => {
  let folder: string
  let disk: SimulatedDisk
  let startedAt = Date.UTC(2026, 10, 20, 10)
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rules-'))
    disk = new SimulatedDisk()
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const open = (rules: readonly string[]) => {
    startedAt += 60_000
    return openTestServer(rules, { statePath: join(folder, 'state.db'), disk, startedAt })
  }

  test('rules are unchanged', async () => {
    const first = await open([encodedPowerShell, whoami])
    await first.call('PUT', path, { body: { level: 'low', tests: [{ event: encoded, match: true }] } })
    await first.call('PUT', `${base}/${id(3)}`, { body: { enabled: false } })
    const { id: ownId } = changedRuleSchema.parse((await first.call('POST', base, { body: { definition: own } })).body)
    const before = await Promise.all([id(1), id(3), ownId].map((ruleId) => detailOf(first, ruleId)))
    await first.app.state.close()
    const second = await open([encodedPowerShell, whoami])
    expect(await Promise.all([id(1), id(3), ownId].map((ruleId) => detailOf(second, ruleId)))).toEqual(before)
    expect(await matchesOf(second, ownId, { ...encoded, Image: 'C:\\cmd.exe' })).toBe(1)
    expect(await matchesOf(second, id(3), { ...encoded, Image: 'C:\\whoami.exe' })).toBe(0)
    expect(await second.call('PUT', path, { body: { level: 'medium' } })).toMatchObject({ body: { version: 3 } })
    await second.app.state.close()
  })

  test('with newer built-in rules, unmodified ones are updated and modified ones kept', async () => {
    const first = await open([encodedPowerShell, whoami, unsupported])
    await first.call('PUT', path, { body: { level: 'low' } })
    await first.call('PUT', `${base}/${id(3)}`, { body: { enabled: false } })
    await first.app.state.close()
    const second = await open([encodedPowerShell.replace('level: high', 'level: critical'), whoami.replace('Whoami', 'Who is it')])
    expect(await detailOf(second, id(1))).toMatchObject({ level: 'low', origin: 'modified', version: 2 })
    expect(await detailOf(second, id(3))).toMatchObject({ title: 'Who is it', enabled: false, origin: 'builtin', version: 2 })
    expect(await second.call('POST', `${path}/reset`)).toMatchObject({ body: { level: 'critical', origin: 'builtin', version: 3 } })
    await second.app.state.close()
  })

  test('without the built-in rules, modified ones become custom and states are ignored', async () => {
    const first = await open([encodedPowerShell, whoami])
    await first.call('PUT', path, { body: { level: 'low' } })
    await first.call('PUT', `${base}/${id(3)}`, { body: { enabled: false } })
    await first.app.state.close()
    const second = await open([])
    expect(ruleListSchema.parse((await second.call('GET', base)).body).rules.map((rule) => rule.id)).toEqual([id(1)])
    expect(await detailOf(second, id(1))).toMatchObject({ origin: 'custom', level: 'low' })
    expect(await second.call('DELETE', path)).toMatchObject({ status: 204 })
    expect(await second.call('POST', base, { body: { definition: whoami } })).toMatchObject({ status: 201, body: { enabled: true, version: 1 } })
    await second.app.state.close()
  })

  test('a rule that no longer compiles is listed with the reason and can be fixed', async () => {
    const named = encodedPowerShell.replace('status: stable', 'status: stable\nname: encoded')
    const first = await open([named])
    const many = 'title: Many\ncorrelation: { type: event_count, rules: [encoded], timespan: 1m, condition: { gte: 2 } }\n'
    const { id: manyId } = changedRuleSchema.parse((await first.call('POST', base, { body: { definition: many } })).body)
    await first.app.state.close()
    const second = await open([encodedPowerShell])
    expect(await detailOf(second, manyId)).toMatchObject({ title: 'Many', health: { state: 'broken', problem: expect.stringContaining('encoded') } })
    expect(second.io.logLines.join('\n')).toContain('a stored rule cannot run')
    const mended = many.replace('[encoded]', `[${id(1)}]`)
    expect(await second.call('PUT', `${base}/${manyId}`, { body: { definition: mended } })).toMatchObject({ status: 200, body: { health: { state: 'running' } } })
    await second.app.state.close()
  })
})

describe('exceptions of a rule', () => {
  const isAlice = { here: { User: 'ACME\\alice' }, condition: 'not here' }
  const soon = '2026-11-20T10:10:00.000Z'
  const exception = { detection: isAlice, reason: 'she is testing', expires_at: soon }
  const byBob = { ...encoded, User: 'ACME\\bob' }
  let server: TestServer
  beforeEach(async () => {
    server = await openTestServer([encodedPowerShell])
  })

  test('apply until they expire, and stay listed', async () => {
    const changed = await server.call('PUT', path, { body: { filters: [exception] } })
    expect(changed).toMatchObject({
      status: 200, body: { version: 2, origin: 'builtin', filters: [{ ...exception, title: 'Exception of Encoded PowerShell', owner: /@/, active: true }]
        .map((filter) => ({ ...filter, owner: expect.stringMatching(filter.owner) })) },
    })
    expect(await matchesOf(server, id(1), encoded)).toBe(0)
    expect(await matchesOf(server, id(1), byBob)).toBe(1)
    server.io.nowMs = Date.parse(soon)
    await server.app.ruleBooks.expireExceptions()
    expect(await matchesOf(server, id(1), encoded)).toBe(1)
    expect(await detailOf(server, id(1))).toMatchObject({ version: 2, filters: [{ active: false }] })
  })

  test('are tested with the rule, kept when its text changes, and can be removed', async () => {
    const { filters: [filter] } = changedRuleSchema.parse((await server.call('PUT', path, { body: { filters: [exception] } })).body)
    const tried = await server.call('POST', `${path}/test`, { body: { events: [encoded, byBob] } })
    expect(tried).toMatchObject({ body: { results: [{ matched: false }, { matched: true }] } })
    expect(await server.call('PUT', path, { body: { level: 'low' } })).toMatchObject({ body: { filters: [filter], origin: 'modified' } })
    expect(await matchesOf(server, id(1), encoded)).toBe(0)
    const { active: _active, created_at: _createdAt, ...sent } = filter!
    const again = await server.call('PUT', path, { body: { filters: [{ ...sent, reason: 'still' }, { ...exception, title: 'Another' }] } })
    expect(again).toMatchObject({ body: { filters: [{ ...filter, reason: 'still' }, { title: 'Another' }] } })
    expect(await server.call('PUT', path, { body: { filters: [] } })).toMatchObject({ body: { filters: [] } })
    expect(await matchesOf(server, id(1), encoded)).toBe(1)
    const [entry] = (await server.app.state.audit.list(onlyTenant, { limit: 1 })).entries
    expect(entry).toMatchObject({ diff: { filters: [[{ reason: 'still', expires_at: soon }, {}], []] } })
  })

  test.for<[title: string, filters: unknown, path: string | undefined]>([
    ['a selection that is none', [{ ...exception, detection: { condition: 'not here' } }], 'filters.0.detection.condition'],
    ['an unknown modifier', [{ ...exception, detection: { here: { 'User|like': 'a' }, condition: 'not here' } }], 'filters.0.detection.here'],
    ['rules of its own', [{ ...exception, detection: { ...isAlice, rules: 'any' } }], 'filters.0.detection.rules'],
    ['an end that has been', [{ ...exception, expires_at: '2026-11-20T10:00:00Z' }], 'filters.0.expires_at'],
    ['an end that is too far', [{ ...exception, expires_at: '2027-11-20T10:00:00.001Z' }], 'filters.0.expires_at'],
    ['an id that the rule does not have', [exception, { ...exception, id: 'x' }], 'filters.1.id'],
    ['no reason', [{ ...exception, reason: '' }], undefined],
    ['no end', [{ detection: isAlice, reason: 'x' }], undefined],
    ['too many', Array.from({ length: 51 }, () => exception), undefined],
  ])('%s is refused', async ([, filters, at]) => {
    const answer = await server.call('PUT', path, { body: { filters } })
    const error = at === undefined ? { code: 'INVALID_BODY' } : { code: 'INVALID_RULE', details: { errors: [{ path: expect.stringContaining(at) }] } }
    expect(answer).toMatchObject({ status: 400, body: { error } })
    expect(await detailOf(server, id(1))).toMatchObject({ version: 1, filters: [] })
  })

  test.for<[role: 'viewer' | 'analyst' | 'engineer', end: string, status: number]>([
    ['viewer', soon, 403],
    ['analyst', soon, 201],
    ['analyst', '2026-11-27T10:00:00.000Z', 201],
    ['analyst', '2026-11-27T10:00:00.001Z', 403],
    ['engineer', '2027-11-20T10:00:00.000Z', 201],
    ['engineer', '2027-11-20T10:00:00.001Z', 400],
  ])('are added by a %s until %s: %i', async ([role, end, status]) => {
    await server.call('PUT', path, { body: { filters: [{ ...exception, detection: { here: { User: 'ACME\\bob' }, condition: 'not here' } }] } })
    const token = await server.tokenOf([role])
    const answer = await server.call('POST', `${path}/exceptions`, { token, body: { ...exception, expires_at: end } })
    expect(answer.status).toBe(status)
    const isAdded = status === 201
    if (isAdded) expect(answer).toMatchObject({ headers: { etag: '"3"' }, body: { filters: [{}, { owner: expect.stringContaining(role) }] } })
    expect((await detailOf(server, id(1))).filters).toHaveLength(isAdded ? 2 : 1)
    expect(await matchesOf(server, id(1), byBob)).toBe(0)
    expect(await matchesOf(server, id(1), encoded)).toBe(isAdded ? 0 : 1)
  })

  test('are limited in number', async () => {
    const add = (headers = {}) => server.call('POST', `${path}/exceptions`, { body: exception, headers })
    expect(await add({ 'if-match': '"7"' })).toMatchObject({ status: 412 })
    await server.call('PUT', path, { body: { filters: Array.from({ length: 50 }, () => exception) } })
    expect(await add()).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT', details: { limit: 50 } } } })
  })

  test.for<[others: number, more: number, outcome: 'taken' | 'refused']>([
    [998, 1, 'taken'],
    [999, 1, 'taken'],
    [1_000, 1, 'refused'],
    [1_000, 0, 'taken'],
  ])('of a tenant are counted: %i and %i more are %s', async ([others, more, outcome]) => {
    const { filters: [filter] } = changedRuleSchema.parse((await server.call('PUT', path, { body: { filters: [exception] } })).body)
    const rules = await server.app.ruleBooks.get(onlyTenant)
    const before = rules.get(id(1))!
    const [made] = before.rule.exceptions
    expect(made?.id).toBe(filter?.id)
    const withCount = (count: number) => ({ ...before, rule: { ...before.rule, exceptions: Array.from({ length: count }, () => made!) } })
    const step = { before: withCount(others), after: withCount(others + more) }
    const checked = checkRule(rules.withChange({ put: [step.before] }), step, { isForced: false })
    if (outcome === 'taken') await expect(checked).resolves.toEqual([])
    else await expect(checked).rejects.toThrow('at most 1000 exceptions')
  })

  test('are refused for correlations', async () => {
    const many = `title: Many\ncorrelation: { type: event_count, rules: [${id(1)}], timespan: 1m, condition: { gte: 2 } }\n`
    expect(await server.call('POST', base, { body: { definition: many, filters: [exception] } })).toMatchObject({
      status: 400, body: { error: { code: 'INVALID_RULE', message: expect.stringContaining('correlation') } },
    })
  })
})

describe('correlations and the rules that they refer to', () => {
  const failed = `title: Failed
id: ${id(6)}
name: failed
logsource: { product: app }
detection: { s: { action: fail }, condition: s }
`
  const many = `title: Many
id: ${id(7)}
name: many
correlation: { type: event_count, rules: [failed], group-by: [user], timespan: 10m, condition: { gte: 3 } }
`
  const failure = (second: number) => ({
    _logsource: { product: 'app' }, '@timestamp': new Date(Date.UTC(2026, 10, 20, 9, 50, second)).toISOString(), user: 'alice', action: 'fail',
  })
  let server: TestServer
  beforeEach(async () => {
    server = await openTestServer([failed, many])
  })
  const put = (number: number, body: object) => server.call('PUT', `${base}/${id(number)}`, { body })

  async function manyMatches(): Promise<number> {
    server.io.nowMs += 3_600_000
    await server.tick()
    return (await server.app.activity.of(onlyTenant)).totalsOf(id(7)).matches
  }

  test.for<[title: string, body: object, matches: number]>([
    ['its description', { description: 'x' }, 1],
    ['its title', { title: 'Very many' }, 1],
    ['its level', { level: 'critical' }, 1],
    ['what it counts', { definition: many.replace('gte: 3', 'gte: 2').replace('[user]', '[action]') }, 0],
  ])('what was counted outlives a change of %s or not', async ([, body, matches]) => {
    await server.call('POST', '/ingest/v1/events', { body: [failure(0), failure(1)] })
    expect(await put(7, body)).toMatchObject({ status: 200, body: { effective_from_offset: 2 } })
    await server.call('POST', '/ingest/v1/events', { body: [failure(2)] })
    expect(await manyMatches()).toBe(matches)
  })

  test('continues while the referenced rule changes its title', async () => {
    await server.call('POST', '/ingest/v1/events', { body: [failure(0), failure(1)] })
    await put(6, { title: 'Failure' })
    await server.call('POST', '/ingest/v1/events', { body: [failure(2)] })
    expect(await manyMatches()).toBe(1)
  })

  test('a referenced rule cannot be deleted or renamed, nor refer back to it', async () => {
    const { id: ownId } = changedRuleSchema.parse((await server.call('POST', base, { body: { definition: `name: ours\n${own}` } })).body)
    const naming = `title: On ours\ncorrelation: { type: event_count, rules: [ours], timespan: 1m, condition: { gte: 2 } }\n`
    expect(await server.call('POST', base, { body: { definition: naming } })).toMatchObject({ status: 201 })
    expect(await server.call('DELETE', `${base}/${ownId}`)).toMatchObject({ status: 409, body: { error: { message: "the correlation 'On ours' refers to this rule; change it first" } } })
    expect(await put(6, { definition: failed.replace('name: failed', 'name: fails') })).toMatchObject({ status: 409 })
    expect(await put(6, { definition: failed.replace('name: failed', 'name: many') })).toMatchObject({ status: 400 })
    expect(await put(7, { definition: many.replace('[failed]', '[many]') })).toMatchObject({ status: 400 })
    const around = many.replaceAll('many', 'failed').replace(id(7), id(6)).replace('[failed]', '[many]')
    expect(await put(6, { definition: around })).toMatchObject({
      status: 400, body: { error: { message: 'the correlation refers to itself through the rules it lists' } },
    })
  })

  test('is idle while the referenced rule is disabled', async () => {
    await put(6, { enabled: false })
    expect(await detailOf(server, id(7))).toMatchObject({ health: { state: 'idle', problem: expect.stringContaining(id(6)) } })
    expect(await detailOf(server, id(6))).toMatchObject({ health: { state: 'not_running' } })
  })

  test('its own tests run before it is saved', async () => {
    const tests = (repeat: number) => [{ name: 'three', sequence: [{ repeat, every: '2s', event: failure(0) }], match: true }]
    expect(await put(7, { tests: tests(2) })).toMatchObject({ status: 400, body: { error: { code: 'RULE_TEST_FAILED' } } })
    expect(await put(7, { tests: tests(3) })).toMatchObject({ status: 200 })
  })
})
