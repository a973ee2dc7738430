import { readPolledPage } from '@tripline/sources/polling/read-page'
import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { answerJson, openFarServer, textOf } from './far-server.ts'
import type { FarAnswer, FarServer } from './far-server.ts'
import { openRunnerWorld } from './runner-world.ts'
import type { RunnerWorld } from './runner-world.ts'

let far: FarServer
let world: RunnerWorld
beforeEach(async () => {
  far = await openFarServer(answerJson([]))
  world = await openRunnerWorld()
})
afterEach(async () => {
  await world.close()
  await far.close()
})

/** Pages of a source by their cursors. */
type TestPage = { readonly items: readonly unknown[]; readonly next?: string | null }

function pagesOf(pages: { readonly [cursor: string]: TestPage }): FarAnswer {
  return (request, response) => {
    const cursor = new URL(request.url ?? '', 'http://far').searchParams.get('cursor') ?? ''
    const { items, next } = pages[cursor] ?? { items: [] }
    return answerJson({ data: { items }, meta: { next } })(request, response)
  }
}

const paths = { items_path: 'data.items', cursor_path: 'meta.next' }
const numbers = (...ns: number[]): { n: number }[] => ns.map((n) => ({ n }))
const takenNumbers = (): number[] => world.taken.map((line) => Number(/"n":(\d+)/.exec(line)?.[1]))

describe('polling', () => {
  test('goes from page to page, and on from the last one', async () => {
    far.answer = pagesOf({ '': { items: numbers(1, 2), next: 'p2' }, p2: { items: numbers(3), next: null } })
    await world.add({ url: `${far.url}/events`, ...paths })
    await world.runner.start()
    await world.time.settle()
    expect(takenNumbers()).toEqual([1, 2, 3])
    far.answer = pagesOf({ p2: { items: numbers(3, 4), next: 'p3' }, p3: { items: numbers(5), next: 'p3' } })
    await world.time.pass(60_000)
    expect(takenNumbers()).toEqual([1, 2, 3, 4, 5])
    await world.time.pass(60_000)
    expect(takenNumbers()).toEqual([1, 2, 3, 4, 5])
  })

  test('continues after a restart, without repeated events', async () => {
    far.answer = pagesOf({ '': { items: numbers(1), next: 'p2' }, p2: { items: numbers(2), next: null } })
    await world.add({ url: far.url, ...paths })
    await world.runner.start()
    await world.time.settle()
    far.asked.length = 0
    far.answer = pagesOf({ '': { items: numbers(9), next: 'p2' }, p2: { items: numbers(2, 3), next: null } })
    world = await world.restart()
    await world.runner.start()
    await world.time.settle()
    expect(takenNumbers()).toEqual([3])
    expect(far.asked).toContain('GET /?cursor=p2')
  })

  test('reads a page again whose events were not durable, and logs no more than that', async () => {
    far.answer = pagesOf({ '': { items: numbers(1), next: 'p2' }, p2: { items: numbers(2), next: null } })
    await world.add({ url: far.url, ...paths })
    let failures = 2
    world.onTake = async () => {
      if (failures-- > 0) throw new Error('no room')
    }
    await world.runner.start()
    await world.time.settle()
    expect(world.taken).toEqual([])
    await world.time.pass(1_000)
    expect(world.taken).toEqual([])
    await world.time.pass(2_000)
    expect(takenNumbers()).toEqual([1, 2])
    expect(world.logLines.filter((line) => line.includes('could not be ingested'))).toHaveLength(2)
  })

  test('gives the same event the same id, and equal events of one page two', () => {
    const nothing = { client: undefined, tokenUrl: undefined, cursorPath: undefined }
    const target = { ...nothing, url: new URL(far.url), itemsPath: [], intervalMs: 1 }
    const body = Buffer.from('[{"n":1},{"n":1},{"n":2}]')
    const seen = ['c1', 'c1', 'c2'].map((connector) => readPolledPage(body, target, connector).events.map(({ id }) => id))
    expect(seen[0]).toEqual(seen[1])
    expect(new Set(seen[0]).size).toBe(3)
    expect(seen[0]?.some((id) => seen[2]?.includes(id))).toBe(false)
  })

  test('passes bytes on as they came', async () => {
    const item = '{"n":9007199254740993, "__proto__":{"x":1},"a":"\\u00e9",\n"big":1e999}'
    far.answer = (_request, response) => void response.end(`{"data":{"items":[${item}]},"meta":{}}`)
    await world.add({ url: far.url, ...paths })
    await world.runner.start()
    await world.time.settle()
    expect(world.taken).toEqual([`a c1 ${item}`])
  })

  test.for<[title: string, body: string, taken: number]>([
    ['a list', '[{"n":1},{"n":2}]', 2],
    ['lines', '{"n":1}\n{"n":2}\n', 2],
    ['one object', '{"n":1}', 1],
    ['an empty list', '[ ]', 0],
    ['nothing', '', 0],
    ['a list with what is no event', '[{"n":1},7,"x",null,[]]', 1],
  ])('reads %s without a path', async ([, body, taken]) => {
    far.answer = (_request, response) => void response.end(body)
    await world.add({ url: far.url })
    await world.runner.start()
    await world.time.settle()
    expect(world.taken).toHaveLength(taken)
  })

  test('counts what came in, and keeps it', async () => {
    far.answer = answerJson([{ n: 1 }, 7, { n: 2 }])
    await world.add({ url: far.url })
    await world.runner.start()
    await world.time.settle()
    await world.time.pass(10_000)
    const totals = { receivedCount: 2, failedCount: 1, byteCount: 14, lastEventAt: 1_000_000 }
    expect(await world.state.connectors.totals('a', 'c1')).toEqual(totals)
  })

  test('follows a cursor that is a URL, but to no other host', async () => {
    const pages: { [path: string]: unknown } = {
      '/': { data: { items: numbers(1) }, meta: { next: `${far.url}/second?x=1` } },
      '/second?x=1': { data: { items: numbers(2) }, meta: { next: 'http://169.254.169.254/latest' } },
    }
    far.answer = (request, response) => answerJson(pages[request.url ?? ''])(request, response)
    await world.add({ url: far.url, ...paths })
    await world.runner.start()
    await world.time.settle()
    expect(takenNumbers()).toEqual([1, 2])
    await world.time.pass(15_000)
    expect(await world.healthOf()).toMatch(/^(?:unhealthy 1: the cursor points to another host than the first page|healthy)/)
    expect(world.logLines.join()).not.toContain('169.254')
  })

  test('reads no more pages at once than its bound', async () => {
    let count = 0
    far.answer = (request, response) => {
      const page = { data: { items: numbers(count) }, meta: { next: `p${count++}` } }
      return answerJson(page)(request, response)
    }
    await world.add({ url: far.url, ...paths })
    await world.runner.start()
    await world.time.settle()
    expect(world.taken.length).toBe(100)
    await world.time.pass(60_000)
    expect(world.taken.length).toBe(200)
  })
})

