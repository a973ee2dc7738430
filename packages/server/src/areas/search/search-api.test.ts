import { searchFacetsSchema, searchFieldListSchema, searchResultSchema, searchSplitSchema } from '@tripline/contract'
import type { EventSeverity } from '@tripline/formats/event/event-severity'
import { onlyTenant } from '@tripline/model/tenant'
import type { EventPage, EventQuery, EventStore } from '@tripline/storage/events/event-store'
import { memoryEvents } from '@tripline/storage/test/events/memory-events'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptyBooks } from '../../../test/metrics-fixture.ts'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../../test/open-test-server.ts'
import { limits } from '../../limits.ts'
import { findGaps } from './tenant-search.ts'

const now = Date.UTC(2026, 10, 20, 10)

/** An event of so many minutes before the clock of the test server. */
function eventAgo(minutes: number, event: object, severity?: EventSeverity) {
  return { occurredAt: now - minutes * 60_000, bytes: Buffer.from(JSON.stringify(event)), ...(severity && { severity }) }
}

async function serverWithEvents(): Promise<TestServer & { readonly events: EventStore }> {
  const events = memoryEvents()
  const server = { ...(await openTestServer([], { events })), events }
  await server.tokenOf(['admin'], 'other')
  await server.events.append('other', [eventAgo(1, { n: 1, user: 'alice', secret: 'of another tenant' })])
  await server.events.append(onlyTenant, [
    eventAgo(4_320, { n: 0, user: 'alice' }),
    eventAgo(50, { n: 1, user: 'alice', message: 'Failed password for root', src_ip: '192.0.2.7' }, 'medium'),
    eventAgo(40, { n: 2, user: 'bob', EventID: 4625 }, 'high'),
    eventAgo(30, { n: 3, user: 'alice', process: { name: 'cmd.exe' } }),
    eventAgo(20, { n: 4, user: 'carol', EventID: '4624', Channel: 'Security' }),
    eventAgo(10, { n: 5, user: 'alice', __proto__: null }, 'critical'),
  ])
  return server
}

let server: TestServer
beforeAll(async () => {
  server = await serverWithEvents()
})
const get = (query: string, token?: string): Promise<TestResponse> => server.call('GET', `/v1/search?${query}`, token === undefined ? {} : { token })
const post = (body: unknown): Promise<TestResponse> => server.call('POST', '/v1/search', { body })
const numbersOf = ({ body }: TestResponse): string => searchResultSchema.parse(body).data.map(({ fields }) => fields['n']).join(' ')

test('a response has the fields of the contract', async () => {
  const { body } = await get('q=user:alice&limit=2')
  expect(searchResultSchema.parse(body)).toEqual({
    data: [
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/), timestamp: '2026-11-20T09:50:00.000Z', source_type: '', source_ip: '', event_id: null, message: '', severity: 'critical',
        fields: { n: 5, user: 'alice' },
      },
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/), timestamp: '2026-11-20T09:30:00.000Z', source_type: '', source_ip: '', event_id: null, message: '', severity: 'info',
        fields: { n: 3, user: 'alice', process: { name: 'cmd.exe' } },
      },
    ],
    total: 3,
    total_relation: 'eq',
    histogram: expect.any(Array),
    next_cursor: expect.stringMatching(/^[\w-]+$/),
    scanned: { events: 5, bytes: 248, total: 5 },
    query: 'user:alice',
    from: '2026-11-19T10:00:00.001Z',
    to: '2026-11-20T10:00:00.001Z',
    took_ms: 0,
    total_estimate: 3,
    truncated: false,
    query_warnings: [],
  })
})

test('an event has the common fields', async () => {
  const { data } = searchResultSchema.parse((await get('')).body)
  const shown = data.map(({ fields, source_ip, event_id, message }) => [fields['n'], source_ip, event_id, message])
  expect(shown).toEqual([
    [5, '', null, ''], [4, '', 4624, ''], [3, '', null, ''], [2, '', 4625, ''], [1, '192.0.2.7', null, 'Failed password for root'],
  ])
})

