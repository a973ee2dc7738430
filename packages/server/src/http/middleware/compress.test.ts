import { Hono } from 'hono'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'
import { limits } from '../limits.ts'
import type { Env, Route } from '../route.ts'
import { compress } from './compress.ts'

const { compressedBytesMin } = limits.response
const large = JSON.stringify({ text: 'a'.repeat(compressedBytesMin) })

type Answer = { readonly route?: Partial<Route>; readonly type?: string; readonly text?: string; readonly status?: number }

/** Has a route answer with a text, and returns what arrives. */
async function answer({ route = {}, type = 'application/json', text = large, status = 200 }: Answer, accepted = 'gzip'): Promise<Response> {
  const { method = 'GET' } = route
  const http = new Hono<Env>()
  http.use(compress)
  http.on(method, '/', (c) => {
    c.set('route', { method, path: '/', access: 'read', summary: '', responses: {}, handle: () => new Response(), ...route })
    return new Response(text, { status, headers: { 'content-type': type, 'etag': '"1"' } })
  })
  return await http.request('/', { method, headers: { 'accept-encoding': accepted } })
}

describe('a body is compressed', () => {
  test.for<[what: string, given: Answer, accepted?: string]>([
    ['JSON', {}],
    ['JSON with a charset', { type: 'application/json; charset=utf-8' }],
    ['a page', { type: 'text/html' }],
    ['a stream of lines', { type: 'application/x-ndjson', text: large }],
    ['a small stream, whose length is not known', { type: 'text/csv', text: 'a,b' }],
    ['a POST that says so', { route: { method: 'POST', isCompressed: true } }],
    ['any encoding', {}, 'br;q=1, *;q=0.5'],
    ['gzip among others', {}, 'deflate, GZIP ; q=0.1'],
  ])('%s', async ([, given, accepted]) => {
    const response = await answer(given, accepted)
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'content-encoding': 'gzip', 'vary': 'Accept-Encoding', 'etag': '"1"' })
    expect(gunzipSync(await response.arrayBuffer()).toString()).toBe(given.text ?? large)
  })
})

describe('a body is sent as it is', () => {
  test.for<[what: string, given: Answer, accepted?: string]>([
    ['below the least size', { text: JSON.stringify('a'.repeat(compressedBytesMin - 3)) }],
    ['a POST, which may answer with a secret', { route: { method: 'POST' } }],
    ['a GET that says so', { route: { isCompressed: false } }],
    ['an error', { status: 404 }],
    ['another type', { type: 'application/pdf' }],
    ['no encoding accepted', {}, ''],
    ['gzip refused', {}, 'gzip;q=0, *'],
    ['another encoding', {}, 'br'],
  ])('%s', async ([, given, accepted]) => {
    const response = await answer(given, accepted)
    expect(response.headers.get('content-encoding')).toBeNull()
    expect(await response.text()).toBe(given.text ?? large)
  })
})

describe('a server', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer([])
  })

  test.for(['/v1/openapi.json', '/v1/docs', '/v1/limits'])('compresses %s', async (path) => {
    const plain = await server.call('GET', path)
    const packed = await server.call('GET', path, { headers: { 'accept-encoding': 'gzip' } })
    expect(packed.body).toEqual(plain.body)
    expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip'])
  })

  test('says for no route that answers with a secret that it may be compressed', () => {
    const stated = server.routes.filter(({ method, isCompressed }) => method !== 'GET' && isCompressed)
    expect(stated.map(({ method, path }) => `${method} ${path}`).filter((route) => /auth|keys|users|ticket|connectors/.test(route))).toEqual([])
  })
})