describe('a source that wants to be left alone', () => {
  test.for<[status: number, retryAfter: string, waitMs: number]>([
    [429, '30', 30_000],
    [503, '90', 90_000],
    [429, new Date(1_000_000 + 45_000).toUTCString(), 45_000],
  ])('with %i and Retry-After %s is not requested until then', async ([status, retryAfter, waitMs]) => {
    far.answer = answerJson({}, { status, headers: { 'retry-after': retryAfter } })
    await world.add({ url: far.url })
    await world.runner.start()
    await world.time.settle()
    const askedBefore = far.asked.length
    await world.time.pass(waitMs - 1)
    expect(far.asked.length).toBe(askedBefore)
    far.answer = answerJson(numbers(1))
    await world.time.pass(1)
    expect(takenNumbers()).toEqual([1])
  })

  test('is retried with doubled delays', async () => {
    far.answer = answerJson({}, { status: 500 })
    await world.add({ url: far.url })
    const polls: number[] = []
    far.answer = (request, response) => {
      polls.push(world.time.now() - 1_000_000)
      return answerJson({}, { status: 429 })(request, response)
    }
    await world.runner.start()
    await world.time.pass(14_000)
    expect(polls.filter((at) => at > 0)).toEqual([1_000, 1_000, 3_000, 7_000])
  })
})