describe('finds events, newest first', () => {
  test.for<[query: string, numbers: string]>([
    ['', '5 4 3 2 1'],
    ['q=', '5 4 3 2 1'],
    ['q=user:alice', '5 3 1'],
    ['q=NOT%20user:alice', '4 2'],
    ['q=user:alice%20AND%20process.name:*exe', '3'],
    ['q=nothing', ''],
    ['from=2026-11-20T09:20:00Z&to=2026-11-20T09:40:00Z', '3 2'],
    ['from=2026-11-01', '5 4 3 2 1 0'],
    ['limit=2', '5 4'],
    ['sort=timestamp:desc&limit=1', '5'],
    ['sort=timestamp:asc', '1 2 3 4 5'],
    ['sort=timestamp:asc&limit=2&q=user:alice', '1 3'],
    ['histogram=false&q=user:bob', '2'],
  ])('%s', async ([query, numbers]) => {
    const answered = await get(query)
    expect(answered.status).toBe(200)
    expect(numbersOf(answered)).toBe(numbers)
  })

  test('the same by a body', async () => {
    expect(numbersOf(await post({ query: 'user:alice', size: 2 }))).toBe('5 3')
    expect(numbersOf(await post({}))).toBe('5 4 3 2 1')
    expect(numbersOf(await post({ sort: 'timestamp:asc', size: 2 }))).toBe('1 2')
    expect(numbersOf(await post({ from: '2026-11-20T09:20:00Z', to: '2026-11-20T10:40:00+01:00' }))).toBe('3 2')
  })

  test('returns only requested fields that the event has', async () => {
    const { data } = searchResultSchema.parse((await get('q=n:3&fields=user,process.name,nothing')).body)
    expect(data[0]?.fields).toEqual({ 'user': 'alice', 'process.name': 'cmd.exe' })
  })

  test('counts over time and by severity, on the first page only', async () => {
    const first = searchResultSchema.parse((await get('limit=2')).body)
    expect(first.histogram?.reduce((sum, { count }) => sum + count, 0)).toBe(5)
    const severities = new Set(first.histogram?.flatMap(({ breakdown }) => Object.keys(breakdown)))
    expect([...severities].sort()).toEqual(['critical', 'high', 'info', 'medium'])
    expect(searchResultSchema.parse((await get(`limit=2&cursor=${first.next_cursor}`)).body).histogram).toBeUndefined()
    expect(searchResultSchema.parse((await post({ histogram: false })).body).histogram).toBeUndefined()
  })
})

