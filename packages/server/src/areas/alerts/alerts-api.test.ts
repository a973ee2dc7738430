import { alertDetailSchema, alertListSchema, ruleMatchListSchema } from '@tripline/contract'
import { encodedPowerShell } from '@tripline/detection/test/rules'
import { createEventIds } from '@tripline/formats/event/event-id'
import type { NewAlert } from '@tripline/model/alert'
import { onlyTenant } from '@tripline/model/tenant'
import { newAlertWith, turnGroupingOff } from '@tripline/state/test/state-samples'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, Call, TestServer } from '../../../test/open-test-server.ts'

const ruleId = '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'
const opened = Date.UTC(2026, 10, 20, 10)

/** An id whose last digits are a number, as alerts have them. */
const id = (number: number): string => `0198f1c2-0000-8000-8000-${String(number).padStart(12, '0')}`

/** An alert of the tests, a second younger than the one before. */
function alertNumber(number: number, facts: Partial<NewAlert> & { readonly host?: string } = {}): NewAlert {
  const { host = `web-${number}`, ...rest } = facts
  const event = { processName: 'powershell.exe', commandLine: `run ${number}`, user: 'alice', host, statedTime: '2026-11-20 09:59:59.5' }
  return newAlertWith({
    id: id(number), ruleId, ruleTitle: 'Encoded PowerShell', matchedAt: opened + number * 1_000, dedupKey: `key ${number}`, event,
    dedupMs: 3_600_000, source: 'windows-sysmon', ...rest,
  })
}

/** A server whose first tenant has five alerts; `other` has one that is like the first. */
async function serverWithAlerts(): Promise<TestServer> {
  const server = await openTestServer([encodedPowerShell])
  await turnGroupingOff(server.app.state)
  await server.tokenOf(['admin'], 'other')
  const { alerts } = server.app.state
  await alerts.insert('other', [alertNumber(1), alertNumber(9)])
  await alerts.insert(onlyTenant, [
    alertNumber(1, { level: 'informational', sourceIp: '10.1.2.3' }),
    alertNumber(2, { level: 'low', sourceIp: '2001:db8::7', attack: { tactics: ['credential-access'], techniques: ['T1003.001'] } }),
    alertNumber(3, { level: 'medium', host: 'db-1', assetCriticality: 'high' }),
    alertNumber(4, { level: 'high', host: 'DB-2', ruleTitle: 'Whoami', attack: { tactics: ['discovery'], techniques: ['T1033', 'T1003'] } }),
    alertNumber(5, { level: 'critical', enrichment: { user_context: { department: 'finance', is_privileged: true, secret: 'x' }, more: 1 } }),
  ])
  await alerts.update(onlyTenant, id(3), { status: 'in_progress', assignee: 'ann@example.org' }, { expectedVersion: undefined, at: opened + 60_000 })
  await alerts.update(onlyTenant, id(4), { status: 'false_positive', by: 'ann@example.org' }, { expectedVersion: undefined, at: opened + 61_000 })
  return server
}

/** Which alerts a list has, by their numbers, in its order. */
function numbersOf({ body }: TestResponse): string {
  return alertListSchema.parse(body).alerts.map(({ id }) => Number(id.slice(-12))).join(' ')
}

const filters = (filter: object): string => `filters=${encodeURIComponent(JSON.stringify(filter))}`
const is = (field: string, op: string, value: unknown): string => filters({ field, op, value })

