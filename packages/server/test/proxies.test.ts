import { execFileSync, spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { killServerProcesses, readFirstCredentials, startServerProcess, waitForReady } from './server-process.ts'

// The examples of deploy/ run in the real proxies, changed in nothing but names, ports and paths of certificates.

const folder = mkdtempSync(join(tmpdir(), 'tripline-proxies-'))
/** Debian keeps servers where users do not look. */
const programPath = `${process.env['PATH']}:/usr/sbin`
const at = (name: string): string => join(folder, name)
const readExample = (path: string): string => readFileSync(new URL(`../../../deploy/${path}`, import.meta.url), 'utf8')
let proxy: ChildProcess | undefined

beforeAll(() => {
  const subject = ['-subj', '/CN=tripline.example', '-addext', 'subjectAltName=DNS:tripline.example']
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', at('key.pem'), '-out', at('cert.pem'), '-days', '2', ...subject], { stdio: 'ignore' })
})
afterEach(async () => {
  if (proxy !== undefined && proxy.exitCode === null) {
    proxy.kill('SIGTERM')
    await once(proxy, 'exit')
  }
  killServerProcesses()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

type Ports = { readonly port: number; readonly upstream: number }

const proxies: { readonly [name: string]: (ports: Ports) => ChildProcess } = {
  nginx: ({ port, upstream }) => {
    const site = readExample('nginx/tripline.conf').replace('127.0.0.1:8080', `127.0.0.1:${upstream}`).replace('listen 443', `listen 127.0.0.1:${port}`)
      .replaceAll('/etc/ssl/tripline', folder)
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${at(name)};`).join('\n')
    writeFileSync(at('nginx.conf'), `daemon off; pid ${at('nginx.pid')}; error_log stderr; events {}\nhttp { access_log off; ${paths}\n${site}}\n`)
    return spawn('nginx', ['-c', at('nginx.conf'), '-p', folder], { stdio: 'ignore', env: { PATH: programPath } })
  },
  caddy: ({ port, upstream }) => {
    const site = readExample('caddy/Caddyfile').replace('127.0.0.1:8080', `127.0.0.1:${upstream}`)
      .replace('tripline.example {', `tripline.example:${port} {\n\tbind 127.0.0.1\n\ttls ${at('cert.pem')} ${at('key.pem')}`)
    writeFileSync(at('Caddyfile'), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`)
    mkdirSync(at('home'), { recursive: true })
    return spawn('caddy', ['run', '--config', at('Caddyfile'), '--adapter', 'caddyfile'], { stdio: 'ignore', env: { PATH: programPath, HOME: at('home') } })
  },
}

const isThere = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`], { env: { PATH: programPath } }).status === 0

describe.for(Object.keys(proxies))('%s', (name) => {
  test.skipIf(!isThere(name))(`passes logins, events of 9 MB and WebSockets on, and the client's address alone`, async () => {
    const port = await findFreePort()
    const args = ['--listen', '127.0.0.1:0', '--data-dir', at(`data-${name}`), '--behind-proxy', 'true', '--trusted-proxies', '127.0.0.0/8', '--public-url', 'https://tripline.example']
    const served = startServerProcess(args)
    const upstream = Number(new URL((await waitForReady(served)).url).port)
    proxy = proxies[name]!({ port, upstream })
    const ca = readFileSync(at('cert.pem'))
    const ask = async (path: string, { body, headers = {} }: { readonly body?: string | Buffer; readonly headers?: { readonly [name: string]: string } } = {}) => {
      const asked = request({ port, host: '127.0.0.1', servername: 'tripline.example', ca, path, agent: false, method: body === undefined ? 'GET' : 'POST',
        headers: { host: 'tripline.example', 'x-forwarded-for': '198.51.100.7', ...headers } })
      asked.end(body)
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() }
    }
    await vi.waitUntil(async () => (await ask('/readyz').catch(() => undefined))?.status === 200, { timeout: 300_000, interval: 100 })

    const login = await ask('/v1/auth/login', { body: JSON.stringify(readFirstCredentials(served)), headers: { 'content-type': 'application/json' } })
    expect([login.status, JSON.stringify(login.headers['set-cookie'])]).toEqual([200, expect.stringContaining('Secure')])
    const { access_token: token } = JSON.parse(login.body) as { access_token: string }
    const headers = { authorization: `Bearer ${token}` }
    const lines = `${JSON.stringify({ message: 'x'.repeat(900) })}\n`.repeat(9_800)
    expect(JSON.parse((await ask('/ingest/v1/events', { body: lines, headers })).body)).toMatchObject({ accepted: 9_800, rejected: 0 })
    const tooLarge = await ask('/ingest/v1/events', { body: Buffer.alloc(10_600_000, 'x'), headers })
    expect([tooLarge.status, tooLarge.body]).toEqual([413, expect.stringContaining('"code":"PAYLOAD_TOO_LARGE"')])

    const socket = new WebSocket(`wss://127.0.0.1:${port}/v1/ws/monitoring`, ['bearer', token], {
      agent: new Agent({ ca, servername: 'tripline.example' }), headers: { host: 'tripline.example', origin: 'https://tripline.example' },
    })
    await once(socket, 'open')
    socket.send(JSON.stringify({ action: 'subscribe', topics: ['metrics'] }))
    const types = new Set<string>()
    socket.on('message', (message: Buffer) => types.add((JSON.parse(message.toString()) as { type: string }).type))
    await vi.waitUntil(() => types.has('metrics_update'), 300_000)
    socket.close()
    await once(socket, 'close')

    const audit = (await ask('/v1/audit?size=50', { headers })).body
    expect(audit).toContain('127.0.0.1')
    expect(audit).not.toContain('198.51.100.7')
  })
})
