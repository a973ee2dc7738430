import { memoryEvents } from '@tripline/storage/test/events/memory-events'
import { beforeEach, describe, expect, test } from 'vitest'
import { createApiKey } from './contract/public-samples.ts'
import { openTestServer } from './open-test-server.ts'
import type { TestServer } from './open-test-server.ts'

const minuteMs = 60_000

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([], { events: memoryEvents() })
})

const setPlan = async (plan: object): Promise<void> => {
  const token = await server.tokenOf(['operator'])
  expect((await server.call('PATCH', '/v1/tenants/default', { token, body: plan })).status).toBe(200)
}

type Answer = { readonly status: number; readonly limit: number; readonly remaining: number; readonly reset: number; readonly retryAfter?: number }

async function read(token: string | null, address?: string, path = '/alerts'): Promise<Answer> {
  const { status, headers } = await server.call('GET', `/api/v1${path}`, { token, ...(address && { address }) })
  const number = (name: string): number => Number(headers[name])
  return {
    status, limit: number('x-ratelimit-limit'), remaining: number('x-ratelimit-remaining'), reset: number('x-ratelimit-reset'),
    ...(headers['retry-after'] !== undefined && { retryAfter: number('retry-after') }),
  }
}

test.for<[plan: object, limit: number]>([
  [{ plan: 'free' }, 60], [{ plan: 'mdr' }, 300], [{ plan: 'Standard' }, 300], [{ plan: 'pro' }, 1_000],
  [{ plan: 'custom' }, 5_000], [{ plan: 'Enterprise', api_requests_per_minute: 7 }, 7],
])('the plan %j allows %i requests a minute', async ([plan, limit]) => {
  await setPlan(plan)
  expect(await read(await createApiKey({ server }))).toMatchObject({ status: 200, limit, remaining: limit - 1 })
})

test('64 clients with two keys share the plan of their tenant exactly, window after window', async () => {
  await setPlan({ plan: 'free' })
  const keys = [await createApiKey({ server }), await createApiKey({ server })]
  for (let window = 0; window < 3; window++) {
    // In the middle of the window: it ends with the minute, not a minute later.
    server.io.nowMs = Math.ceil(server.io.nowMs / minuteMs) * minuteMs + 20_000
    const endsAt = server.io.nowMs / 1_000 + 40
    const answers = await Promise.all(Array.from({ length: 64 }, async (_, client) => {
      const own: Answer[] = []
      for (let i = 0; i < 3; i++) own.push(await read(keys[client % 2] ?? ''))
      return own
    }))
    const all = answers.flat()
    expect(all.filter(({ status }) => status === 200)).toHaveLength(60)
    expect(all.filter(({ status }) => status === 429)).toHaveLength(64 * 3 - 60)
    // Each number of remaining requests is answered once, and no client sees it grow.
    const accepted = all.filter(({ status }) => status === 200).map(({ remaining }) => remaining)
    expect(accepted.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, i) => i))
    for (const own of answers) expect(own.map(({ remaining }) => remaining)).toEqual(own.map(({ remaining }) => remaining).toSorted((a, b) => b - a))
    for (const { status, limit, remaining, reset, retryAfter } of all) {
      expect([limit, reset]).toEqual([60, endsAt])
      if (status === 429) expect([remaining, retryAfter]).toEqual([0, 40])
      else expect(retryAfter).toBeUndefined()
    }
  }
})

test('a change of plan applies from the next request on', async () => {
  await setPlan({ plan: 'custom', api_requests_per_minute: 2 })
  const key = await createApiKey({ server })
  expect([await read(key), await read(key), await read(key)].map(({ status }) => status)).toEqual([200, 200, 429])
  await setPlan({ api_requests_per_minute: 4 })
  expect(await read(key)).toMatchObject({ status: 200, limit: 4, remaining: 1 })
  await setPlan({ api_requests_per_minute: 1 })
  expect(await read(key)).toMatchObject({ status: 429, limit: 1, remaining: 0 })
})

test('a key may have a lower limit of its own, which takes nothing from the others beyond what it used', async () => {
  await setPlan({ plan: 'custom', api_requests_per_minute: 5 })
  const [slow, usual] = [await createApiKey({ server }, { requests_per_minute: 2 }), await createApiKey({ server })]
  expect(await read(slow)).toMatchObject({ status: 200, limit: 2, remaining: 1 })
  expect([await read(slow), await read(slow)].map(({ status }) => status)).toEqual([200, 429])
  expect(await read(usual)).toMatchObject({ status: 200, limit: 5, remaining: 2 })
})

test('tenants do not take from each other', async () => {
  await setPlan({ plan: 'custom', api_requests_per_minute: 1 })
  const key = await createApiKey({ server })
  const other = await createApiKey({ server }, {}, await server.tokenOf(['admin'], 'other'))
  expect([await read(key), await read(key), await read(other)].map(({ status }) => status)).toEqual([200, 429, 200])
})

describe('without a valid key', () => {
  test('60 requests a minute are answered 401, by address, and further ones 429', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 62; i++) statuses.push((await read(null, '192.0.2.1')).status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(60)
    expect(statuses.slice(60)).toEqual([429, 429])
    expect(await read('tk_wrong', '192.0.2.2')).toMatchObject({ status: 401, limit: 60, remaining: 59 })
  })

  test('a valid key behind the same address still works', async () => {
    const key = await createApiKey({ server })
    for (let i = 0; i < 62; i++) await read(null, '192.0.2.1')
    expect(await read(key, '192.0.2.1')).toMatchObject({ status: 200 })
  })

  test('the documents are open, and count by address', async () => {
    const { status, headers } = await server.call('GET', '/api/v1/openapi.json?profile=a', { token: null, address: '192.0.2.9' })
    expect([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([200, '60', '59'])
  })
})

test.for<[method: string, path: string, status: number]>([
  ['GET', '/nothing', 404], ['DELETE', '/alerts', 405], ['GET', '/alerts?page=x', 400], ['GET', '/alerts/none', 404],
])('%s %s is answered %i and counted', async ([method, path, expected]) => {
  const token = await createApiKey({ server })
  const { status, headers } = await server.call(method, `/api/v1${path}`, { token })
  expect([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([expected, '5000', '4999'])
})