test('alerts are due by the response targets of the tenant, in lists and alone', async () => {
  const server = await serverWithAlerts()
  const targets = { critical: 1, high: 2, medium: 60, low: null }
  expect(await server.call('PATCH', '/v1/settings', { body: { response_targets: targets } })).toMatchObject({ status: 200, body: { response_targets: targets } })
  server.io.nowMs = opened + 65_000
  const { alerts } = alertListSchema.parse((await server.call('GET', '/v1/alerts')).body)
  const due = (seconds: number): string => new Date(opened + seconds * 1_000).toISOString()
  expect(alerts.map(({ sla }) => sla)).toEqual([
    { due_at: due(65), state: 'overdue' }, { due_at: due(124), state: 'met' }, { due_at: due(3_603), state: 'on_track' }, null, null,
  ])
  const alone = alertDetailSchema.parse((await server.call('GET', `/v1/alerts/${id(5)}`)).body)
  expect(alone.sla).toEqual({ due_at: due(65), state: 'overdue' })
  const { body } = await server.call('POST', '/v1/incidents', { body: { title: 'Due', severity: 'high' } })
  expect(body).toMatchObject({ sla: { due_at: due(185), state: 'on_track' } })
  expect((await server.call('GET', '/v1/incidents')).body).toMatchObject({ incidents: [{ sla: { due_at: due(185) } }] })
})

