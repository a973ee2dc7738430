import { ruleDetailSchema, ruleListSchema, ruleMatchListSchema } from '@tripline/contract'
import { ruleFacetsSchema } from '@tripline/contract/console/rules/rule-summary'
import { anySshLogin, encoded, encodedBySystem, encodedPowerShell, sshLogin, unsupported, whoami } from '@tripline/detection/test/rules'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../../test/open-test-server.ts'

const id = (number: number): string => `0198f1c0-7a10-4c3e-9b1e-2f6a3a1f000${number}`

const is = (field: string, op: string, value: unknown): string =>
  `?filters=${encodeURIComponent(JSON.stringify({ field, op, value }))}`

let server: TestServer
beforeAll(async () => {
  server = await openTestServer([encodedPowerShell, anySshLogin, whoami, unsupported])
  await server.call('POST', '/ingest/v1/events', { body: [encoded, encodedBySystem, sshLogin, { nothing: 'known' }] })
  server.io.nowMs += 1_000
  await server.call('POST', '/ingest/v1/events', { body: { ...encoded, User: 'ACME\\bob' } })
})

describe('GET /v1/detection/rules', () => {
  const path = '/v1/detection/rules'

  test('an entry has the fields of the contract', async () => {
    const { status, body } = await server.call('GET', `${path}?technique=T1059`)
    expect(status).toBe(200)
    expect(ruleListSchema.parse(body)).toEqual({
      rules: [{
        id: id(1),
        title: 'Encoded PowerShell',
        level: 'high',
        status: 'stable',
        enabled: true,
        logsource: { category: 'process_creation', product: 'windows', service: '' },
        mitre: { tactics: ['execution'], techniques: ['T1059.001'] },
        stats: { evaluations_total: 3, matches_total: 2, true_positives: 0, false_positives: 0, match_rate: 0.666667 },
        cost: null,
        version: 1,
        health: { state: 'matched', problem: null },
        matches_by_hour: [...Array<number>(23).fill(0), 2],
        false_positive_share_7d: null,
        verdict: { value: 'keep', reason: 'healthy' },
        updated_by: null,
        created_at: '2026-11-20T10:00:00.000Z',
        updated_at: '2026-11-20T10:00:00.000Z',
      }],
      pagination: { page: 1, size: 50, total: 1, next_cursor: null },
      took_ms: 0,
      total_estimate: 1,
      truncated: false,
      query_warnings: [],
    })
  })

  test('unset attributes have defaults', async () => {
    const { body } = await server.call('GET', path)
    const [, informational, ssh] = ruleListSchema.parse(body).rules
    expect(ssh).toMatchObject({ level: 'medium', status: 'experimental', mitre: { tactics: [], techniques: [] } })
    expect(ssh).not.toHaveProperty('severity_raw')
    expect(informational).toMatchObject({ level: 'low', severity_raw: 'info' })
  })

  // Rules by the last digit of their id; then `page/size/total`, then warnings.
  test.for<[query: string, answer: string]>([
    ['', '4321 1/50/4'],
    ['?level=high', '1 1/50/1'],
    ['?level=low', '3 1/50/1'],
    ['?level=low,medium', '32 1/50/2'],
    ['?level=low&level=medium', '32 1/50/2'],
    ['?enabled=true', '321 1/50/3'],
    ['?enabled=false', '4 1/50/1'],
    ['?tactic=execution', '1 1/50/1'],
    ['?tactic=TA0002,discovery', '31 1/50/2'],
    ['?tactic=Defense%20Evasion', '3 1/50/1'],
    ['?technique=T1059', '1 1/50/1'],
    ['?technique=t1059.001', '1 1/50/1'],
    ['?technique=T1059.002', ' 1/50/0'],
    ['?mitre=TA0007', '3 1/50/1'],
    ['?mitre=T1033,execution', '31 1/50/2'],
    ['?level=high&tactic=discovery', ' 1/50/0'],
    ['?page=2&size=3', '1 2/3/4'],
    ['?page=9', ' 9/50/4'],
    ['?size=201', '4321 1/200/4 size_cut_to:200'],
    ['?limit=501', '4321 1/500/4 limit_cut_to:500'],
    ['?limit=3&sort=title', '214 1/3/4'],
    ['?color=red&shape=x', '4321 1/50/4 unknown_parameter:color unknown_parameter:shape'],
    ['?status=stable,test', '31 1/50/2'],
    ['?origin=builtin&product=LINUX,windows', '21 1/50/2'],
    ['?origin=custom,modified', ' 1/50/0'],
    ['?category=process_creation&service=', '431 1/50/3'],
    ['?service=sshd', '2 1/50/1'],
    ['?author=a.%20uthor', '1 1/50/1'],
    ['?tag=attack.t1033,attack.execution', '31 1/50/2'],
    ['?health=matched', '21 1/50/2'],
    ['?health=never_candidate,not_running', '43 1/50/2'],
    ['?verdict=keep', '21 1/50/2'],
    ['?verdict=silent,tune', '3 1/50/1'],
    ['?verdict=retire', ' 1/50/0'],
    ['?q=ENCODED', '1 1/50/1'],
    ['?q=attack.t10', '31 1/50/2'],
    ['?q=a3f0004', ' 1/50/0'],
    ['?q=a3a1f0004', '4 1/50/1'],
    ['?q=runs%20an&level=low', ' 1/50/0'],
    [is('level', 'gte', 'medium'), '421 1/50/3'],
    [is('status', 'in', ['stable', 'unsupported']), '41 1/50/2'],
    [is('enabled', 'ne', true), '4 1/50/1'],
    [is('tactic', 'eq', 'TA0002'), '1 1/50/1'],
    [is('technique', 'eq', 'T1059'), '1 1/50/1'],
    [is('product', 'eq', 'windows'), '1 1/50/1'],
    [is('category', 'exists', false), '2 1/50/1'],
    [is('origin', 'eq', 'custom'), ' 1/50/0'],
    [is('author', 'prefix', 'a. u'), '1 1/50/1'],
    [is('tag', 'eq', 'attack.execution'), '1 1/50/1'],
    [is('health', 'eq', 'not_running'), '4 1/50/1'],
    [is('verdict', 'eq', 'silent'), '3 1/50/1'],
    [is('verdict', 'exists', false), '4 1/50/1'],
    [`${is('tag', 'exists', false)}&level=medium`, '2 1/50/1'],
    ['?sort=title', '2143 1/50/4'],
    ['?sort=title:desc', '3412 1/50/4'],
    ['?sort=level', '3214 1/50/4'],
    ['?sort=enabled,level:desc', '4123 1/50/4'],
    ['?sort=status:asc', '2134 1/50/4'],
    ['?sort=updated_at', '1234 1/50/4'],
    ['?sort=matches_total:desc', '1243 1/50/4'],
    ['?sort=match_rate:desc', '2143 1/50/4'],
    ['?sort=alerts_last_24h', '3421 1/50/4'],
    ['?sort=matches_last_24h:desc', '1243 1/50/4'],
    // The worst first.
    ['?sort=health:desc', '3214 1/50/4'],
    ['?sort=health', '4123 1/50/4'],
    // Cost is not measured yet.
    ['?sort=cost:desc', '4321 1/50/4'],
  ])('%s', async ([query, answer]) => {
    const { status, body } = await server.call('GET', path + query)
    expect(status).toBe(200)
    const { rules, pagination, query_warnings: warnings } = ruleListSchema.parse(body)
    const digits = rules.map((rule) => rule.id.at(-1)).join('')
    expect([digits, `${pagination.page}/${pagination.size}/${pagination.total}`, ...warnings].join(' ')).toBe(answer)
  })

  test.for<[query: string, code: string, details: object | undefined]>([
    ['?level=hihg', 'INVALID_PARAMETER', { parameter: 'level', value: 'hihg', allowed: ['low', 'medium', 'high', 'critical'] }],
    ['?level=', 'INVALID_PARAMETER', { parameter: 'level', value: '' }],
    ['?level=informational', 'INVALID_PARAMETER', { parameter: 'level' }],
    ['?enabled=yes', 'INVALID_PARAMETER', { parameter: 'enabled', value: 'yes', allowed: ['true', 'false'] }],
    ['?tactic=executoin', 'INVALID_PARAMETER', { parameter: 'tactic', value: 'executoin' }],
    ['?tactic=T1059', 'INVALID_PARAMETER', { parameter: 'tactic' }],
    ['?technique=1059', 'INVALID_PARAMETER', { parameter: 'technique' }],
    ['?mitre=x', 'INVALID_PARAMETER', { parameter: 'mitre' }],
    ['?status=draft', 'INVALID_PARAMETER', { parameter: 'status' }],
    ['?health=good', 'INVALID_PARAMETER', { parameter: 'health' }],
    ['?verdict=good', 'INVALID_PARAMETER', { parameter: 'verdict' }],
    [`?q=${'x'.repeat(1_001)}`, 'INVALID_PARAMETER', { parameter: 'q' }],
    ['?page=0', 'INVALID_PARAMETER', { parameter: 'page', value: '0' }],
    ['?page=-1', 'INVALID_PARAMETER', { parameter: 'page' }],
    ['?page=1e3', 'INVALID_PARAMETER', { parameter: 'page' }],
    ['?size=x', 'INVALID_PARAMETER', { parameter: 'size' }],
    ['?page=51&size=200', 'INVALID_PARAMETER', { parameter: 'page', value: '51' }],
    ['?sort=author', 'INVALID_QUERY_FIELD', { field: 'author' }],
    ['?sort=constructor', 'INVALID_QUERY_FIELD', { field: 'constructor' }],
    ['?sort=title:up', 'INVALID_PARAMETER', { parameter: 'sort', allowed: ['asc', 'desc'] }],
    ['?sort=', 'INVALID_QUERY_FIELD', { field: '' }],
    [is('title', 'eq', 'x'), 'INVALID_QUERY_FIELD', { field: 'title' }],
    [is('enabled', 'eq', 'true'), 'INVALID_PARAMETER', { parameter: 'filters', path: 'filters.value' }],
    [is('enabled', 'in', [true]), 'INVALID_PARAMETER', { parameter: 'filters', path: 'filters.op' }],
    ['?cursor=x', 'INVALID_CURSOR', undefined],
  ])('%s is %s', async ([query, code, details]) => {
    expect(await server.call('GET', path + query)).toMatchObject({ status: 400, body: { error: { code, ...(details && { details }) } } })
  })

  test('cursors page through the list', async () => {
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body }: TestResponse = await server.call('GET', `${path}?sort=level:desc&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`)
      const { rules, pagination } = ruleListSchema.parse(body)
      seen.push(rules.map((rule) => rule.id.at(-1)).join(''))
      cursor = pagination.next_cursor
    }
    expect(seen).toEqual(['4', '1', '2', '3'])
  })

  test('a cursor is bound to the filters of its list', async () => {
    const { body } = await server.call('GET', `${path}?limit=1&level=low,medium`)
    const { next_cursor: cursor } = ruleListSchema.parse(body).pagination
    expect(await server.call('GET', `${path}?limit=1&level=low&cursor=${cursor}`)).toMatchObject({
      status: 400, body: { error: { code: 'INVALID_CURSOR' } },
    })
  })
})

