import { errorBodySchema, limitsBodySchema, problemSchema } from '@tripline/contract'
import { encodedPowerShell } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestServer } from '../../test/open-test-server.ts'
import type { TestServer } from '../../test/open-test-server.ts'
import { limits as serverLimits } from '../limits.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer([encodedPowerShell])
})

describe('errors', () => {
  test('have the error body', async () => {
    const { status, headers, body } = await server.call('GET', '/v1/nothing', { headers: { 'x-request-id': 'my-request' } })
    expect(status).toBe(404)
    expect(headers).toMatchObject({ 'content-type': 'application/json' })
    expect(errorBodySchema.parse(body)).toEqual({
      error: { code: 'NOT_FOUND', message: 'nothing exists at this path', request_id: 'my-request' },
    })
  })

  test('are problem details (RFC 9457) on request', async () => {
    const { status, headers, body } = await server.call('GET', '/v1/detection/rules?page=0', {
      headers: { 'accept': 'application/problem+json', 'x-request-id': 'my-request' },
    })
    expect(status).toBe(400)
    expect(headers).toMatchObject({ 'content-type': 'application/problem+json' })
    expect(problemSchema.parse(body)).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: "invalid page '0'; must be a positive whole number",
      code: 'INVALID_PARAMETER',
      request_id: 'my-request',
      details: { parameter: 'page', value: '0' },
    })
  })

  test.for<[method: string, path: string, status: number]>([
    ['GET', '/v1', 404],
    ['GET', '/v1/detection/rules/', 404],
    ['GET', '/v2/detection/rules', 404],
    ['POST', '/ingest/v1/event', 404],
    ['GET', `/${'a'.repeat(8_000)}`, 404],
    ['GET', '/%', 404],
  ])('%s %s is %i', async ([method, path, status]) => {
    expect(await server.call(method, path)).toMatchObject({ status, body: { error: { code: 'NOT_FOUND' } } })
  })

  test.for<[method: string, path: string, allow: string]>([
    ['DELETE', '/v1/detection/rules', 'GET, HEAD, POST'],
    ['POST', '/v1/detection/rules/x', 'GET, HEAD, PUT, DELETE'],
    ['GET', '/v1/detection/rules/x/test', 'POST'],
    ['HEAD', '/ingest/v1/events', 'POST'],
    ['GET', '/ingest/v1/events', 'POST'],
    ['OPTIONS', '/v1/limits', 'GET, HEAD'],
    ['PROPFIND', '/healthz', 'GET, HEAD'],
  ])('%s %s is answered with the methods there are: %s', async ([method, path, allow]) => {
    expect(await server.call(method, path)).toMatchObject({ status: 405, headers: { allow } })
  })

  test('an internal error has no detail, and its stack is logged', async () => {
    const broken = await openTestServer([])
    Object.defineProperty(broken.readiness, 'state', { get: () => { throw new Error('secret of the house') } })
    const { status, body } = await broken.call('GET', '/readyz')
    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toContain('secret')
    expect(body).toMatchObject({ error: { code: 'INTERNAL_ERROR', message: 'internal error; the server log has the details under this request id' } })
    expect(broken.io.logLines.join('\n')).toContain('secret of the house')
  })
})

describe('X-Request-Id', () => {
  test.for<[given: string | undefined, answered: string | RegExp]>([
    ['abcDEF-1._', 'abcDEF-1._'],
    ['a'.repeat(128), 'a'.repeat(128)],
    [undefined, /^req_[0-9a-f-]{36}$/],
    ['short', /^req_/],
    ['a'.repeat(129), /^req_/],
    ['with blank', /^req_/],
    ['<script>alert(1)</script>', /^req_/],
  ])('%s', async ([given, answered]) => {
    const { headers } = await server.call('GET', '/healthz', { headers: given === undefined ? {} : { 'x-request-id': given } })
    if (typeof answered === 'string') expect(headers['x-request-id']).toBe(answered)
    else expect(headers['x-request-id']).toMatch(answered)
  })
})

