import { profiles } from '@tripline/contract/public/profile'
import { onlyTenant } from '@tripline/model/tenant'
import { newAlertWith } from '@tripline/state/test/state-samples'
import { beforeAll, describe, expect, test } from 'vitest'
import { createApiKey, makePublicSample } from './contract/public-samples.ts'
import { openSampleWorld } from './contract/sample-world.ts'
import type { SampleWorld } from './contract/sample-world.ts'
import type { Call, TestResponse } from './open-test-server.ts'
import { publicContract, publicError } from './public-contract.ts'

type Profile = 'a' | 'b'

let world: SampleWorld
let key: string
let reader: string
beforeAll(async () => {
  world = await openSampleWorld()
  key = await createApiKey(world)
  reader = await createApiKey(world, { scope: 'read-only' })
  const at = world.server.io.nowMs
  const levels = ['critical', 'high', 'medium', 'low', 'informational'] as const
  await world.server.app.state.alerts.insert(onlyTenant, Array.from({ length: 45 }, (_, i) => newAlertWith({
    id: `018f0000-0000-7000-8000-0000000000${String(i).padStart(2, '0')}`, ruleTitle: `Rule ${String(i).padStart(2, '0')}`,
    level: levels[i % 5] ?? 'low', description: i === 7 ? 'A needle in the description' : '', product: i % 2 === 0 ? 'windows' : 'linux',
    source: i % 2 === 0 ? 'windows-sysmon' : 'linux-auditd', matchedAt: at - i * 1_000, dedupKey: `key ${i}`,
  })))
})

const call = (profile: Profile, method: string, path: string, more: Call = {}): Promise<TestResponse> =>
  world.server.call(method, `/api/v1${path}`, { token: key, ...more, headers: { 'x-api-profile': profile, ...more.headers } })

const list = (body: unknown): readonly { readonly [name: string]: unknown }[] => {
  const { content, data } = Object(body)
  return content ?? data
}