describe('health', () => {
  const failing: readonly (readonly [title: string, answer: FarAnswer, health: RegExp])[] = [
    ['401', answerJson({}, { status: 401 }), /^unhealthy 1: 401 from \/events: check client_id and client_secret$/],
    ['403', answerJson({}, { status: 403 }), /^unhealthy 1: 403 from/],
    ['500', answerJson({}, { status: 500 }), /^unhealthy 1: 500 from \/events$/],
    ['404', answerJson({}, { status: 404 }), /^unhealthy 1: 404 from \/events$/],
    [
      'a redirect', answerJson({}, { status: 302, headers: { location: 'http://169.254.169.254/' } }),
      /^unhealthy 1: 302 from \/events: redirects are not followed$/,
    ],
    ['429', answerJson({}, { status: 429 }), /^degraded 0: 429 from \/events: rate limited by the source$/],
    [
      'garbage', (_request, response) => void response.end('<html>'),
      /^unhealthy 1: the response has no list at items_path 'data.items'$/,
    ],
    ['another shape', answerJson({ data: { items: { a: 1 } } }), /^unhealthy 1: the response has no list/],
    ['a list of what is no event', answerJson({ data: { items: [1, 2] } }), /^unhealthy 1: the response has no event/],
    ['what it should', answerJson({ data: { items: [] } }), /^healthy 0: 0 events in the last minute$/],
  ]
  test.for(failing)('of a source that answers with %s', async ([, answer, health]) => {
    far.answer = answer
    await world.add({ url: `${far.url}/events`, ...paths })
    await world.runner.start()
    await world.time.settle()
    await world.time.pass(1_000)
    expect(await world.healthOf()).toMatch(health)
  })

  test('is checked every 15 seconds, with one retry after a second, and reported', async () => {
    const { url } = far
    await far.close()
    await world.add({ url })
    await world.runner.start()
    await world.time.settle()
    expect(await world.healthOf()).toBe('pending 0: not checked yet')
    await world.time.pass(1_000)
    expect(await world.healthOf()).toMatch(/^unhealthy 1: .* refuses connections$/)
    await world.time.pass(16_000)
    expect(await world.healthOf()).toMatch(/^unhealthy 2/)
    expect((await world.readTransitions()).map((text) => text.split(':')[0])).toEqual(['pending unhealthy'])
    const history = await world.state.connectors.history('a', 'c1', 10)
    expect(history.map(({ status, at }) => `${status} ${at - 1_000_000}`)).toEqual(['unhealthy 1000', 'pending 0'])
    const [entry] = (await world.state.audit.list('a', { limit: 10 })).entries
    expect(entry).toMatchObject({
      action: 'connector.status_change', target: { type: 'connector', id: 'c1' }, diff: { status: ['pending', 'unhealthy'] },
    })
  })

  test('recovers, and is degraded by silence', async () => {
    far.answer = answerJson({}, { status: 500 })
    await world.add({ url: far.url, quiet_after: '60s', polling_interval: '5s' })
    await world.runner.start()
    await world.time.pass(1_000)
    far.answer = answerJson(numbers(1))
    await world.time.pass(16_000)
    expect(await world.healthOf()).toBe('healthy 0: 1 event in the last minute')
    await world.time.pass(60_000)
    expect(await world.healthOf()).toBe('degraded 0: no event for 1 minutes')
    far.answer = answerJson(numbers(1, 2))
    await world.time.pass(20_000)
    expect(await world.healthOf()).toBe('healthy 0: 1 event in the last minute')
    expect((await world.readTransitions()).map((text) => /^\w+ (\w+)/.exec(text)?.[1])).toEqual(['unhealthy', 'healthy', 'degraded', 'healthy'])
  })

  test.for<[type: 'http_ndjson' | 'syslog' | 'file', settings: object, health: string]>([
    ['http_ndjson', {}, 'pending 0: no event received yet'],
    ['syslog', { port: 514 }, 'unhealthy 1: this server opens no ports for syslog'],
    ['file', { paths: ['/var/log/a'] }, "pending 0: this server does not run connectors of type 'file'"],
  ])('of %s', async ([type, settings, health]) => {
    await world.add(settings, { type })
    await world.runner.start()
    await world.time.settle()
    expect(await world.healthOf()).toBe(health)
  })

  test('of a push connector stays pending until its first event, and remembers it over a restart', async () => {
    await world.add({ quiet_after: '0s' }, { type: 'http_ndjson' })
    await world.runner.start()
    await world.time.pass(60_000)
    expect(await world.healthOf()).toBe('pending 0: no event received yet')
    expect(await world.readTransitions()).toEqual([])
    world.counters.record('a', 'c1', { receivedCount: 0, refusedCount: 1, byteCount: 3 })
    await world.time.pass(15_000)
    expect(await world.healthOf()).toBe('pending 0: no event received yet')
    await world.time.pass(5_000)
    world.counters.record('a', 'c1', { receivedCount: 1, refusedCount: 0, byteCount: 7 })
    // Not at the next check: the figures of the list count the event at once.
    await world.time.pass(1_000)
    expect(await world.healthOf()).toBe('healthy 0: 1 event in the last minute')
    world = await world.restart()
    await world.runner.start()
    await world.time.pass(15_000)
    expect(await world.healthOf()).toBe('healthy 0: 0 events in the last minute')
  })

  test('of one whose secrets cannot be decrypted says so', async () => {
    const connector = await world.add({ url: far.url, client_id: 'c', client_secret: 's' })
    const terms = { expectedVersion: connector.version, at: 1 }
    await world.state.connectors.update('a', 'c1', { sealedSecrets: { client_secret: 's1.AAAA' } }, terms)
    await world.runner.start()
    await world.time.settle()
    expect(await world.healthOf()).toMatch(/^unhealthy 1: the stored secrets cannot be decrypted/)
    expect(far.asked).toEqual([])
  })
})