describe('pages', () => {
  test('continue in the range of the first with its total, whatever arrives meanwhile', async () => {
    const fresh = await serverWithEvents()
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const answered: TestResponse = await fresh.call('GET', `/v1/search?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      const page = searchResultSchema.parse(answered.body)
      seen.push(`${numbersOf(answered)} of ${page.total}`)
      cursor = page.next_cursor
      fresh.io.nowMs += 60_000
      await fresh.events.append(onlyTenant, [eventAgo(-1 - seen.length, { n: 100 + seen.length })])
    }
    expect(seen).toEqual(['5 4 of 5', '3 2 of 5', '1 of 5'])
  })

  test('a cursor is bound to query, range and tenant', async () => {
    const { next_cursor: cursor } = searchResultSchema.parse((await get('q=user:alice&limit=1')).body)
    const refused = { status: 400, body: { error: { code: 'INVALID_CURSOR' } } }
    expect(await get(`q=user:bob&limit=1&cursor=${cursor}`)).toMatchObject(refused)
    expect(await get(`q=user:alice&from=2026-11-20&cursor=${cursor}`)).toMatchObject(refused)
    expect(await get(`q=user:alice&cursor=${cursor}`, await server.tokenOf(['viewer'], 'other'))).toMatchObject(refused)
    expect(await server.call('GET', `/v1/alerts?cursor=${cursor}`)).toMatchObject(refused)
    expect(numbersOf(await get(`q=user:alice&limit=1&cursor=${cursor}`))).toBe('3')
    expect(numbersOf(await post({ query: 'user:alice', cursor }))).toBe('3 1')
  })
})

test.for<[counts: string, countMs: number | undefined]>([
  ['q=alice', limits.search.countMs],
  ['q=alice&counts=quick', limits.search.countMs],
  ['q=alice&counts=full', undefined],
])('the count of %s may take %s ms beyond a full page', async ([query, countMs]) => {
  const store = memoryEvents()
  const asked: (number | undefined)[] = []
  const search: EventStore['search'] = async (given) => {
    asked.push(given.keywordCountMs)
    return { ...(await store.search(given)), isTotalExact: given.keywordCountMs === undefined }
  }
  const fresh = await openTestServer([], { events: { ...store, search } })
  const { body } = await fresh.call('GET', `/v1/search?${query}`)
  const [relation, warnings] = countMs === undefined ? ['eq', []] : ['gte', ['counts_partial']]
  expect(asked).toEqual([countMs])
  expect(body).toMatchObject({ total_relation: relation, truncated: false, query_warnings: warnings })
})

test.for<[lost: number, waiting: number, warnings: readonly string[]]>([
  [3, 0, ['lost_events:3']],
  [3, 2, ['not_searchable_yet:2', 'lost_events:3']],
  [0, 0, []],
])('a search warns of %i accepted events that were lost and %i that wait', ([lost, waiting, warnings]) => {
  const pipeline = { countNotSearchable: () => waiting, accounting: () => ({ ...emptyBooks, lost }) }
  expect(findGaps({ pipeline }, 'acme')).toEqual({ isBehind: waiting > 0, warnings })
})

test.for<[damage: Partial<EventPage>, warnings: readonly string[]]>([
  [{ lostCount: 7 }, ['unreadable_events:7']],
  [{ lostCount: 7, corruptedCount: 2 }, ['damaged_blocks:2', 'unreadable_events:7']],
  [{}, []],
])('a search whose range may lack events warns: %j', async ([damage, warnings]) => {
  const store = memoryEvents()
  const search: EventStore['search'] = async (query) => ({ ...(await store.search(query)), ...damage })
  const { body } = await (await openTestServer([], { events: { ...store, search } })).call('GET', '/v1/search?q=alice')
  expect(body).toMatchObject({ query_warnings: warnings })
})

describe('refused', () => {
  test.for<[query: string, code: string, details: object]>([
    ['q=user:(', 'INVALID_QUERY', { line: 1, column: 7 }],
    [`q=${'('.repeat(500)}`, 'INVALID_QUERY', {}],
    ['sort=host', 'INVALID_QUERY_FIELD', { field: 'host', allowed: ['timestamp'] }],
    ['sort=timestamp:up', 'INVALID_PARAMETER', { parameter: 'sort' }],
    ['filters=%7B%7D', 'INVALID_QUERY_FIELD', { field: 'filters' }],
    ['page=2', 'INVALID_PARAMETER', { parameter: 'page' }],
    ['size=2', 'INVALID_PARAMETER', { parameter: 'size' }],
    ['from=2026-11-20&to=2026-11-19', 'INVALID_PARAMETER', { parameter: 'from' }],
    ['from=2026-08-22T09:58:59Z', 'INVALID_PARAMETER', { parameter: 'from', days_max: 90 }],
    ['from=2026-08-22T10:00:00Z&to=2026-11-20T10:00:00.001Z', 'INVALID_PARAMETER', { parameter: 'from', days_max: 90 }],
    ['fields=', 'INVALID_PARAMETER', { parameter: 'fields' }],
    [`fields=${'a,'.repeat(100)}a`, 'INVALID_PARAMETER', { parameter: 'fields' }],
    ['cursor=x', 'INVALID_CURSOR', {}],
    ['counts=some', 'INVALID_PARAMETER', { parameter: 'counts' }],
  ])('%s is %s', async ([query, code, details]) => {
    expect(await get(query)).toMatchObject({ status: 400, body: { error: { code, ...(Object.keys(details).length > 0 && { details }) } } })
  })

  test('is no range of 90 days that the caller counted back from its own clock', async () => {
    expect(numbersOf(await get('q=user:alice&from=2026-08-22T10:00:00Z'))).toBe('5 3 1 0')
  })

  test.for<[body: unknown]>([
    [{ size: 0 }], [{ size: 1.5 }], [{ query: 1 }], [{ q: 'user:alice' }], [{ from: 'yesterday' }], [{ fields: [] }], [{ histogram: 'no' }], [[]],
  ])('the body %j is INVALID_BODY', async ([body]) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { error: { code: 'INVALID_BODY' } } })
  })

  test('a limit above a thousand is reduced', async () => {
    expect((await get('limit=1001')).body).toMatchObject({ query_warnings: ['limit_cut_to:1000'] })
    expect((await get('q=a+%26%26+b&counts=full')).body).toMatchObject({
      query_warnings: ["query:'&&' is a text to look for; write AND"],
    })
    expect((await post({ size: 5_000 })).body).toMatchObject({ query_warnings: ['size_cut_to:1000'] })
  })
})

describe('a search', () => {
  let fresh: TestServer
  beforeEach(async () => {
    fresh = await serverWithEvents()
  })

  test('is isolated by tenant', async () => {
    const { body } = await fresh.call('GET', '/v1/search?q=user:alice', { token: await fresh.tokenOf(['viewer'], 'other') })
    expect(searchResultSchema.parse(body).data).toMatchObject([{ fields: { n: 1, secret: 'of another tenant' } }])
    expect(JSON.stringify((await fresh.call('GET', '/v1/search?from=2026-11-01')).body)).not.toContain('of another tenant')
  })

  test('is audited once for all pages', async () => {
    const first = searchResultSchema.parse((await fresh.call('GET', '/v1/search?q=user:alice&limit=1')).body)
    await fresh.call('GET', `/v1/search?q=user:alice&limit=1&cursor=${first.next_cursor}`)
    expect((await fresh.app.state.audit.list(onlyTenant, { limit: 10 })).entries).toMatchObject([{
      action: 'search.run', outcome: 'success', target: { type: 'events' },
      diff: { query: 'user:alice', from: '2026-11-19T10:00:00.001Z', to: '2026-11-20T10:00:00.001Z', found: 3 },
    }])
  })
})

test('a page is cut at its size limit, with a warning', async () => {
  const events = memoryEvents()
  const fresh = await openTestServer([], { events })
  const large = (n: number) => eventAgo(n, { n, text: 'x'.repeat(900_000) })
  await events.append(onlyTenant, Array.from({ length: 12 }, (_, n) => large(n + 1)))
  const first = await fresh.call('GET', '/v1/search?limit=12')
  const page = searchResultSchema.parse(first.body)
  expect(page.data).toHaveLength(9)
  expect(page.query_warnings).toEqual(['page_cut'])
  const second = await fresh.call('GET', `/v1/search?limit=12&cursor=${page.next_cursor}`)
  expect(`${numbersOf(first)} ${numbersOf(second)}`).toBe('1 2 3 4 5 6 7 8 9 10 11 12')
})

test.for<[what: string, path: string, searchCount: number, body?: object]>([
  ['a search', '/v1/search?q=user:alice', 1],
  ['a search in a body', '/v1/search', 1, { query: 'user:alice' }],
  ['a search of the public API', '/api/v1/search', 1, { query: 'user:alice', from: '2026-11-20T09:00:00Z', to: '2026-11-20T10:00:00Z' }],
  ['facets', '/v1/search/facets?fields=user', 1],
  ['a split, with each of its searches', '/v1/search/split?field=user', 2],
])('%s ends once the caller is gone', async ([, path, searchCount, sent]) => {
  const events = memoryEvents()
  const signals: EventQuery['signal'][] = []
  const search: EventStore['search'] = async (query) => {
    signals.push(query.signal)
    const page = await events.search(query)
    return query.signal?.aborted === true ? { ...page, events: [], total: 0, isTotalExact: false, isTruncated: true } : page
  }
  const own = await openTestServer([], { events: { ...events, search } })
  await own.app.events.append(onlyTenant, [eventAgo(1, { user: 'alice' })])
  const asked = { name: 'Searches', scope: 'read-only', api_profile: 'b' }
  const { key: token } = (await own.call('POST', '/v1/api-keys', { body: asked })).body as { readonly key: string }
  const request = { ...(sent && { body: sent }), ...(path.startsWith('/api/') && { token }), signal: AbortSignal.abort() }
  const { status, body } = await own.call(sent === undefined ? 'GET' : 'POST', path, request)
  expect([status, body]).toMatchObject([200, { truncated: true }])
  expect(signals.map((signal) => signal?.aborted)).toEqual(Array<boolean>(searchCount).fill(true))
})

describe('fields and facets', () => {
  const facetsOf = async (query: string, token?: string) => {
    const { status, body } = await server.call('GET', `/v1/search/facets?${query}`, token === undefined ? {} : { token })
    expect(status).toBe(200)
    return searchFacetsSchema.parse(body)
  }

  test('facets count the newest events that a search finds, those of the tenant alone', async () => {
    const { facets, events_counted: counted, sampled, query } = await facetsOf('fields=user&q=NOT EventID:4625')
    expect({ facets, counted, sampled, query }).toEqual({
      facets: [{ field: 'user', event_count: 4, distinct: 2, values: [{ value: 'alice', count: 3 }, { value: 'carol', count: 1 }] }],
      counted: 4, sampled: false, query: 'NOT EventID:4625',
    })
    const other = await facetsOf('fields=user,secret', await server.tokenOf(['viewer'], 'other'))
    expect(other.facets.map(({ values }) => values[0]?.value)).toEqual(['alice', 'of another tenant'])
  })

  test('a histogram is split by the most frequent values of a field, of the tenant alone', async () => {
    const split = async (query: string, token?: string) => {
      const { status, body } = await server.call('GET', `/v1/search/split?${query}`, token === undefined ? {} : { token })
      expect(status).toBe(200)
      return searchSplitSchema.parse(body)
    }
    const { values, histogram, total, query } = await split('field=user&q=NOT EventID:4625&buckets=10')
    expect({ values, total, query }).toEqual({
      values: [{ value: 'alice', count: 3 }, { value: 'carol', count: 1 }], total: 4, query: 'NOT EventID:4625',
    })
    const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0)
    expect(sum(histogram.map(({ count }) => count))).toBe(4)
    expect([0, 1].map((index) => sum(histogram.map(({ by_value: counts }) => counts[index]!)))).toEqual([3, 1])
    expect((await split('field=secret')).values).toEqual([])
    expect((await split('field=secret', await server.tokenOf(['viewer'], 'other'))).values).toEqual([{ value: 'of another tenant', count: 1 }])
    await server.app.trail.flush()
    expect(await server.call('GET', '/v1/search/split?field=user&q=(user:')).toMatchObject({ status: 400, body: { error: { code: 'INVALID_QUERY' } } })
  })

  test('facets are recorded as a search, and refuse what a search refuses', async () => {
    await facetsOf('q=user:carol')
    const { entries } = await server.app.state.audit.list(onlyTenant, { limit: 1 })
    expect(entries[0]).toMatchObject({ action: 'search.run', diff: { query: 'user:carol', found: 1 } })
    const { status, body } = await server.call('GET', '/v1/search/facets?q=(user:')
    expect([status, body]).toMatchObject([400, { error: { code: 'INVALID_QUERY' } }])
  })

  test('fields are those of the tenant, with types and frequent values', async () => {
    const { fields } = searchFieldListSchema.parse((await server.call('GET', '/v1/search/fields')).body)
    expect(fields.map(({ name }) => name)).not.toContain('secret')
    expect(fields.find(({ name }) => name === 'user')).toMatchObject({ types: ['text'], event_count: 6, top: [{ value: 'alice' }, {}, {}] })
    expect(fields.find(({ name }) => name === 'n')?.top.every(({ value }) => typeof value === 'number')).toBe(true)
  })

  test.for([
    ['buckets=10', 200], ['buckets=200', 200], ['buckets=9', 400], ['buckets=201', 400], ['buckets=ten', 400],
  ] as const)('a histogram with %s answers %i', async ([parameter, status]) => {
    const answer = await get(`${parameter}&limit=1`)
    expect(answer.status).toBe(status)
    if (status === 200) expect(searchResultSchema.parse(answer.body).histogram!.length).toBeLessThanOrEqual(Number(parameter.slice(8)) + 1)
  })

  test('more bars are shorter ones', async () => {
    const count = async (parameters: string): Promise<number> => searchResultSchema.parse((await get(`${parameters}&limit=1`)).body).histogram!.length
    expect(await count('buckets=100')).toBeGreaterThan(await count(''))
    expect((await post({ query: '', buckets: 100, size: 1 })).body).toMatchObject({ histogram: { length: await count('buckets=100') } })
  })
})