describe.for(profiles)('in profile %s', (profile) => {
  test('every operation answers what was published', async () => {
    // Another world: samples change what they are about.
    const own = await openSampleWorld()
    const token = await createApiKey(own)
    const { routes } = own.server.app.http.publicApi
    for (const { method, path } of routes) {
      const name = `${method} ${path}`
      const { path: url = path, bodies, body, status } = makePublicSample(own, { method, path })
      const sent = bodies?.[profile] ?? body
      const answer = await own.server.call(method, `/api/v1${url}`, {
        token, headers: { 'x-api-profile': profile }, ...(sent !== undefined && { body: sent }),
      })
      expect(answer.status, name).toBe(status)
      const contract = publicContract[name]?.[profile]
      expect(contract, `${name} has a row in public-contract.ts`).toBeDefined()
      expect(contract?.safeParse(answer.body).error?.issues, name).toBeUndefined()
      expect(answer.headers, name).toMatchObject({
        'x-request-id': expect.stringMatching(/^[A-Za-z0-9._-]{8,128}$/), 'x-ratelimit-limit': '5000',
        'x-ratelimit-remaining': expect.stringMatching(/^\d+$/), 'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
        ...(status !== 204 && { 'content-type': expect.stringContaining('application/json') }),
      })
    }
    expect(Object.keys(publicContract).filter((name) => !routes.some(({ method, path }) => `${method} ${path}` === name))).toEqual([])
  })

  type ErrorRow = readonly [title: string, method: string, path: string, more: () => Call, status: number, code: string, reason: string]
  test.for<ErrorRow>([
    ['a wrong word', 'GET', '/alerts?severity=hgih', () => ({}), 400, 'INVALID_PARAMETER', 'Bad Request'],
    ['no key', 'GET', '/alerts', () => ({ token: null }), 401, 'UNAUTHORIZED', 'Unauthorized'],
    ['a wrong key', 'GET', '/alerts', () => ({ token: 'tk_wrong' }), 401, 'UNAUTHORIZED', 'Unauthorized'],
    ['a key that may only read', 'PATCH', '/alerts/none', () => ({ token: reader, body: { comment: 'x' } }), 403, 'FORBIDDEN', 'Forbidden'],
    ['an unknown id', 'GET', '/alerts/none', () => ({}), 404, 'NOT_FOUND', 'Not Found'],
    ['an unknown path', 'GET', '/nothing', () => ({}), 404, 'NOT_FOUND', 'Not Found'],
    ['a method that is not there', 'DELETE', '/alerts', () => ({}), 405, 'METHOD_NOT_ALLOWED', 'Method Not Allowed'],
    ['a webhook to an address that is none', 'POST', '/webhooks',
      () => ({ body: { name: 'x', url: 'ftp://soar.example/x', events: ['alert.created'] } }), 400, 'INVALID_PARAMETER', 'Bad Request'],
    ['a change without a body', 'PATCH', '/alerts/none', () => ({}), 400, 'INVALID_PARAMETER', 'Bad Request'],
    ['a comment without a body', 'POST', '/incidents/known-1/comments', () => ({}), 400, 'INVALID_PARAMETER', 'Bad Request'],
    ['an unknown framework', 'GET', '/compliance/hipaa/coverage', () => ({}), 404, 'NOT_FOUND', 'Not Found'],
    ['a page below the first', 'GET', '/alerts?page=-1', () => ({}), 400, 'INVALID_PARAMETER', 'Bad Request'],
    ['a page of none', 'GET', '/alerts?size=0', () => ({}), 400, 'INVALID_PARAMETER', 'Bad Request'],
    ['a page of more than the most', 'GET', '/alerts?size=101', () => ({}), 400, 'INVALID_PARAMETER', 'Bad Request'],
    ['an unknown sort field', 'GET', '/alerts?sort=colour', () => ({}), 400, 'INVALID_PARAMETER', 'Bad Request'],
    ['a range that ends before it begins', 'GET', '/alerts?from=2026-01-02&to=2026-01-01', () => ({}), 400, 'INVALID_PARAMETER', 'Bad Request'],
    ['a page beyond the window', 'GET', '/alerts?page=101&size=100', () => ({}), 400, 'INVALID_PARAMETER', 'Bad Request'],
    ['an unknown field', 'PATCH', '/alerts/none', () => ({ body: { colour: 'red' } }), 400, 'INVALID_PARAMETER', 'Bad Request'],
    ['an empty change', 'PATCH', '/alerts/none', () => ({ body: {} }), 400, 'INVALID_PARAMETER', 'Bad Request'],
    ['a broken query', 'POST', '/search', () => ({ body: { query: 'a:(' } }), 400, 'INVALID_QUERY', 'Bad Request'],
    ['an alert in two incidents', 'POST', '/incidents/known-2/alerts',
      () => ({ body: profile === 'a' ? { alertIds: ['known-a'] } : { alert_ids: ['known-a'] } }), 409, 'CONFLICT', 'Conflict'],
  ])('%s is an error as published', async ([, method, path, more, status, code, reason]) => {
    world.server.io.nowMs += 60_000
    const answer = await call(profile, method, path, more())
    expect(publicError[profile].safeParse(answer.body).error?.issues).toBeUndefined()
    const body = profile === 'a' ? { error: reason, status, code } : { error: { code } }
    expect(answer).toMatchObject({ status, body })
  })

  test('a wrong severity is answered with the five that there are', async () => {
    const { body } = await call(profile, 'GET', '/alerts?severity=hgih')
    const message = "Invalid severity 'hgih'. Allowed: critical, high, medium, low, info"
    expect(body).toMatchObject(profile === 'a' ? { message } : { error: { message, details: { parameter: 'severity', value: 'hgih' } } })
  })

  test('severities of a filter may be in upper case in A, whose description can be read so', async () => {
    const find = async (severity: string): Promise<readonly [number, number | undefined]> => {
      const { status, body } = await call(profile, 'GET', `/alerts?size=100&severity=${severity}`)
      return [status, list(body)?.length]
    }
    expect(await find('HIGH,critical')).toEqual(profile === 'a' ? await find('high,critical') : [400, undefined])
    expect(await find('High')).toEqual([400, undefined])
  })

  test('a key that is missing or wrong is named as such', async () => {
    for (const token of [null, 'tk_wrong']) {
      const { body } = await call(profile, 'GET', '/alerts', { token })
      const message = expect.stringContaining('the API key is missing or not valid')
      expect(body).toMatchObject(profile === 'a' ? { message } : { error: { message } })
    }
  })

  const inA = profile === 'a'
  const replay = { from: '2026-01-02T00:00:00Z', to: '2026-01-01' }
  type RefusalRow = readonly [title: string, method: string, path: string, body: object, parameter: string, value: unknown, message: string]
  test.for<RefusalRow>([
    ['a URL', 'POST', '/webhooks', { name: 'x', url: 'ftp://soar.example/x', events: ['alert.created'] }, 'url', 'ftp://soar.example/x', 'url: '],
    ['an assignee', 'PATCH', '/incidents/known-1', { [inA ? 'assignedTo' : 'assignee']: 'none@soar.example' },
      inA ? 'assignedTo' : 'assignee', 'none@soar.example', inA ? 'assignedTo: must be' : 'assignee: must be'],
    ['a range of a search', 'POST', '/search', { [inA ? 'fromTime' : 'from']: replay.from, [inA ? 'toTime' : 'to']: replay.to },
      inA ? 'fromTime' : 'from', replay.from, inA ? "before 'toTime'" : "before 'to'"],
    ['a range of a replay', 'POST', '/webhooks/known-1/replay', replay, 'from', replay.from, "before 'to'"],
    ['a framework', 'POST', '/compliance/evidence/collect', { frameworks: ['hipaa'] }, 'frameworks', 'hipaa', "no framework 'hipaa'"],
    ['a field that there is not', 'POST', '/search', { colour: 'red' }, 'colour', 'red', 'no such field'],
  ])('%s that is refused is named as the profile names it', async ([, method, path, sent, parameter, value, message]) => {
    const { status, body } = await call(profile, method, path, { body: sent })
    const shown = { message: expect.stringContaining(message), details: { parameter, value } }
    expect({ status, body }).toMatchObject({ status: 400, body: inA ? shown : { error: shown } })
  })

  test('a second collection of evidence names the job that runs', async () => {
    const own = await openSampleWorld()
    const token = await createApiKey(own)
    const collect = (): Promise<TestResponse> => own.server.call('POST', '/api/v1/compliance/evidence/collect', {
      token, headers: { 'x-api-profile': profile }, body: { from: '2025-11-01', to: '2025-11-02T00:00:00+09:00' },
    })
    const id: unknown = Object((await collect()).body)[inA ? 'jobId' : 'job_id']
    expect(id).toBeTypeOf('string')
    const details = inA ? { details: { jobId: id } } : { error: { details: { job_id: id } } }
    expect(await collect()).toMatchObject({ status: 409, body: details })
  })

  test.for<readonly [path: string, ids: string, more: object]>([
    ['/incidents', inA ? 'alertIds' : 'alert_ids', { title: 'x', severity: 'low' }],
    ['/incidents/known-1/merge', inA ? 'incidentIds' : 'incident_ids', {}],
  ])('an unknown id of a body of %s is not one of its path', async ([path, ids, more]) => {
    const { status, body } = await call(profile, 'POST', path, { body: { ...more, [ids]: ['none'] } })
    const details = { parameter: ids, value: null }
    expect({ status, body }).toMatchObject({ status: 404, body: inA ? { details } : { error: { details } } })
  })

  test('a webhook gets its events in the words of the profile that registers it', async () => {
    const register = async (name: string, more: object): Promise<unknown> => {
      const body = { name: `${name} ${profile}`, url: 'https://soar.example/x', events: ['alert.created'], ...more }
      return Object((await call(profile, 'POST', '/webhooks', { body })).body).profile
    }
    const other = profile === 'a' ? 'b' : 'a'
    expect([await register('Own', {}), await register('Other', { profile: other })]).toEqual([profile, other])
  })

  test('evidence of all frameworks is collected without a body', async () => {
    const own = await openSampleWorld()
    const token = await createApiKey(own)
    const { status, body } = await own.server.call('POST', '/api/v1/compliance/evidence/collect', { token, headers: { 'x-api-profile': profile } })
    expect([status, Object(body).frameworks.length]).toEqual([202, 9])
  })

  const first = profile === 'a' ? 0 : 1
  const names = { a: ['createdAt', 'direction'], b: ['created_at', 'order'] }[profile]

  describe('a list', () => {
    const position = (body: unknown): unknown => {
      const { totalElements, totalPages, number, size, pagination } = Object(body)
      return profile === 'a' ? [number, size, totalElements, totalPages] : [pagination.page, pagination.size, pagination.total, pagination.total_pages]
    }

    test.for<[title: string, query: string, page: number, size: number, count: number]>([
      ['the first page, by default', '', 0, 20, 20],
      ['a page of a hundred', 'size=100', 0, 100, 49],
      ['the page before the last', 'page=1', 1, 20, 20],
      ['the last page', 'page=2', 2, 20, 9],
      ['a page beyond the last', 'page=3', 3, 20, 0],
      ['one entry', 'page=47&size=1', 47, 1, 1],
    ])('%s', async ([, query, page, size, count]) => {
      const total = 45 + 4
      const numbered = query.replace(/page=(\d+)/, (_match, number: string) => `page=${Number(number) + first}`)
      const { body } = await call(profile, 'GET', `/alerts?${numbered}&to=2026-11-20T10:00:00.001Z`)
      expect([position(body), list(body).length]).toEqual([[page + first, size, total, Math.ceil(total / size)], count])
    })

    test('continues by cursor to the end, with every entry once', async () => {
      const ids: unknown[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const { body, headers }: TestResponse = await call(profile, 'GET', `/alerts?size=20${cursor === '' ? '' : `&cursor=${cursor}`}`)
        ids.push(...list(body).map(({ id }) => id))
        cursor = profile === 'a' ? headers['x-next-cursor'] ?? null : Object(body).pagination.next_cursor
      }
      const total = Number((position((await call(profile, 'GET', '/alerts')).body) as number[])[2])
      expect([ids.length, new Set(ids).size]).toEqual([total, total])
    })

    test('is sorted by a field of the profile, in both directions', async () => {
      const [field = '', direction = ''] = names
      const read = async (word: string): Promise<readonly string[]> =>
        list((await call(profile, 'GET', `/alerts?sort=${field}&${direction}=${word}&size=100`)).body).map((entry) => String(entry[field]))
      const [up, down] = [await read('asc'), await read('desc')]
      expect(up).toEqual(up.toSorted((a, b) => a.localeCompare(b)))
      expect(down).toEqual(up.toReversed())
    })

    test('names parameters that it does not know', async () => {
      const { headers } = await call(profile, 'GET', '/alerts?colour=red')
      expect(headers['x-query-warnings']).toBe('unknown_parameter:colour')
    })
  })

  test.for<[query: string, isMeant: (alert: { readonly [name: string]: unknown }) => boolean]>([
    ['severity=critical', ({ severity }) => severity === 'critical'],
    ['severity=critical,info', ({ severity }) => severity === 'critical' || severity === 'info'],
    ['severity=critical&severity=low', ({ severity }) => severity === 'critical' || severity === 'low'],
    ['search=NEEDLE', ({ description }) => description === 'A needle in the description'],
    ['search=rule 1', ({ title }) => String(title).startsWith('Rule 1')],
    [profile === 'a' ? 'sourceType=linux' : 'source_type=linux', (alert) => alert[profile === 'a' ? 'sourceType' : 'source_type'] === 'linux'],
    [profile === 'a' ? 'status=OPEN' : 'status=open', ({ status }) => String(status).toLowerCase() === 'open'],
  ])('a filter finds what it says: %s', async ([query, isMeant]) => {
    const all = list((await call(profile, 'GET', '/alerts?size=100')).body)
    const found = list((await call(profile, 'GET', `/alerts?size=100&${query}`)).body)
    expect(found.map(({ id }) => id)).toEqual(all.filter(isMeant).map(({ id }) => id))
    expect(found.length).toBeGreaterThan(0)
  })

  test('statistics count what the lists hold', async () => {
    const all = list((await call(profile, 'GET', '/alerts?size=100')).body)
    const statusOf = (alert: { readonly [name: string]: unknown }) => String(alert['status']).toLowerCase()
    const isUnresolved = (alert: { readonly [name: string]: unknown }) => ['open', 'in_progress'].includes(statusOf(alert))
    expect((await call(profile, 'GET', '/alerts/stats')).body).toMatchObject({
      total_alerts: all.length,
      open_alerts: all.filter((alert) => statusOf(alert) === 'open').length,
      critical_alerts: all.filter((alert) => alert['severity'] === 'critical' && isUnresolved(alert)).length,
      high_alerts: all.filter((alert) => alert['severity'] === 'high' && isUnresolved(alert)).length,
      resolved_alerts: all.filter((alert) => statusOf(alert) === 'resolved').length,
    })
  })

  test('every status of an alert can be written, and is answered as written', async () => {
    const words = { a: ['IN_PROGRESS', 'RESOLVED', 'FALSE_POSITIVE', 'OPEN'], b: ['in_progress', 'resolved', 'false_positive', 'open'] }
    for (const status of words[profile]) {
      const { status: code, body } = await call(profile, 'PATCH', `/alerts/${world.alertId}`, { body: { status } })
      expect([code, Object(body).status]).toEqual([200, status])
    }
    for (const status of words[profile === 'a' ? 'b' : 'a']) {
      expect((await call(profile, 'PATCH', `/alerts/${world.alertId}`, { body: { status } })).status).toBe(400)
    }
  })

  test('a comment has between 1 and 10,000 characters', async () => {
    const statusOf = async (content: string): Promise<number> =>
      (await call(profile, 'POST', '/incidents/known-1/comments', { body: { content } })).status
    expect([await statusOf(''), await statusOf('x'), await statusOf('x'.repeat(10_000)), await statusOf('x'.repeat(10_001))])
      .toEqual([400, 201, 201, 400])
  })
})