describe('credentials', () => {
  const secret = 'hush-9f8e7d'
  type Seen = { readonly path: string; readonly authorization: string | undefined; readonly body: string }
  let seen: Seen[]
  beforeEach(() => {
    seen = []
  })
  const note = async (request: IncomingMessage): Promise<void> => {
    seen.push({ path: request.url ?? '', authorization: request.headers.authorization, body: await textOf(request) })
  }
  const oauth = () => ({ url: `${far.url}/events`, client_id: 'id+1', client_secret: secret, token_url: `${far.url}/token` })

  test('are a token, requested once and again before it expires', async () => {
    let tokens = 0
    far.answer = async (request, response) => {
      await note(request)
      const token = { access_token: `token-${tokens + 1}`, token_type: 'Bearer', expires_in: 90 }
      if (request.url === '/token') {
        tokens++
        return answerJson(token)(request, response)
      }
      return answerJson(numbers(1))(request, response)
    }
    await world.add({ ...oauth(), polling_interval: '10s' })
    await world.runner.start()
    await world.time.settle()
    const first = seen.find(({ path }) => path === '/token')
    const authorization = `Basic ${Buffer.from(`id%2B1:${secret}`).toString('base64')}`
    expect(first).toEqual({ path: '/token', authorization, body: 'grant_type=client_credentials' })
    expect(seen.some(({ path, authorization }) => path === '/events' && authorization === 'Bearer token-1')).toBe(true)
    const before = tokens
    await world.time.pass(50_000)
    expect(tokens).toBe(before)
    await world.time.pass(20_000)
    expect(tokens).toBe(before + 1)
  })

  test('that are rejected are renewed, once', async () => {
    let tokens = 0
    far.answer = async (request, response) => {
      await note(request)
      if (request.url === '/token') return answerJson({ access_token: `token-${++tokens}`, expires_in: 3600 })(request, response)
      const isGood = request.headers.authorization === `Bearer token-${tokens}` && tokens > 2
      return answerJson(numbers(1), { status: isGood ? 200 : 401 })(request, response)
    }
    await world.add(oauth())
    await world.runner.start()
    await world.time.pass(5_000)
    expect(takenNumbers()).toEqual([1])
  })

  test('without a token URL are sent as they are', async () => {
    far.answer = async (request, response) => {
      await note(request)
      return answerJson([])(request, response)
    }
    await world.add({ url: far.url, client_id: 'me', client_secret: secret })
    await world.runner.start()
    await world.time.settle()
    expect(seen[0]?.authorization).toBe(`Basic ${Buffer.from(`me:${secret}`).toString('base64')}`)
  })

  const noToken = /^unhealthy 1: the response from \/token has no usable access_token/
  test.for<[title: string, answer: FarAnswer, health: RegExp]>([
    [
      'invalid_client', answerJson({ error: 'invalid_client', error_description: secret }, { status: 401 }),
      /^unhealthy 1: 401 invalid_client: check client_id/,
    ],
    [
      'a sentence for an error', answerJson({ error: `no ${secret}!` }, { status: 400 }),
      /^unhealthy 1: 400 from \/token: check client_id/,
    ],
    ['no token', answerJson({ hello: secret }), noToken],
    ['a token with a new line', answerJson({ access_token: 'a\r\nx: y' }), noToken],
    ['garbage', (_request, response) => void response.end('['.repeat(60_000)), noToken],
    ['500', answerJson({}, { status: 500 }), /^unhealthy 1: 500 from \/token$/],
  ])('whose giver answers with %s', async ([, answer, health]) => {
    far.answer = answer
    await world.add(oauth())
    await world.runner.start()
    await world.time.pass(1_000)
    expect(await world.healthOf()).toMatch(health)
    const { connectors, audit } = world.state
    const kept = [await connectors.list('a'), (await audit.list('a', { limit: 10 })).entries]
    expect(JSON.stringify([kept, world.logLines, await world.readTransitions()])).not.toContain(secret)
  })
})