describe('GET /v1/alerts', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await serverWithAlerts()
  })
  const list = (query: string) => server.call('GET', `/v1/alerts?${query}`)

  test('an alert has exactly the fields of the contract', async () => {
    const { status, body } = await list('limit=1')
    expect(status).toBe(200)
    expect(alertListSchema.parse(body)).toEqual({
      alerts: [{
        id: id(5),
        rule_id: ruleId,
        rule_title: 'Encoded PowerShell',
        rule_version: 1,
        severity: 'critical',
        status: 'open',
        event: {
          timestamp: '2026-11-20T09:59:59.500Z', source: 'windows-sysmon', host: 'web-5', user: 'alice', process: 'powershell.exe', command_line: 'run 5',
        },
        enrichment: {
          user_context: { department: 'finance', is_privileged: true },
          asset_context: { criticality: 'unknown', os: '', ip: '' },
          threat_intel: { known_malicious: false, reputation_score: 0 },
        },
        mitre: { tactics: ['discovery'], techniques: ['T1033'] },
        assignee: null,
        verdict: 'unreviewed',
        reviewed_by: null,
        reviewed_at: null,
        event_count: 1,
        last_seen: '2026-11-20T10:00:05.000Z',
        first_event_at: '2026-11-20T10:00:05.000Z',
        last_event_at: '2026-11-20T10:00:05.000Z',
        incident_id: null,
        sla: null, reopened_count: 0, acknowledged_at: null, closed_at: null,
        created_at: '2026-11-20T10:00:05.000Z',
        updated_at: '2026-11-20T10:00:05.000Z',
      }],
      pagination: { page: 1, size: 1, total: 5, next_cursor: expect.stringMatching(/^[\w-]+$/) },
      took_ms: 0,
      total_estimate: 5,
      truncated: false,
      query_warnings: [],
    })
  })

  test.for<[query: string, numbers: string]>([
    ['', '5 4 3 2 1'],
    ['severity=low', '2 1'],
    ['severity=low,critical', '5 2 1'],
    ['severity=low&severity=medium', '3 2 1'],
    ['status=investigating', '3'],
    ['status=open,false_positive', '5 4 2 1'],
    ['from=2026-11-20T10:00:03Z', '5 4 3'],
    ['to=2026-11-20T10:00:03Z', '2 1'],
    ['from=2026-11-20T10:00:02Z&to=2026-11-20T11:00:04%2B01:00', '3 2'],
    ['to=2026-11-20', ''],
    ['sort=created_at', '1 2 3 4 5'],
    ['sort=severity:asc', '1 2 3 4 5'],
    ['sort=status:asc,created_at:desc', '4 3 5 2 1'],
    ['sort=updated_at:desc&limit=2', '4 3'],
    ['page=2&size=2', '3 2'],
    ['page=9&size=2', ''],
    ['size=3', '5 4 3'],
    ['q=WHOAMI', '4'],
    ['q=web-', '5 2 1'],
    ['q=run%203', '3'],
    ['q=%25', ''],
    [is('severity', 'eq', 'low'), '2 1'],
    [is('severity', 'gt', 'low'), '5 4 3'],
    [is('severity', 'lt', 'low'), ''],
    [is('status', 'ne', 'open'), '4 3'],
    [is('host', 'prefix', 'db'), '4 3'],
    [is('host', 'in', ['db-1', 'web-1']), '3 1'],
    [is('assignee', 'exists', true), '3'],
    [is('asset_criticality', 'eq', 'high'), '3'],
    [is('source_ip', 'cidr', '10.0.0.0/8'), '1'],
    [is('source_ip', 'cidr', '2001:db8::/32'), '2'],
    [is('source_ip', 'cidr', '0.0.0.0/0'), '1'],
    [is('technique', 'eq', 'T1003'), '4 2'],
    [is('technique', 'eq', 'T1003.001'), '2'],
    [is('technique', 'nin', ['T1003']), '5 3 1'],
    [is('tactic', 'eq', 'TA0006'), '2'],
    [is('tactic', 'ne', 'Discovery'), '2'],
    [is('verdict', 'eq', 'false_positive'), '4'],
    [is('created_at', 'between', ['2026-11-20T10:00:02Z', '2026-11-20T10:00:03Z']), '3 2'],
    [`severity=low,medium&q=web&${is('host', 'ne', 'web-1')}`, '2'],
    [filters({ and: [{ field: 'severity', op: 'in', value: ['high', 'medium'] }, { not: { field: 'host', op: 'prefix', value: 'DB-2' } }] }), '3'],
  ])('%s', async ([query, numbers]) => {
    const answered = await list(query)
    expect(answered.status).toBe(200)
    expect(numbersOf(answered)).toBe(numbers)
  })

  test.for<[query: string, code: string, details: object]>([
    ['severity=info', 'INVALID_PARAMETER', { parameter: 'severity', value: 'info', allowed: ['low', 'medium', 'high', 'critical'] }],
    ['status=in_progress', 'INVALID_PARAMETER', { parameter: 'status' }],
    ['from=yesterday', 'INVALID_PARAMETER', { parameter: 'from', value: 'yesterday' }],
    ['from=2026-11-20&to=2026-11-20', 'INVALID_PARAMETER', { parameter: 'from', value: '2026-11-20' }],
    ['limit=0', 'INVALID_PARAMETER', { parameter: 'limit' }],
    ['limit=1e3', 'INVALID_PARAMETER', { parameter: 'limit' }],
    ['page=0', 'INVALID_PARAMETER', { parameter: 'page' }],
    ['page=51&size=200', 'INVALID_PARAMETER', { parameter: 'page' }],
    ['page=1&limit=5', 'INVALID_PARAMETER', { parameter: 'limit' }],
    ['size=5&cursor=x', 'INVALID_PARAMETER', { parameter: 'cursor' }],
    ['sort=user', 'INVALID_QUERY_FIELD', { field: 'user', allowed: ['severity', 'status', 'rule_title', 'host', 'created_at', 'updated_at', 'event_count'] }],
    ['sort=', 'INVALID_QUERY_FIELD', { field: '' }],
    ['sort=id;drop', 'INVALID_QUERY_FIELD', { field: 'id;drop' }],
    ['sort=host:up', 'INVALID_PARAMETER', { parameter: 'sort', allowed: ['asc', 'desc'] }],
    ['sort=host:asc:asc', 'INVALID_PARAMETER', { parameter: 'sort' }],
    ['sort=host,host:desc', 'INVALID_PARAMETER', { parameter: 'sort' }],
    ['sort=host,status,severity,created_at,updated_at', 'INVALID_PARAMETER', { parameter: 'sort' }],
    [is('tenant_id', 'eq', 'other'), 'INVALID_QUERY_FIELD', { field: 'tenant_id', allowed: expect.arrayContaining(['host']) }],
    [is('host', 'regex', '.*'), 'INVALID_PARAMETER', { parameter: 'filters', path: 'filters.op' }],
    ['filters=%7B', 'INVALID_PARAMETER', { parameter: 'filters' }],
    [`q=${'x'.repeat(1_001)}`, 'INVALID_PARAMETER', { parameter: 'q' }],
    ['cursor=', 'INVALID_CURSOR', {}],
    ['cursor=djE', 'INVALID_CURSOR', {}],
    [`cursor=${'A'.repeat(5_000)}`, 'INVALID_CURSOR', {}],
  ])('%s is %s', async ([query, code, details]) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { error: { code, ...(Object.keys(details).length > 0 && { details }) } } })
  })

  test.for<[query: string, warnings: string[]]>([
    ['limit=501', ['limit_cut_to:500']],
    ['limit=500', []],
    ['size=201', ['size_cut_to:200']],
    ['foo=1&tenant=other', ['unknown_parameter:foo', 'unknown_parameter:tenant']],
  ])('%s: %j', async ([query, warnings]) => {
    expect(alertListSchema.parse((await list(query)).body).query_warnings).toEqual(warnings)
  })

  const cursorOf = async (query: string): Promise<string> => alertListSchema.parse((await list(query)).body).pagination.next_cursor ?? ''

  test('a cursor leads to the next page, also from a numbered page', async () => {
    const second = await list(`limit=2&sort=severity:desc&cursor=${await cursorOf('page=1&size=2&sort=severity:desc')}`)
    expect(numbersOf(second)).toBe('3 2')
    expect(alertListSchema.parse(second.body).pagination).toMatchObject({ page: 2, size: 2, total: 5 })
    const { next_cursor: next } = alertListSchema.parse(second.body).pagination
    const last = await list(`limit=2&sort=severity:desc&cursor=${next}`)
    expect(numbersOf(last)).toBe('1')
    expect(alertListSchema.parse(last.body).pagination).toMatchObject({ page: 3, next_cursor: null })
  })

  test.for<[title: string, query: string]>([
    ['another order', 'limit=2&sort=severity:asc'],
    ['another filter', `limit=2&${is('host', 'ne', 'x')}`],
    ['another severity', 'limit=2&severity=low'],
    ['another text', 'limit=2&q=web'],
  ])('a cursor of %s is none', async ([, query]) => {
    expect(await list(`${query}&cursor=${await cursorOf('limit=2')}`)).toMatchObject({ status: 400, body: { error: { code: 'INVALID_CURSOR' } } })
  })

  test('a cursor is valid for one tenant, one list and one day', async () => {
    const cursor = await cursorOf('limit=2')
    const refused = { status: 400, body: { error: { code: 'INVALID_CURSOR' } } }
    expect(await server.call('GET', `/v1/alerts?limit=2&cursor=${cursor}`, { token: await server.tokenOf(['viewer'], 'other') })).toMatchObject(refused)
    expect(await server.call('GET', `/v1/audit?limit=2&cursor=${cursor}`)).toMatchObject(refused)
    expect(await list(`limit=2&cursor=${cursor.slice(0, -2)}AA`)).toMatchObject(refused)
    const then = server.io.nowMs
    try {
      server.io.nowMs = then + 86_400_000
      const token = await server.tokenOf(['viewer'])
      expect(await server.call('GET', `/v1/alerts?limit=2&cursor=${cursor}`, { token })).toMatchObject(refused)
    } finally {
      server.io.nowMs = then
    }
  })
})

