import { profiles } from '@tripline/contract/public/profile'
import { beforeAll, describe, expect, test } from 'vitest'
import { createApiKey, makePublicSample } from './contract/public-samples.ts'
import { openSampleWorld } from './contract/sample-world.ts'
import type { SampleWorld } from './contract/sample-world.ts'
import type { TestResponse } from './open-test-server.ts'

// Every operation that there is, by its row: a new one is here by itself.

let world: SampleWorld
let keys: { readonly [name: string]: string }
beforeAll(async () => {
  world = await openSampleWorld()
  const foreign = await world.server.tokenOf(['admin'], 'other')
  keys = {
    full: await createApiKey(world),
    reader: await createApiKey(world, { scope: 'read-only' }),
    ingest: await createApiKey(world, { resources: ['ingest'] }),
    foreign: await createApiKey(world, {}, foreign),
    elsewhere: await createApiKey(world, { allowed_cidrs: ['198.51.100.0/24'] }),
    userToken: await world.server.tokenOf(['admin']),
  }
})

const rateHeaders = {
  'x-ratelimit-limit': expect.stringMatching(/^\d+$/), 'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
  'x-ratelimit-reset': expect.stringMatching(/^\d+$/),
}

/** Sends the sample of every operation in both profiles with a key, and hands over each answer. */
async function callAll(
  token: string | null, check: (answer: TestResponse, operation: { readonly method: string; readonly path: string; readonly name: string }) => void,
  isMeant: (operation: { readonly method: string; readonly path: string }) => boolean = () => true,
): Promise<number> {
  const operations = world.server.app.http.publicApi.routes.filter(isMeant)
  for (const { method, path } of operations) {
    for (const profile of profiles) {
      const { path: url = path, bodies, body, headers } = makePublicSample(world, { method, path })
      const sent = bodies?.[profile] ?? body
      // Requests without a valid key count by address.
      world.server.io.nowMs += 60_000
      const answer = await world.server.call(method, `/api/v1${url}`, {
        token, headers: { ...headers, 'x-api-profile': profile }, ...(sent !== undefined && { body: sent }),
      })
      expect(answer.headers, `${method} ${path}`).toMatchObject({ ...rateHeaders, 'x-api-profile': profile.toUpperCase() })
      check(answer, { method, path, name: `${method} ${path} in ${profile}` })
    }
  }
  return operations.length
}

/** Calls the console as an administrator: with a fresh token, because tests move the clock. */
async function callConsole(method: string, path: string, body?: object): Promise<TestResponse> {
  return await world.server.call(method, path, { token: await world.server.tokenOf(['admin']), ...(body && { body }) })
}

const isSearch = (path: string): boolean => path.endsWith('/search')

test('a read-only key changes nothing, whatever the operation', async () => {
  const count = await callAll(keys['reader'] ?? '', ({ status, body }, { name }) => {
    expect(status, name).toBe(403)
    expect(JSON.stringify(body), name).toContain('"FORBIDDEN"')
  }, ({ method, path }) => method !== 'GET' && !isSearch(path))
  expect(count).toBeGreaterThan(5)
})

test('a read-only key reads and searches', async () => {
  await callAll(keys['reader'] ?? '', ({ status }, { name }) => expect(status, name).toBe(200),
    ({ method, path }) => method === 'GET' || isSearch(path))
})

test('a key for another resource opens nothing', async () => {
  await callAll(keys['ingest'] ?? '', ({ status }, { name }) => expect(status, name).toBe(403))
})

test.for(['userToken', 'elsewhere'])('%s opens nothing', async (name) => {
  await callAll(keys[name] ?? '', ({ status, headers }, operation) => {
    expect(status, operation.name).toBe(401)
    expect(headers['www-authenticate']).toBe('Bearer')
  })
})

test('no key opens nothing', async () => {
  await callAll(null, ({ status }, { name }) => expect(status, name).toBe(401))
})

test('an id of another tenant is answered as one that does not exist', async () => {
  await callAll(keys['foreign'] ?? '', ({ status, body }, { name }) => {
    expect(status, name).toBe(404)
    expect(JSON.stringify(body), name).toContain('"NOT_FOUND"')
  }, ({ path }) => path.includes(':') && !path.includes('/:framework'))
})

test('the frameworks are the same for all tenants, and what is known of their controls is not', async () => {
  await callAll(keys['foreign'] ?? '', ({ status, body }, { name }) => {
    // A report needs an assessment, which the other tenant has not.
    expect(status, name).toBe(name.includes('/report') ? 409 : 200)
    expect(JSON.stringify(body), name).not.toContain('"0a"')
  }, ({ path }) => path.includes('/:framework'))
})

test('a key opens none of the console', async () => {
  for (const { method, path, access } of world.server.routes) {
    if (['anyone', 'sender', 'scraper'].includes(access)) continue
    const { status } = await world.server.call(method, path.replaceAll(/:\w+/g, 'known-1'), { token: keys['full'] ?? '' })
    expect(status, `${method} ${path}`).toBe(401)
  }
})