describe('GET /v1/detection/rules/{id}', () => {
  test('a detail has the fields of the contract', async () => {
    const { status, headers, body } = await server.call('GET', `/v1/detection/rules/${id(1)}`)
    expect(status).toBe(200)
    expect(headers).toMatchObject({ etag: '"1"' })
    expect(ruleDetailSchema.parse(body)).toEqual({
      id: id(1),
      title: 'Encoded PowerShell',
      level: 'high',
      status: 'stable',
      enabled: true,
      logsource: { category: 'process_creation', product: 'windows', service: '' },
      mitre: { tactics: ['execution'], techniques: ['T1059.001'] },
      description: 'PowerShell runs an encoded command.',
      author: 'A. Uthor',
      date: '2026-01-02',
      modified: '2026-03-04',
      false_positives: ['Administrators'],
      references: ['https://example.org/powershell'],
      tags: ['attack.execution', 'attack.t1059.001'],
      stats: { evaluations_last_24h: 3, matches_last_24h: 2, true_positives_last_7d: 0, false_positives_last_7d: 0 },
      cost: null,
      tests: [],
      filters: [],
      required_fields: [{ field: 'Image', seen: true }, { field: 'CommandLine', seen: true }],
      health: { state: 'matched', problem: null },
      definition: encodedPowerShell,
      lifecycle: 'published',
      origin: 'builtin',
      version: 1,
      etag: '"1"',
      created_at: '2026-11-20T10:00:00.000Z',
      updated_at: '2026-11-20T10:00:00.000Z',
    })
  })

  test('unset attributes are empty', async () => {
    const { body } = await server.call('GET', `/v1/detection/rules/${id(2)}`)
    expect(ruleDetailSchema.parse(body)).toMatchObject({
      description: '', author: '', date: '2026-11-20', modified: '2026-11-20', false_positives: [], references: [], tags: [],
    })
  })

  test('accepts an upper-case id', async () => {
    expect(await server.call('GET', `/v1/detection/rules/${id(1).toUpperCase()}`)).toMatchObject({ status: 200, body: { id: id(1) } })
  })

  test.for(['new', 'unknown', '%00', 'a'.repeat(2_000), '..%2f..%2fetc%2fpasswd', '__proto__'])('%s is not found', async (unknown) => {
    expect(await server.call('GET', `/v1/detection/rules/${unknown}`)).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
  })
})