describe('the runner', () => {
  test('starts, stops and changes the connectors it is notified of', async () => {
    await world.runner.start()
    await world.add({ url: `${far.url}/one` })
    await world.runner.apply('a', 'c1')
    await world.time.settle()
    expect(far.asked).toContain('GET /one')
    const config = { url: `${far.url}/two`, polling_interval: '5s', quiet_after: '0s' }
    await world.state.connectors.update('a', 'c1', { config }, { expectedVersion: undefined, at: 1 })
    await world.runner.apply('a', 'c1')
    far.asked.length = 0
    await world.time.pass(60_000)
    expect(new Set(far.asked)).toEqual(new Set(['GET /two']))
    await world.state.connectors.update('a', 'c1', { isEnabled: false }, { expectedVersion: undefined, at: 1 })
    await world.runner.apply('a', 'c1')
    await world.time.settle()
    far.asked.length = 0
    await world.time.pass(60_000)
    expect(far.asked).toEqual([])
  })

  test('runs nothing before it is started, and then each once', async () => {
    await world.add({ url: far.url, polling_interval: '5s' })
    await world.runner.apply('a', 'c1')
    await world.time.settle()
    expect(far.asked).toEqual([])
    await Promise.all([world.runner.start(), world.runner.apply('a', 'c1')])
    await world.time.settle()
    far.asked.length = 0
    await world.time.pass(5_000)
    expect(far.asked).toEqual(['GET /'])
  })

  test('runs enabled connectors of active tenants', async () => {
    await world.state.tenants.update('b', { isActive: false }, { expectedVersion: undefined, at: 1 })
    await world.add({ url: `${far.url}/off` }, { isEnabled: false })
    await world.add({ url: `${far.url}/on` }, { id: 'c2' })
    await world.add({ url: `${far.url}/inactive` }, { id: 'c3', tenant: 'b' })
    await world.runner.start()
    await world.time.settle()
    expect(new Set(far.asked)).toEqual(new Set(['GET /on']))
  })

  test.for<[title: string, notice: () => Promise<void>]>([
    ['at once where it is told', () => world.runner.syncTenants()],
    ['within ten seconds by itself', () => world.time.pass(10_000)],
  ])('follows a tenant that is disabled and enabled again, %s', async ([, notice]) => {
    await world.add({ url: far.url })
    await world.add({ url: far.url }, { id: 'c2', tenant: 'b' })
    await world.runner.start()
    await world.time.settle()
    const askedIn = async (durationMs: number) => {
      far.asked.length = 0
      await world.time.pass(durationMs)
      return far.asked.length
    }
    const both = await askedIn(120_000)
    const switchTo = async (isActive: boolean) => {
      await world.state.tenants.update('a', { isActive }, { expectedVersion: undefined, at: world.time.now() })
      await notice()
      await world.time.settle()
    }
    await switchTo(false)
    // A notification before the start does not start a connector.
    await world.runner.apply('a', 'c1')
    expect(await askedIn(120_000)).toBe(both / 2)
    await switchTo(true)
    expect(await askedIn(120_000)).toBe(both)
  })

  test('reads a bounded number of pages of a tenant at once, and each in the end', async () => {
    let [insideCount, insideMax] = [0, 0]
    let release: () => void = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    world.onTake = async () => {
      insideMax = Math.max(insideMax, ++insideCount)
      await released
      insideCount--
    }
    far.answer = answerJson(numbers(1))
    for (let i = 0; i < 20; i++) await world.add({ url: far.url }, { id: `c${i}` })
    await world.runner.start()
    await expect.poll(() => insideCount).toBe(8)
    release()
    await expect.poll(() => world.taken).toHaveLength(20)
    expect(insideMax).toBe(8)
  })

  test('a hanging connector blocks no other, and stops when it has to', async () => {
    far.answer = (request, response) => (request.url === '/hangs' ? undefined : answerJson(numbers(1))(request, response))
    await world.add({ url: `${far.url}/hangs` })
    await world.add({ url: `${far.url}/works` }, { id: 'c2' })
    await world.runner.start()
    await expect.poll(() => world.taken).toEqual(['a c2 {"n":1}'])
    await world.runner.stop()
    expect(await world.healthOf()).toBe('pending 0: not checked yet')
  })
})
