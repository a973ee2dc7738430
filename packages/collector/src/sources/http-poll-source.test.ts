import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sourceSchema } from '../config/source-config.ts'
import type { HttpPollSourceConfig } from '../config/source-config.ts'
import type { SourcePosition } from '../spool/spool-record.ts'
import { createHttpPollSource } from './http-poll-source.ts'
import type { SourceContext } from './source.ts'

type Answer = { readonly status?: number; readonly headers?: { readonly [name: string]: string }; readonly body: string }

let server: Server
let url: string
const asked: string[] = []
let answer: (request: IncomingMessage) => Answer
beforeEach(async () => {
  asked.length = 0
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const { status = 200, headers = {}, body } = answer(request)
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => void server.close(resolve))
})

type Spooled = { readonly lines: unknown[]; position: SourcePosition | undefined; readonly dropped: string[] }

/** Polls as often as is said, from where the spool stands. */
async function run(config: object, spooled: Spooled, pollCount: number): Promise<void> {
  const ending = new AbortController()
  let left = pollCount
  const context: SourceContext = {
    name: 'api', position: spooled.position, hostname: 'here', now: () => 0, elapsedMs: () => 0,
    append: (lines, position) => {
      spooled.lines.push(...lines.map((line) => {
        expect(Buffer.from(line).includes(0x0a)).toBe(false)
        return JSON.parse(Buffer.from(line).toString()) as unknown
      }))
      spooled.position = position
      return Promise.resolve()
    },
    waitForRoom: () => Promise.resolve(), reportHealthy: () => {}, countDropped: (count, reason) => void spooled.dropped.push(`${count} ${reason}`),
    sleep: () => {
      left--
      if (left === 0) ending.abort()
      return Promise.resolve()
    },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  }
  await createHttpPollSource(sourceSchema.parse({ type: 'http_poll', name: 'api', url, ...config }) as HttpPollSourceConfig)(context, ending.signal)
}

const page = (items: readonly unknown[], next?: string): Answer => ({ body: JSON.stringify({ data: items, meta: { next } }, undefined, 2) })

test('pages are collected once each, also after a restart, with the log source of the source', async () => {
  const pages: { [cursor: string]: Answer } = { first: page([{ n: 1 }, { n: 2 }], 'b'), b: page([{ n: 3 }, 'no event']) }
  answer = ({ url: path = '' }) => pages[new URL(path, url).searchParams.get('cursor') ?? 'first'] ?? page([])
  const spooled: Spooled = { lines: [], position: undefined, dropped: [] }
  const config = { items_path: 'data', cursor_path: 'meta.next', log_source: { product: 'okta' } }
  await run(config, spooled, 2)
  const read = (): unknown[] => spooled.lines.map((line) => Reflect.get(Object(line), 'n') as unknown)
  expect(spooled.lines[0]).toEqual({ n: 1, _logsource: { product: 'okta' } })
  expect(read()).toEqual([1, 2, 3])
  expect(spooled.dropped).toEqual(['1 not an event'])
  expect(asked).toEqual(['GET /events', 'GET /events?cursor=b', 'GET /events?cursor=b'])
  pages['b'] = page([{ n: 3 }, { n: 4 }], 'c')
  pages['c'] = page([{ n: 5 }])
  await run(config, spooled, 1)
  expect(read()).toEqual([1, 2, 3, 4, 5])
})

test('a token is had for id and secret, and once more when it is refused', async () => {
  let tokenCount = 0
  answer = ({ url: path = '', headers: { authorization } }) => {
    if (path === '/token') return { body: JSON.stringify({ access_token: `t${++tokenCount}`, expires_in: 3_600 }) }
    return authorization === `Bearer t${tokenCount}` && asked.length !== 3 ? { body: `{"n":${asked.length}}` } : { status: 401, body: '' }
  }
  const spooled: Spooled = { lines: [], position: undefined, dropped: [] }
  await run({ client_id: 'a', client_secret: 'b', token_url: new URL('/token', url).href }, spooled, 2)
  expect(spooled.lines).toEqual([{ n: 2 }, { n: 5 }])
  expect(asked).toEqual(['POST /token', 'GET /events', 'GET /events', 'POST /token', 'GET /events'])
})

test.for<[title: string, given: Answer, error: object]>([
  ['wrong credentials', { status: 403, body: '' }, { stage: 'authentication', message: '403 from /events: check client_id and client_secret' }],
  ['a source that is busy', { status: 429, headers: { 'retry-after': '90' }, body: '' }, { stage: 'data_flow', retryAfterMs: 90_000 }],
  ['a page of another kind', { body: '<html>' }, { stage: 'data_flow' }],
])('%s ends the poll, and says why', async ([, given, error]) => {
  answer = () => given
  await expect(run({}, { lines: [], position: undefined, dropped: [] }, 1)).rejects.toMatchObject(error)
})

test('a position of a source of another type under this name is a beginning', async () => {
  answer = () => ({ body: '{"n":1}' })
  const spooled: Spooled = { lines: [], position: { unacknowledged: ['x'] }, dropped: [] }
  await run({}, spooled, 1)
  expect(spooled.lines).toEqual([{ n: 1 }])
})
