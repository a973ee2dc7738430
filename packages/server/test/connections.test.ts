import { encoded, encodedPowerShell } from '@tripline/detection/test/rules'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { killServerProcesses, logIn, startServerProcess, waitForReady } from './server-process.ts'

let folder: string
const sockets: Socket[] = []
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'tripline-connections-'))))
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  killServerProcesses()
})
afterAll(() => rmSync(folder, { recursive: true }))

async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  sockets.push(socket)
  // A server may reset a connection that it does not want.
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

const withFewFiles = ['sh', '-c', 'ulimit -n 160; exec "$@"', 'sh']

test('220 silent connections with 160 files keep out no request and end nothing', async () => {
  const rules = join(folder, 'rule.yml')
  writeFileSync(rules, encodedPowerShell)
  const served = startServerProcess(['--listen', '127.0.0.1:0', '--data-dir', join(folder, 'few'), rules], withFewFiles)
  const { url } = await waitForReady(served)
  expect(served.printed.stderr).toContain('the limit of open files is 160, so at most 32 of the configured 4096 connections are accepted; raise it')
  const headers = await logIn(served, url)
  const silent: Socket[] = []
  for (let i = 0; i < 220; i++) silent.push(await openSocket(url))
  for (let i = 0; i < 20; i++) {
    expect((await fetch(`${url}/healthz`, { headers: { connection: 'close' } })).status).toBe(200)
    const sent = await fetch(`${url}/ingest/v1/events`, { method: 'POST', headers: { ...headers, connection: 'close' }, body: JSON.stringify(encoded) })
    expect(sent.status).toBe(202)
  }
  expect([served.child.signalCode, served.child.exitCode]).toEqual([null, null])
  for (const socket of silent) socket.destroy()
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  const metrics = await (await fetch(`${url}/metrics`, { headers })).text()
  expect(metrics).toMatch(/tripline_evicted_connections_total\{state="silent"\} (18[89]|19\d|2\d\d)/)
  expect(metrics).toContain('tripline_http_connections_max 32')
  served.child.kill('SIGTERM')
  expect(await served.exited).toBe(0)
})

test('too few files end the start with what to do', async () => {
  const served = startServerProcess(['--listen', '127.0.0.1:0', '--data-dir', join(folder, 'none')], ['sh', '-c', 'ulimit -n 100; exec "$@"', 'sh'])
  expect(await served.exited).toBe(78)
  expect(served.printed.stderr).toContain("the limit of open files is 100, and the server needs at least 144; raise it to 4224 with 'ulimit -n'")
})

test.for<[title: string, path: string, origin: string | undefined, answer: RegExp]>([
  ['of a page of another origin', '/v1/ws/monitoring', 'https://evil.example', /^HTTP\/1\.1 403 Forbidden\r\n/],
  ['of a path without WebSockets', '/v1/alerts', undefined, /^HTTP\/1\.1 401 Unauthorized\r\n/],
  ['of an unknown path', '/made-up', undefined, /^HTTP\/1\.1 404 Not Found\r\n/],
])('an upgrade %s is answered, and its connection closed', async ([, path, origin, answer]) => {
  const served = startServerProcess(['--listen', '127.0.0.1:0', '--data-dir', join(folder, 'upgrades')])
  const { url } = await waitForReady(served)
  const socket = await openSocket(url)
  const lines = [
    `GET ${path} HTTP/1.1`, `Host: ${new URL(url).host}`, ...(origin === undefined ? [] : [`Origin: ${origin}`]), 'Connection: Upgrade',
    'Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13',
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  expect(await text(socket)).toMatch(answer)
  served.child.kill('SIGTERM')
  expect(await served.exited).toBe(0)
})

test('a connection is refused with 503 where all others have requests', async () => {
  const served = startServerProcess(['--listen', '127.0.0.1:0', '--data-dir', join(folder, 'busy'), '--listen-connections-per-address-max', '2'])
  const { url } = await waitForReady(served)
  const headers = await logIn(served, url)
  const agent = new Agent()
  const running = await Promise.all([1, 2].map(async () => {
    const call = request(`${url}/ingest/v1/events`, {
      agent, method: 'POST', headers: { ...headers, 'expect': '100-continue', 'content-length': '7' },
    })
    call.flushHeaders()
    await once(call, 'continue')
    return call
  }))
  const refused = await text(await openSocket(url))
  expect(refused).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\n/)
  expect(refused).toContain('"message":"too many connections from this address; retry later"')
  for (const call of running) {
    call.end('{"a":1}')
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    expect(response.resume().statusCode).toBe(202)
  }
  agent.destroy()
  const metrics = await (await fetch(`${url}/metrics`, { headers })).text()
  expect(metrics).toContain('tripline_refused_connections_total{limit="address"} 1')
})

test('a request to upgrade to anything but a WebSocket is answered', async () => {
  const served = startServerProcess(['--listen', '127.0.0.1:0', '--data-dir', join(folder, 'upgrade')])
  const { url } = await waitForReady(served)
  const socket = await openSocket(url)
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 OK/)
})

test('responses announce how long connections are kept, and at SIGTERM that they are not', async () => {
  const served = startServerProcess(['--listen', '127.0.0.1:0', '--data-dir', join(folder, 'kept')])
  const { url } = await waitForReady(served)
  const socket = await openSocket(url)
  const [head, end] = ['GET /healthz HTTP/1.1\r\nHost: x\r\n', '\r\n']
  socket.write(head + end)
  const [first] = (await once(socket, 'data')) as [Buffer]
  expect(first.toString()).toMatch(/\r\nConnection: keep-alive\r\nKeep-Alive: timeout=75\r\n/i)
  // A connection without a request would be closed a moment after the signal, which a busy machine may miss.
  socket.write(head)
  served.child.kill('SIGTERM')
  while (!served.printed.stderr.includes('"stopping"')) await once(served.child.stderr, 'data')
  socket.write(end)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\nConnection: close\r\n/i)
  expect(await served.exited).toBe(0)
})