describe('GET /v1/alerts/{id}', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await serverWithAlerts()
    await server.app.state.alerts.insert(onlyTenant, [alertNumber(21, { dedupKey: 'key 1', matchedAt: opened + 2_000, evidence: '{"n":9007199254740993,"__proto__":{"a":1}}' })])
    const condition = 'correlation: value_sum 1048576>=1000000 in 1h, approximate: window within 3516 ms, degraded'
    const correlation = { condition, isDegraded: true, approximate: { relativeError: 0, windowErrorMs: 3_515.6 } }
    await server.app.state.alerts.insert(onlyTenant, [alertNumber(22, { enrichment: { correlation } })])
  })
  const get = (number: number, call: Call = {}) => server.call('GET', `/v1/alerts/${id(number)}`, call)

  test('says how far to trust the correlation that raised it', async () => {
    const correlationOf = async (number: number) => alertDetailSchema.parse((await get(number)).body).correlation
    expect(await correlationOf(22)).toEqual({
      condition: expect.stringContaining('value_sum'), degraded: true, approximate: { relative_error: 0, window_error_ms: 3_515.6 },
    })
    expect(await correlationOf(1)).toBeNull()
  })

  test('has comments and evidence, and an ETag of its version', async () => {
    const answered = await get(1)
    expect(answered.headers['etag']).toBe('"2"')
    const { comments, evidence, ...alert } = alertDetailSchema.parse(answered.body)
    expect(comments).toEqual([])
    expect(evidence.map(({ match_id: match }) => match)).toEqual([id(1), id(21)])
    expect(evidence[0]).toEqual({ match_id: id(1), timestamp: '2026-11-20T10:00:01.000Z', event_id: null, event: { n: 1 } })
    expect(Object.keys(evidence[1]?.event ?? {})).toEqual(['n', '__proto__'])
    expect(alert).toMatchObject({ id: id(1), severity: 'low', severity_raw: 'info', event_count: 2, last_seen: '2026-11-20T10:00:02.000Z' })
  })

  test('is found by the id of any match', async () => {
    expect((await get(21)).body).toEqual((await get(1)).body)
  })

  test.for<[header: string, status: number]>([
    ['"2"', 304], ['W/"2"', 304], ['"1", "2"', 304], ['*', 304], ['"1"', 200], ['"22"', 200], ['2', 200],
  ])('If-None-Match: %s is %i', async ([header, status]) => {
    const answered = await get(1, { headers: { 'if-none-match': header } })
    expect(answered).toMatchObject({ status, headers: { etag: '"2"', 'x-request-id': expect.any(String) } })
    expect(answered.body === undefined).toBe(status === 304)
  })

  test('an alert of another tenant is not found, like an unknown one', async () => {
    const [foreign, unknown] = [await get(9), await get(99)]
    expect(foreign.status).toBe(404)
    const withoutRequest = ({ body }: TestResponse) => ({ ...(body as { error: object }).error, request_id: '' })
    expect(withoutRequest(foreign)).toEqual(withoutRequest(unknown))
  })

  test('an event leads to the alerts that it is part of, in its tenant alone', async () => {
    const eventRef = { occurredAt: opened, by: 'offset', number: 7 } as const
    const { state, keys } = server.app
    await state.alerts.insert(onlyTenant, [
      alertNumber(41, { eventRef }), alertNumber(42, { eventRef }), alertNumber(43, { eventRef: { ...eventRef, number: 8 } }),
    ])
    const printId = (tenant: string) => createEventIds(keys.cursor, tenant).print(eventRef)
    const listOf = async (eventId: string, call: Call = {}) =>
      await server.call('GET', `/v1/alerts?sort=created_at:asc&event_id=${eventId}`, call)
    const read = async (eventId: string, call: Call = {}) =>
      alertListSchema.parse((await listOf(eventId, call)).body).alerts.map((alert) => alert.id)
    expect(await read(printId(onlyTenant))).toEqual([id(41), id(42)])
    expect(await read(`${printId(onlyTenant)}&severity=critical`)).toEqual([])
    expect(await read(printId('other'))).toEqual([])
    expect(await read(printId('other'), { token: await server.tokenOf(['viewer'], 'other') })).toEqual([])
    expect(await listOf('7')).toMatchObject({ status: 400, body: { error: { code: 'INVALID_PARAMETER', details: { parameter: 'event_id' } } } })
    const exported = await server.call('GET', `/v1/exports/alerts?event_id=${printId(onlyTenant)}`)
    expect((exported.body as readonly { readonly id: string }[]).map((row) => row.id).sort()).toEqual([id(41), id(42)])
  })

  test('events beyond the response size are null', async () => {
    const large = JSON.stringify({ text: 'x'.repeat(3_000_000) })
    await server.app.state.alerts.insert(onlyTenant, [alertNumber(31, { evidence: large }), alertNumber(32, { dedupKey: 'key 31', matchedAt: opened + 31_500, evidence: large })])
    const { evidence } = alertDetailSchema.parse((await get(31)).body)
    expect(evidence.map(({ event }) => event === null)).toEqual([false, true])
  })
})

