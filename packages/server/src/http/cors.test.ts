import { beforeAll, describe, expect, test } from 'vitest'
import { openTestServer } from '../../test/open-test-server.ts'
import type { TestServer } from '../../test/open-test-server.ts'

const page = 'https://console.example'
const preflight = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization,if-match' }

let server: TestServer
let closed: TestServer

beforeAll(async () => {
  server = await openTestServer([], { allowedOrigins: [page] })
  closed = await openTestServer([])
})

/** The CORS headers of a response, with its status. */
async function call(to: TestServer, method: string, path: string, headers: { readonly [name: string]: string }): Promise<unknown> {
  const response = await to.call(method, path, { headers, token: null })
  const cors = Object.entries(response.headers).filter(([name]) => name.startsWith('access-control-'))
  // What else it varies by is another middleware's.
  const vary = response.headers['vary']?.split(', ').find((name) => name === 'Origin')
  return { status: response.status, ...(vary !== undefined && { vary }), ...Object.fromEntries(cors) }
}

describe('an allowed origin', () => {
  test('gets the answer to a preflight request', async () => {
    expect(await call(server, 'OPTIONS', '/v1/alerts/x', { origin: page, ...preflight })).toEqual({
      'status': 204,
      'vary': 'Origin',
      'access-control-allow-origin': page,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers':
        'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, X-Request-Id, traceparent',
      'access-control-max-age': '600',
    })
  })

  test.for([['GET', '/healthz', 200], ['GET', '/v1/alerts', 401], ['GET', '/nothing', 404], ['OPTIONS', '/healthz', 405]] as const)(
    'may read the response to %s %s, %i',
    async ([method, path, status]) => {
      expect(await call(server, method, path, { origin: page })).toMatchObject({
        status, 'vary': 'Origin', 'access-control-allow-origin': page, 'access-control-allow-credentials': 'true',
        'access-control-expose-headers': expect.stringContaining('ETag'),
      })
    },
  )
})

describe('gets no CORS header', () => {
  test.for<[title: string, to: () => TestServer, headers: { readonly [name: string]: string }, vary: object]>([
    ['another origin', () => server, { origin: 'https://evil.example' }, { vary: 'Origin' }],
    ['a preflight request of another origin', () => server, { origin: 'https://evil.example', ...preflight }, { vary: 'Origin' }],
    ['an opaque origin', () => server, { origin: 'null' }, { vary: 'Origin' }],
    ['a request without an origin', () => server, {}, { vary: 'Origin' }],
    ['a server that allows no origin', () => closed, { origin: page }, {}],
  ])('%s', async ([, to, headers, vary]) => {
    expect(await call(to(), 'GET', '/healthz', headers)).toEqual({ status: 200, ...vary })
    expect(await call(to(), 'OPTIONS', '/healthz', headers)).toEqual({ status: 405, ...vary })
  })
})

test('GET / leads to the description of the API', async () => {
  const { status, headers } = await server.call('GET', '/', { token: null })
  expect(status).toBe(302)
  const target = new URL(headers['location'] ?? '', 'http://127.0.0.1/').pathname
  expect((await server.page(target)).text).toContain('<title>Tripline console API</title>')
})