describe('GET /v1/detection/rules/{id}/matches', () => {
  const path = `/v1/detection/rules/${id(1)}/matches`

  test('a match has the fields of the contract', async () => {
    const { status, body } = await server.call('GET', `${path}?size=1`)
    expect(status).toBe(200)
    expect(ruleMatchListSchema.parse(body)).toEqual({
      rule_id: id(1),
      matches: [{
        match_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        alert_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        event_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        timestamp: '2026-11-20T10:00:01.000Z',
        event: {
          process_name: 'powershell.exe',
          command_line: 'powershell -enc aQBlAHgA',
          user: 'ACME\\bob',
          host: 'web-1',
          timestamp: '2026-11-20T09:59:00Z',
        },
        verdict: 'unreviewed',
        reviewed_by: null,
        reviewed_at: null,
      }],
      pagination: { page: 1, size: 1, total: 2, next_cursor: expect.stringMatching(/^[\w-]+$/) },
      took_ms: 0,
      total_estimate: 2,
      truncated: false,
      query_warnings: [],
    })
  })

  test.for<[query: string, users: string]>([
    ['', 'bob alice'],
    ['?sort=timestamp', 'alice bob'],
    ['?sort=timestamp:desc', 'bob alice'],
    ['?size=1&page=2', 'alice'],
    ['?from=2026-11-20T10:00:01Z', 'bob'],
    ['?to=2026-11-20T10:00:01Z', 'alice'],
    ['?from=2026-11-20T11:00:01%2B01:00&to=2026-11-20T11:00:01.001%2B01:00', 'bob'],
    ['?from=2026-11-20', 'bob alice'],
    ['?to=2026-11-20', ''],
  ])('%s', async ([query, users]) => {
    const { body } = await server.call('GET', path + query)
    expect(ruleMatchListSchema.parse(body).matches.map(({ event }) => event.user.slice('ACME\\'.length)).join(' ')).toBe(users)
  })

  test.for<[query: string, code: string, details: object]>([
    ['?from=yesterday', 'INVALID_PARAMETER', { parameter: 'from', value: 'yesterday' }],
    ['?from=2026-11-20T10:00:00', 'INVALID_PARAMETER', { parameter: 'from' }],
    ['?to=2026-02-30', 'INVALID_PARAMETER', { parameter: 'to' }],
    ['?from=2026-11-20&to=2026-11-20', 'INVALID_PARAMETER', { parameter: 'from', value: '2026-11-20' }],
    ['?sort=user', 'INVALID_QUERY_FIELD', { field: 'user', allowed: ['timestamp'] }],
    ['?filters={}', 'INVALID_PARAMETER', { parameter: 'filters' }],
  ])('%s is %s', async ([query, code, details]) => {
    expect(await server.call('GET', path + query)).toMatchObject({ status: 400, body: { error: { code, details } } })
  })

  test('of an unknown rule', async () => {
    expect(await server.call('GET', '/v1/detection/rules/unknown/matches')).toMatchObject({ status: 404 })
  })

  test('an event of another log source is not evaluated', async () => {
    const { body } = await server.call('GET', '/v1/detection/rules?level=medium')
    expect(ruleListSchema.parse(body).rules).toMatchObject([{ id: id(2), stats: { evaluations_total: 1, matches_total: 1 } }])
  })

  test('a rule that cannot be enabled is not evaluated', async () => {
    const { body } = await server.call('GET', '/v1/detection/rules?enabled=false')
    expect(ruleListSchema.parse(body).rules).toMatchObject([{ id: id(4), stats: { evaluations_total: 0, matches_total: 0 } }])
  })
})