describe('a key', () => {
  const read = async (token: string, address?: string): Promise<number> => {
    world.server.io.nowMs += 60_000
    return (await world.server.call('GET', '/api/v1/alerts', { token, ...(address && { address }) })).status
  }

  test('opens nothing from the next request on once it is revoked', async () => {
    const token = await createApiKey(world)
    expect(await read(token)).toBe(200)
    await callConsole('DELETE', `/v1/api-keys/${token.slice(3, 11)}`)
    expect(await read(token)).toBe(401)
  })

  test('overlaps with the one that replaces it for as long as was asked', async () => {
    const token = await createApiKey(world)
    const rotated = await callConsole('POST', `/v1/api-keys/${token.slice(3, 11)}/rotate`, { overlap_seconds: 600 })
    const next = String(Reflect.get(Object(rotated.body), 'key'))
    expect([await read(token), await read(next)]).toEqual([200, 200])
    world.server.io.nowMs += 600_000
    expect([await read(token), await read(next)]).toEqual([401, 200])
  })

  test('works in its networks only', async () => {
    expect([await read(keys['elsewhere'] ?? '', '198.51.100.7'), await read(keys['elsewhere'] ?? '', '203.0.113.7')]).toEqual([200, 401])
  })

  test('that is restricted to other resources sends no events', async () => {
    const token = await createApiKey(world, { resources: ['alerts'] })
    const send = async (key: string): Promise<number> =>
      (await world.server.call('POST', '/ingest/v1/events', { token: key, body: [{ user: 'alice' }] })).status
    expect([await send(token), await send(keys['ingest'] ?? '')]).toEqual([403, 202])
  })
})

test('changes are on the trail under the name of the key', async () => {
  await world.server.call('PATCH', `/api/v1/alerts/${world.alertId}`, { token: keys['full'] ?? '', body: { comment: 'from outside' } })
  const { body } = await callConsole('GET', '/v1/audit?limit=1')
  expect(body).toMatchObject({ entries: [{ actor: { type: 'api_key', email: 'apikey:Integration' } }] })
  const alert = await callConsole('GET', `/v1/alerts/${world.alertId}`)
  expect(alert.body).toMatchObject({ comments: expect.arrayContaining([expect.objectContaining({ author: 'apikey:Integration', content: 'from outside' })]) })
})

describe('the profile', () => {
  type Row = readonly [title: string, key: string, path: string, headers: { readonly [name: string]: string }, profile: string]
  test.for<Row>([
    ['of the tenant, where nothing says otherwise', 'auto', '/alerts', {}, 'B'],
    ['of the path, where one published it', 'auto', '/alerts/stats', {}, 'A'],
    ['of the path', 'auto', '/siem/rules', {}, 'A'],
    ['of the path', 'auto', '/assets', {}, 'A'],
    ['of the key, before the path', 'b', '/assets', {}, 'B'],
    ['of the key', 'a', '/alerts', {}, 'A'],
    ['of the media type, before the key', 'a', '/alerts', { accept: 'application/json; profile=b' }, 'B'],
    ['of the header, before all', 'a', '/alerts', { accept: 'application/json; profile=a', 'x-api-profile': 'B' }, 'B'],
    ['of the header in small letters', 'auto', '/alerts', { 'x-api-profile': 'a' }, 'A'],
    ['of the key, for a path that does not exist', 'a', '/nothing', {}, 'A'],
  ])('%s (%s %s)', async ([, profile, path, headers, expected]) => {
    const token = await createApiKey(world, { api_profile: profile })
    const answer = await world.server.call('GET', `/api/v1${path}`, { token, headers })
    expect(answer.headers).toMatchObject({ 'x-api-profile': expected, vary: expect.stringContaining('X-API-Profile, Accept') })
  })

  test.for<[path: string, headers: { readonly [name: string]: string }, profile: string]>([
    ['/alerts', {}, 'B'], ['/assets', {}, 'A'], ['/alerts', { 'x-api-profile': 'A' }, 'A'],
  ])('is known without a key: %s', async ([path, headers, profile]) => {
    world.server.io.nowMs += 60_000
    const { status, headers: answered } = await world.server.call('GET', `/api/v1${path}`, { token: null, headers })
    expect([status, answered['x-api-profile']]).toEqual([401, profile])
  })

  test('that does not exist is refused', async () => {
    const { status, body } = await world.server.call('GET', '/api/v1/alerts', { token: keys['full'] ?? '', headers: { 'x-api-profile': 'C' } })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error: { code: 'INVALID_PARAMETER', message: "Invalid X-API-Profile 'C'. Allowed: A, B", details: { parameter: 'X-API-Profile', value: 'C' } },
    })
  })
})

test('a creating request with an idempotency key is executed once, in each profile', async () => {
  const create = (profile: string, title = 'Once') => world.server.call('POST', '/api/v1/incidents', {
    token: keys['full'] ?? '', body: { title }, headers: { 'idempotency-key': 'one', 'x-api-profile': profile },
  })
  const [first, second, other] = [await create('b'), await create('b'), await create('a')]
  expect([first.status, second.status, other.status]).toEqual([201, 201, 201])
  expect(second.body).toEqual(first.body)
  expect(second.headers['idempotent-replayed']).toBe('true')
  expect(Object.keys(Object(other.body))).toContain('alertCount')
  expect((await create('b', 'Twice')).status).toBe(409)
})

test('versions are checked and answered', async () => {
  const call = (method: string, headers: { readonly [name: string]: string } = {}, body?: object) =>
    world.server.call(method, '/api/v1/incidents/known-1', { token: keys['full'] ?? '', headers, ...(body && { body }) })
  const { headers: { etag = '' } } = await call('GET')
  expect(etag).toMatch(/^"\d+"$/)
  expect((await call('GET', { 'if-none-match': etag })).status).toBe(304)
  expect((await call('PATCH', { 'if-match': '"999"' }, { title: 'Other' })).status).toBe(412)
  expect((await call('PATCH', { 'if-match': etag }, { title: 'Other' })).status).toBe(200)
})
