import { Hono } from 'hono'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import type { Env } from '../http/route.ts'
import { openSite } from './open-site.ts'
import { serveSite } from './serve-site.ts'

const folder = mkdtempSync(join(tmpdir(), 'site-'))
afterAll(() => rmSync(folder, { recursive: true }))
mkdirSync(join(folder, 'files'))
const script = 'export const a = 1'
const files: { readonly [path: string]: string | Uint8Array } = {
  'index.html': '<!doctype html>', 'theme.js': 'let theme', 'manifest.json': '{}', 'files/main-1a.js': script,
  'files/main-1a.js.gz': gzipSync(script), 'files/main-1a.js.br': 'brotli',
}
for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)

const site = (await openSite(folder))!
const http = new Hono<Env>()
http.use(serveSite(site))
http.get('/', (c) => c.text('the API'))
http.get('/v1/alerts', (c) => c.text('alerts'))

const page = 'text/html,application/xhtml+xml'
const send = async (path: string, headers: Record<string, string> = {}) => await http.request(path, { headers })

test.for<[path: string, accept: string, status: number, body: string]>([
  ['/', page, 200, '<!doctype html>'],
  ['/', '*/*', 200, 'the API'],
  ['/alerts/a-1?tab=event', page, 200, '<!doctype html>'],
  ['/index.html', page, 200, '<!doctype html>'],
  ['/alerts/a-1', 'application/json', 404, '404 Not Found'],
  ['/v1/alerts', page, 200, 'alerts'],
  ['/v1/nothing', page, 404, '404 Not Found'],
  ['/files/missing.js', page, 404, '404 Not Found'],
  ['/files/../index.html', 'text/plain', 404, '404 Not Found'],
  ['/theme.js', '*/*', 200, 'let theme'],
  ['/manifest.json', '*/*', 404, '404 Not Found'],
  ['/files/main-1a.js.gz', '*/*', 404, '404 Not Found'],
])('%s for %s', async ([path, accept, status, body]) => {
  const response = await send(path, { accept })
  expect([response.status, await response.text()]).toEqual([status, body])
})

describe('the headers', () => {
  test('a page is never stored, and allows nothing but files of this server', async () => {
    const { headers } = await send('/', { accept: page })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';.*require-trusted-types-for 'script'/)
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  })

  test('a file with a hash in its name is kept for ever, and found again by its ETag', async () => {
    const { headers } = await send('/files/main-1a.js')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const again = await send('/files/main-1a.js', { 'if-none-match': headers.get('etag')! })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test.for<[accepted: string, encoding: string | null]>([
    ['gzip, deflate, br', 'br'], ['gzip', 'gzip'], ['br;q=0, gzip;q=0.5', 'gzip'], ['zstd', null], ['', null],
  ])('Accept-Encoding: %s', async ([accepted, encoding]) => {
    const response = await send('/files/main-1a.js', { 'accept-encoding': accepted })
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(encoding === 'gzip' ? gunzipSync(bytes).toString() : new TextDecoder().decode(bytes)).toBe(encoding === 'br' ? 'brotli' : script)
  })
})

test('a folder without a page is no console', async () => {
  expect(await openSite(join(folder, 'files'))).toBeUndefined()
  expect(await openSite(join(folder, 'missing'))).toBeUndefined()
})