test('rules are sorted by the alerts of the last day only', async () => {
  const world = await openTestServer([encodedPowerShell, anySshLogin])
  const hosts = ['db-1', 'db-2', 'db-3'].map((host) => ({ ...sshLogin, host }))
  await world.call('POST', '/ingest/v1/events', { body: [...hosts, encoded] })
  const order = async (): Promise<string> => {
    const token = await world.tokenOf(['viewer'])
    const { body } = await world.call('GET', '/v1/detection/rules?sort=alerts_last_24h:desc', { token })
    return ruleListSchema.parse(body).rules.map((rule) => rule.id.at(-1)).join('')
  }
  expect(await order()).toBe('21')
  world.io.nowMs += 25 * 3_600_000
  await world.call('POST', '/ingest/v1/events', { body: encoded, token: await world.tokenOf(['admin']) })
  world.io.elapsedNowMs += 60_000
  expect(await order()).toBe('12')
})

describe('GET /v1/detection/rules/summary', () => {
  const path = '/v1/detection/rules/summary'
  const summarize = async (query: string) => ruleFacetsSchema.parse((await server.call('GET', `${path}${query}`)).body)

  test('each value of each facet selects as many rules of the list as it counts', async () => {
    const { total, facets } = await summarize('')
    expect(total).toBe(4)
    expect(facets.map(({ field }) => field)).toEqual([
      'level', 'enabled', 'status', 'origin', 'health', 'verdict', 'product', 'category', 'service', 'tactic', 'technique', 'author', 'tag',
    ])
    for (const { field, values, distinct } of facets) {
      expect(values).toHaveLength(distinct)
      for (const { value, count } of values.filter((one) => one.value !== '')) {
        const { body } = await server.call('GET', `/v1/detection/rules?${field}=${encodeURIComponent(value)}`)
        expect([field, value, ruleListSchema.parse(body).pagination.total]).toEqual([field, value, count])
      }
    }
  })

  test('counts what the parameters of the list select, and rules without a value', async () => {
    const { total, facets } = await summarize('?level=high&facets=product,service')
    expect({ total, facets }).toEqual({
      total: 1,
      facets: [
        { field: 'product', distinct: 1, values: [{ value: 'windows', count: 1 }] },
        { field: 'service', distinct: 1, values: [{ value: '', count: 1 }] },
      ],
    })
    expect(await summarize(`${is('level', 'eq', 'high')}&q=nothing+like+it`)).toMatchObject({ total: 0, total_estimate: 0 })
  })

  test('the most frequent values come first, and are cut', async () => {
    const [whole] = (await summarize('?facets=level')).facets
    const counts = whole!.values.map(({ count }) => count)
    expect(counts).toEqual(counts.toSorted((one, other) => other - one))
    const [cut] = (await summarize('?facets=level&limit=1')).facets
    expect(cut).toEqual({ field: 'level', distinct: whole!.distinct, values: [whole!.values[0]] })
  })

  test('rules of another tenant are not counted', async () => {
    const { body } = await server.call('GET', path, { token: await server.tokenOf(['admin'], 'other') })
    expect(ruleFacetsSchema.parse(body).total).toBe(ruleListSchema.parse(
      (await server.call('GET', '/v1/detection/rules', { token: await server.tokenOf(['admin'], 'other') })).body,
    ).pagination.total)
  })

  test.for(['?facets=colour', '?limit=0', '?limit=101', '?filters=no'])('refuses %s', async (query) => {
    expect(await server.call('GET', `${path}${query}`)).toMatchObject({ status: 400 })
  })
})