describe('PUT /v1/alerts/{id}', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await serverWithAlerts()
  })
  const put = (number: number, body: unknown, call: Call = {}) => server.call('PUT', `/v1/alerts/${id(number)}`, { body, ...call })
  const trail = async () => (await server.app.state.audit.list(onlyTenant, { limit: 100 })).entries.length

  test('changes status, assignee and notes at once, with audit entry and notification', async () => {
    const { email } = (await server.app.state.users.list(onlyTenant))[0]!
    const answered = await put(1, { status: 'investigating', assignee: email.toUpperCase(), notes: ' looks odd ' }, { headers: { 'x-request-id': 'request-1' } })
    expect(answered).toMatchObject({ status: 200, headers: { etag: '"2"' } })
    expect(alertDetailSchema.parse(answered.body)).toMatchObject({
      status: 'investigating', assignee: email, verdict: 'unreviewed', comments: [{ author: email, content: 'looks odd', created_at: expect.any(String) }],
    })
    expect((await server.app.state.audit.list(onlyTenant, { limit: 1 })).entries).toMatchObject([{
      action: 'alert.update', target: { type: 'alert', id: id(1) }, actor: { type: 'user', email }, requestId: 'request-1', outcome: 'success',
      diff: { status: ['open', 'investigating'], assignee: [null, email], comment: [null, 'looks odd'] },
    }])
    expect((await server.published('alert.updated')).at(-1)).toMatchObject({ subject: id(1), data: { status: 'in_progress' } })
  })

  test('an identical change has no effect and no notification', async () => {
    const [entries, updates] = [await trail(), (await server.published('alert.updated')).length]
    expect(await put(2, { status: 'open', verdict: 'unreviewed', assignee: null })).toMatchObject({ status: 200, headers: { etag: '"1"' } })
    expect([await trail(), (await server.published('alert.updated')).length]).toEqual([entries, updates])
  })

  test('closing sets a verdict, reopening is counted', async () => {
    const { email } = (await server.app.state.users.list(onlyTenant))[0]!
    const after = async (body: object) => alertDetailSchema.parse((await put(3, body)).body)
    expect(await after({ status: 'resolved' })).toMatchObject({ status: 'resolved', verdict: 'true_positive', reviewed_by: email })
    expect(await after({ status: 'open' })).toMatchObject({ verdict: 'true_positive', reopened_count: 1 })
    expect(await after({ status: 'false_positive', verdict: 'benign' })).toMatchObject({ verdict: 'benign', reopened_count: 1 })
    expect(await after({ verdict: 'unreviewed', assignee: null })).toMatchObject({ status: 'false_positive', verdict: 'unreviewed', reviewed_by: null, assignee: null })
  })

  test('every status transition is allowed', async () => {
    const statuses = ['open', 'investigating', 'resolved', 'false_positive'] as const
    for (const from of statuses) {
      for (const to of statuses) {
        expect((await put(2, { status: from })).status).toBe(200)
        expect((await put(2, { status: to })).body).toMatchObject({ status: to })
      }
    }
  })

  test.for<[header: string, status: number]>([
    ['"1"', 412], ['"3"', 412], ['"1", "2"', 200], ['W/"2"', 412], ['2', 412], ['', 412], ['*', 200],
  ])('If-Match: %s is %i', async ([header, status]) => {
    const fresh = await serverWithAlerts()
    await fresh.call('PUT', `/v1/alerts/${id(5)}`, { body: { notes: 'seen' } })
    const answered = await fresh.call('PUT', `/v1/alerts/${id(5)}`, { body: { status: 'resolved' }, headers: { 'if-match': header } })
    expect(answered.status).toBe(status)
    if (status === 412) expect(answered.body).toMatchObject({ error: { code: 'PRECONDITION_FAILED', details: { version: 2 } } })
  })

  test.for<[body: unknown, code: string]>([
    [{}, 'INVALID_BODY'],
    [{ status: 'in_progress' }, 'INVALID_BODY'],
    [{ status: 'OPEN' }, 'INVALID_BODY'],
    [{ status: null }, 'INVALID_BODY'],
    [{ state: 'open' }, 'INVALID_BODY'],
    [{ status: 'open', version: 7 }, 'INVALID_BODY'],
    [{ verdict: 'maybe' }, 'INVALID_BODY'],
    [{ assignee: 'nobody@example.org' }, 'INVALID_BODY'],
    [{ assignee: '' }, 'INVALID_BODY'],
    [{ notes: '' }, 'INVALID_BODY'],
    [{ notes: '  ' }, 'INVALID_BODY'],
    [{ notes: 'x'.repeat(10_001) }, 'INVALID_BODY'],
    [[], 'INVALID_BODY'],
  ])('%j is %s', async ([body, code]) => {
    expect(await put(1, body)).toMatchObject({ status: 400, body: { error: { code } } })
  })

  test('an assignee must be an active user of the tenant', async () => {
    await server.tokenOf(['analyst'], 'other')
    const { email: foreign } = (await server.app.state.users.list('other')).at(-1)!
    await server.tokenOf(['analyst'])
    const gone = (await server.app.state.users.list(onlyTenant)).at(-1)!
    await server.app.state.users.update(onlyTenant, gone.id, { isActive: false }, { expectedVersion: undefined, at: opened })
    for (const assignee of [foreign, gone.email]) {
      expect(await put(1, { assignee })).toMatchObject({ status: 400, body: { error: { details: { errors: [{ path: 'assignee' }] } } } })
    }
  })

  test('a comment beyond the limit is a conflict', async () => {
    const fresh = await serverWithAlerts()
    for (let i = 0; i < 1_000; i++) {
      await fresh.app.state.alerts.update(onlyTenant, id(1), { comment: { id: `c${i}`, author: 'Ann', text: 'x' } }, { expectedVersion: undefined, at: opened })
    }
    expect(await fresh.call('PUT', `/v1/alerts/${id(1)}`, { body: { notes: 'y' } })).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    expect((await fresh.call('PUT', `/v1/alerts/${id(1)}`, { body: { status: 'resolved' } })).status).toBe(200)
  })

  test('a viewer answers with a verdict and a comment, and with nothing else', async () => {
    const fresh = await serverWithAlerts()
    const token = await fresh.tokenOf(['viewer'])
    const answer = { verdict: 'benign', notes: 'this was us' }
    const answered = await fresh.call('PUT', `/v1/alerts/${id(2)}`, { token, body: answer })
    expect(answered).toMatchObject({ status: 200, body: { verdict: 'benign', status: 'open', comments: [{ content: 'this was us' }] } })
    for (const more of [{ status: 'resolved' }, { assignee: null }]) {
      expect(await fresh.call('PUT', `/v1/alerts/${id(2)}`, { token, body: { ...answer, ...more } })).toMatchObject({ status: 403 })
    }
  })

  test('the times of acknowledging and closing are kept until it is open again', async () => {
    const fresh = await serverWithAlerts()
    const times = async (status: string) => {
      fresh.io.nowMs += 60_000
      const { body } = await fresh.call('PUT', `/v1/alerts/${id(1)}`, { body: { status } })
      const { acknowledged_at: acknowledged, closed_at: closed } = alertDetailSchema.parse(body)
      return [acknowledged, closed].map((time) => time !== null && Math.round((fresh.io.nowMs - Date.parse(time)) / 60_000))
    }
    expect(await times('investigating')).toEqual([0, false])
    expect(await times('resolved')).toEqual([1, 0])
    expect(await times('false_positive')).toEqual([2, 1])
    expect(await times('open')).toEqual([false, false])
  })

  test('a reader is refused, and another tenant finds nothing', async () => {
    const before = (await server.call('GET', `/v1/alerts/${id(4)}`)).body
    for (const [role, permission] of [['viewer', 'update_alerts'], ['auditor', 'answer_alerts']] as const) {
      const answered = await put(4, { status: 'open' }, { token: await server.tokenOf([role]) })
      expect(answered).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN', details: { permission } } } })
    }
    expect(await put(4, { status: 'open' }, { token: await server.tokenOf(['admin'], 'other') })).toMatchObject({ status: 404 })
    expect((await put(4, { status: 'open' }, { headers: { 'content-type': 'text/plain' } })).status).toBe(415)
    expect((await server.call('GET', `/v1/alerts/${id(4)}`)).body).toEqual(before)
  })
})