test('a profile does not undo a status that it cannot show', async () => {
  const write = async (profile: Profile, status: string): Promise<void> => {
    expect((await call(profile, 'PATCH', '/incidents/known-1', { body: { status } })).status).toBe(200)
  }
  const read = async (): Promise<unknown> => (await world.server.app.state.incidents.get(onlyTenant, 'known-1'))?.status
  await write('a', 'ERADICATED')
  await write('b', 'contained')
  expect(await read()).toBe('eradicated')
  await write('b', 'investigating')
  await write('a', 'OPEN')
  expect(await read()).toBe('investigating')
  await write('b', 'resolved')
  expect(await read()).toBe('recovered')
  await write('b', 'contained')
  expect(await read()).toBe('contained')
})

test.for<[query: object, found: number]>([
  [{ query: 'host:web-1' }, 1], [{ query: 'host:web*' }, 1], [{ query: 'host:web-1 AND NOT host:web*' }, 0],
  [{ query: 'host:none OR host:web-1' }, 1], [{ query: '' }, 1],
])('a search for %j finds %i', async ([query, found]) => {
  world.server.io.nowMs = Date.UTC(2026, 10, 20, 10, 0, 1)
  const { body } = await call('b', 'POST', '/search', { body: query })
  expect([Object(body).data.length, Object(body).total]).toEqual([found, found])
})
