import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import type { RequestOptions } from 'node:https'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { killServerProcesses, readFirstCredentials, startServerProcess, waitForReady } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'tripline-tls-'))
const at = (name: string): string => join(folder, name)
const openssl = (line: string): void => void execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'ignore' })

/** Makes a certificate of the authority `by`, with its key. */
function makeCertificate(name: string, by: string): void {
  openssl(`req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ${name}.key -out ${name}.csr -subj /CN=${name}`)
  writeFileSync(at('names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost')
  openssl(`x509 -req -in ${name}.csr -CA ${by}.pem -CAkey ${by}.key -CAcreateserial -days 2 -extfile names -out ${name}.pem`)
}

beforeAll(() => {
  for (const name of ['ca', 'other-ca']) {
    openssl(`req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ${name}.key -out ${name}.pem -days 2 -subj /CN=${name}`)
  }
  for (const name of ['server', 'renewed', 'sender']) makeCertificate(name, 'ca')
  makeCertificate('stranger', 'other-ca')
})
afterEach(killServerProcesses)
afterAll(() => rmSync(folder, { recursive: true }))

let dirCount = 0
function use(name: string): void {
  copyFileSync(at(`${name}.pem`), at('cert.pem'))
  copyFileSync(at(`${name}.key`), at('key.pem'))
}
async function serve(...args: string[]): Promise<ServerProcess & { port: number }> {
  use('server')
  const served = startServerProcess([
    '--listen', '127.0.0.1:0', '--data-dir', at(`data-${dirCount++}`), '--tls-cert', at('cert.pem'), '--tls-key', at('key.pem'), ...args,
  ])
  return { ...served, port: Number(new URL((await waitForReady(served)).url).port) }
}

type Answer = { readonly status: number; readonly headers: object; readonly body: string }

async function ask(port: number, path: string, { body, ...options }: RequestOptions & { readonly body?: string } = {}): Promise<Answer> {
  const asked = request({ port, host: '127.0.0.1', path, ca: readFileSync(at('ca.pem')), method: body === undefined ? 'GET' : 'POST', agent: false, ...options })
  asked.end(body)
  const [response] = (await once(asked, 'response')) as [import('node:http').IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() }
}

async function logIn(served: ServerProcess & { port: number }): Promise<{ readonly token: string; readonly headers: object }> {
  const { body, headers } = await ask(served.port, '/v1/auth/login', {
    body: JSON.stringify(readFirstCredentials(served)), headers: { 'content-type': 'application/json' },
  })
  return { token: (JSON.parse(body) as { access_token: string }).access_token, headers }
}

const serial = (port: number): Promise<string> => new Promise((resolve, reject) => {
  const socket = connectTls({ port, host: '127.0.0.1', ca: readFileSync(at('ca.pem')) }, () => {
    resolve(String(socket.getPeerCertificate().subject.CN))
    socket.destroy()
  }).on('error', reject)
})

test('HTTPS and WebSocket, with cookies and headers of TLS', async () => {
  const served = await serve()
  expect((await ask(served.port, '/readyz')).headers).toHaveProperty('strict-transport-security')
  const { token, headers } = await logIn(served)
  expect(JSON.stringify(headers)).toMatch(/__Secure-tripline_refresh=[^"]*; Secure/)
  const socket = new WebSocket(`wss://127.0.0.1:${served.port}/v1/ws/monitoring`, ['bearer', token], { ca: readFileSync(at('ca.pem')) })
  await once(socket, 'open')
  socket.close()
  await once(socket, 'close')
})

test('plain text, and a handshake that does not come, are no connection for long', async () => {
  const { port, child, exited } = await serve('--shutdown-grace-ms', '1000')
  const plain = connect(port, '127.0.0.1').on('error', () => {})
  plain.write('GET /readyz HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(plain, 'close')
  const silent = connect(port, '127.0.0.1').on('error', () => {})
  await once(silent, 'connect')
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})

test('a certificate that changes is used from SIGHUP on; one without its key is not', async () => {
  const { port, child, printed } = await serve()
  expect(await serial(port)).toBe('server')
  copyFileSync(at('renewed.pem'), at('cert.pem'))
  child.kill('SIGHUP')
  await vi.waitUntil(() => printed.stderr.includes('--tls-key is not the key of the certificate'), 300_000)
  expect(await serial(port)).toBe('server')
  use('renewed')
  child.kill('SIGHUP')
  await vi.waitUntil(() => printed.stderr.includes('the TLS certificate was reloaded'), 300_000)
  expect(await serial(port)).toBe('renewed')
})

test('senders need a certificate of the authority; others do not', async () => {
  const served = await serve('--tls-client-ca', at('ca.pem'))
  const { token } = await logIn(served)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' }
  const send = async (name?: string, path = '/ingest/v1/events'): Promise<number> => (await ask(served.port, path, {
    body: '{"a":1}', headers, ...(name !== undefined && { cert: readFileSync(at(`${name}.pem`)), key: readFileSync(at(`${name}.key`)) }),
  })).status
  expect(await Promise.all([send('sender'), send(), send('stranger'), send(undefined, '/%69ngest/v1/events'), send(undefined, '/x/../ingest/v1/events')]))
    .toEqual([202, 403, 403, 403, 403])
  expect((await ask(served.port, '/v1/auth/me', { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
})

test.for<[title: string, args: readonly string[], message: string]>([
  ['a key of another certificate', ['cert', 'server.pem', 'key', 'sender.key'], '--tls-key is not the key of the certificate in --tls-cert'],
  ['no certificate', ['cert', 'server.key', 'key', 'server.key'], '--tls-cert cannot be used: '],
  ['no key', ['cert', 'server.pem', 'key', 'server.pem'], '--tls-key cannot be used: '],
  ['no file', ['cert', 'nowhere', 'key', 'server.key'], '--tls-cert cannot be read: ENOENT'],
])('%s: exit 78', async ([, [, cert = '', , key = ''], message]) => {
  const served = startServerProcess(['--listen', '127.0.0.1:0', '--data-dir', at('refused'), '--tls-cert', at(cert), '--tls-key', at(key)])
  expect(await served.exited).toBe(78)
  expect(served.printed.stderr).toContain(message)
})

test.for<[title: string, readBytes: () => Promise<Buffer>]>([
  ['begin no handshake', async () => Buffer.alloc(0)],
  ['stop in the middle of a handshake', async () => (await readClientHello()).subarray(0, 40)],
])('connections that %s are closed for new ones, which are answered', async ([, readBytes]) => {
  const served = await serve('--listen-connections-max', '8', '--listen-connections-per-address-max', '8')
  const bytes = await readBytes()
  let closedCount = 0
  const silent = await Promise.all(Array.from({ length: 24 }, async () => {
    // A server may reset a connection that it does not want.
    const socket = connect(served.port, '127.0.0.1').on('error', () => {}).on('close', () => closedCount++)
    await once(socket, 'connect')
    socket.write(bytes)
    return socket
  }))
  for (let i = 0; i < 5; i++) expect((await ask(served.port, '/healthz')).status).toBe(200)
  await vi.waitFor(() => expect(closedCount).toBeGreaterThanOrEqual(16), { timeout: 120_000 })
  const { token } = await logIn(served)
  const metrics = (await ask(served.port, '/metrics', { headers: { authorization: `Bearer ${token}` } })).body
  expect(Number(/tripline_evicted_connections_total\{state="silent"\} (\d+)/.exec(metrics)?.[1])).toBeGreaterThanOrEqual(16)
  for (const socket of silent) socket.destroy()
})

/** The first bytes that a TLS client sends. */
async function readClientHello(): Promise<Buffer> {
  const listener = createServer()
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const accepted = once(listener, 'connection') as Promise<[Socket]>
  const client = connectTls({ port: (listener.address() as AddressInfo).port, host: '127.0.0.1' }).on('error', () => {})
  const [socket] = await accepted
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  for (const open of [client, socket]) open.destroy()
  listener.close()
  return bytes
}