describe('traceparent', () => {
  const [trace, step] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']

  test.for<[given: string, flags: string]>([
    [`00-${trace}-${step}-01`, '01'],
    [`00-${trace}-${step}-00`, '00'],
    [`cc-${trace}-${step}-01-what-will-be`, '01'],
  ])('%s: a new step of that trace', async ([given, flags]) => {
    const { headers } = await server.call('GET', '/healthz', { headers: { traceparent: given } })
    expect(headers['traceparent']).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-${flags}$`))
    expect(headers['traceparent']).not.toContain(step)
    expect(server.io.logLines.at(-1)).toContain(`"trace_id":"${trace}"`)
  })

  test.for([
    '', 'x', `00-${trace}-${step}`, `00-${trace}-${step}-01-x`, `ff-${trace}-${step}-01`, `00-${trace.toUpperCase()}-${step}-01`,
    `00-${'0'.repeat(32)}-${step}-01`, `00-${trace}-${'0'.repeat(16)}-01`, `00-${trace}-${step}-0`, ` 00-${trace}-${step}-01, x`,
  ])('%j is none: a trace with the digits of the id', async (given) => {
    const { headers } = await server.call('GET', '/healthz', { headers: { traceparent: given } })
    const digits = headers['x-request-id']?.slice('req_'.length).replaceAll('-', '')
    expect(headers['traceparent']).toMatch(new RegExp(`^00-${digits}-[0-9a-f]{16}-00$`))
  })

  test('a request with its own id gets its own trace', async () => {
    const call = async () => (await server.call('GET', '/nothing', { headers: { 'x-request-id': 'mine-and-yours' } })).headers['traceparent']
    const [one, other] = [await call(), await call()]
    expect(one).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
    expect(other).not.toBe(one)
  })
})

test.for(['/healthz', '/v1/limits', '/nothing'])('%s carries the headers of safety', async (path) => {
  expect((await server.call('GET', path)).headers).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
})

test('HEAD answers like GET, without a body', async () => {
  const { status, body } = await server.call('HEAD', '/v1/detection/rules')
  expect({ status, body }).toEqual({ status: 200, body: undefined })
})

test.for<['starting' | 'ready' | 'closing', number]>([['starting', 503], ['ready', 200], ['closing', 503]])(
  'a server that is %s is alive, and /readyz says %i',
  async ([state, status]) => {
    const other = await openTestServer([])
    other.readiness.state = state
    expect(await other.call('GET', '/readyz')).toMatchObject({ status, body: { status: state } })
    expect(await other.call('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'alive' } })
  },
)

test('GET /v1/limits prints every limit of server and engine', async () => {
  const { body } = await server.call('GET', '/v1/limits')
  const { limits } = limitsBodySchema.parse(body)
  const groups = Object.keys(serverLimits).map((group) => group.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  expect(Object.keys(limits)).toEqual([...groups, 'engine', 'query'])
  expect(limits).toMatchObject({
    ingest: { body_bytes_max: 10_485_760, inflated_bytes_max: 67_108_864 },
    rule_test: { events_max: 1_000, body_bytes_max: 5_242_880 },
    engine: { rule_text_length_max: expect.any(Number) },
  })
})

test('a request is logged on one line without its query', async () => {
  const other = await openTestServer([])
  other.io.logLines.length = 0
  await other.call('GET', '/v1/limits?token=secret', { address: '192.0.2.7', headers: { 'x-request-id': 'my-request' } })
  expect(other.io.logLines.map((line) => JSON.parse(line) as unknown)).toEqual([{
    at: '2026-11-20T10:00:00.000Z',
    level: 'info',
    message: 'request',
    request_id: 'my-request',
    trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
    method: 'GET',
    path: '/v1/limits',
    status: 200,
    address: '192.0.2.7',
    duration_ms: 0,
  }])
})

test.for<[title: string, token: string | null | undefined, caller: object]>([
  ['a user', undefined, { tenant: onlyTenant, principal: expect.stringMatching(/^user:[0-9a-f-]{36}$/), status: 200 }],
  ['nobody', null, { status: 401 }],
])('a log line names who called: %s', async ([, token, caller]) => {
  const other = await openTestServer([])
  await other.call('GET', '/v1/health', { address: '2001:db8::7', ...(token !== undefined && { token }) })
  const line = JSON.parse(other.io.logLines.at(-1) ?? '') as object
  expect(line).toMatchObject({ ...caller, address: '2001:db8::7', path: '/v1/health', duration_ms: 0 })
  expect(Object.hasOwn(line, 'principal')).toBe(Object.hasOwn(caller, 'principal'))
})

test('a rule that cannot be loaded is logged with its first problem, and the others are served', async () => {
  const mixed = await openTestServer([encodedPowerShell, 'title: Broken\n'])
  expect(await mixed.call('GET', '/v1/detection/rules')).toMatchObject({ body: { pagination: { total: 1 } } })
  expect(JSON.parse(mixed.io.logLines[0] ?? '')).toMatchObject({ level: 'warn', path: 'rule-1.yml', title: 'Broken', verdict: 'invalid' })
})