describe('GET /v1/detection/rules/{id}/matches', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await serverWithAlerts()
    const more = [6, 7].map((number) => alertNumber(number, { dedupKey: 'key 4', host: 'DB-2', level: 'high' }))
    await server.app.state.alerts.insert(onlyTenant, [alertNumber(8, { ruleId: 'another' }), ...more])
  })
  const path = `/v1/detection/rules/${ruleId}/matches`
  const matches = async (query: string) => ruleMatchListSchema.parse((await server.call('GET', `${path}?${query}`)).body).matches

  test.for<[query: string, numbers: string]>([
    ['', '7 6 5 4 3 2 1'],
    ['sort=timestamp:asc&limit=3', '1 2 3'],
    [is('verdict', 'eq', 'false_positive'), '4'],
    [is('host', 'prefix', 'db'), '7 6 4 3'],
    [is('timestamp', 'gt', '2026-11-20T10:00:05Z'), '7 6'],
    ['q=RUN%205', '5'],
    ['page=2&size=3', '4 3 2'],
  ])('%s', async ([query, numbers]) => {
    expect((await matches(query)).map(({ match_id: match }) => Number(match.slice(-12))).join(' ')).toBe(numbers)
  })

  test('a match has the verdict on its alert', async () => {
    expect(await matches(is('verdict', 'ne', 'unreviewed'))).toMatchObject([
      { match_id: id(4), verdict: 'false_positive', reviewed_by: 'ann@example.org', reviewed_at: '2026-11-20T10:01:01.000Z' },
    ])
  })

  test('unknown fields are refused', async () => {
    expect(await server.call('GET', `${path}?${is('severity', 'eq', 'low')}`)).toMatchObject({
      status: 400, body: { error: { code: 'INVALID_QUERY_FIELD', details: { field: 'severity', allowed: ['timestamp', 'verdict', 'host', 'user', 'process_name'] } } },
    })
  })

  test('matches are isolated by tenant', async () => {
    const token = await server.tokenOf(['viewer'], 'other')
    const { matches } = ruleMatchListSchema.parse((await server.call('GET', path, { token })).body)
    expect(matches.map(({ match_id: match }) => match)).toEqual([id(9), id(1)])
    expect((await server.call('GET', '/v1/detection/rules/unknown/matches')).status).toBe(404)
  })
})
