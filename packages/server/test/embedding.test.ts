import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCodes } from '@tripline/common/exit-error'
import { onlyTenant } from '@tripline/model/tenant'
import { nodeFileSystem } from '@tripline/storage/disk/file-system'
import { openSegmentEventStore } from '@tripline/storage/events/segment-store'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../src/index.ts'
import type { EmbeddedServer, ServerOptions } from '../src/index.ts'

// A program with an HTTP server of its own, which passes requests to the server.

const examples = join(import.meta.dirname, '../../cli/examples')
let folder: string
const ends: (() => Promise<unknown>)[] = []

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'tripline-embedded-'))))
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  rmSync(folder, { recursive: true, force: true })
})

type Program = { readonly tripline: EmbeddedServer; readonly http: Server; readonly url: string; readonly log: readonly string[] }

async function startProgram(options: ServerOptions = {}): Promise<Program> {
  const log: string[] = []
  const settings = { dataDir: join(folder, 'data'), console: 'off', rules: [join(examples, 'whoami.yml')], ...options.settings }
  const tripline = await createServer({ logLine: (line) => log.push(line), ...options, settings })
  ends.push(tripline.stop)
  const http = createHttpServer(tripline.httpOptions, (request, response) => {
    if (request.url === '/about') response.end('my program')
    else tripline.handleRequest(request, response)
  })
  http.on('upgrade', tripline.handleUpgrade)
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  ends.push(async () => {
    http.closeAllConnections()
    http.close()
  })
  return { tripline, http, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, log }
}

async function logIn({ tripline, url }: Program): Promise<string> {
  const password = readFileSync(tripline.firstPasswordFile ?? '', 'utf8').trim()
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email: tripline.firstAdmin?.email, password })
  const response = await fetch(`${url}/v1/auth/login`, { method: 'POST', headers, body })
  return (await response.json() as { readonly access_token: string }).access_token
}

/** The status line that a raw request gets. */
async function sendRaw(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  ends.push(async () => socket.destroy())
  socket.write(text)
  const [chunk] = await once(socket, 'data') as [Buffer]
  return chunk.toString().split('\r\n')[0] ?? ''
}

/** A request that is under way: the server waits for its body of two bytes. */
async function beginRequest(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  ends.push(async () => socket.destroy())
  const head = ['POST /v1/auth/login HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 2', 'Expect: 100-continue']
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const [chunk] = await once(socket, 'data') as [Buffer]
  expect(chunk.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  return socket
}

test('the program answers its own paths, and the server all others', async () => {
  const { url } = await startProgram()
  const answers = await Promise.all(['/about', '/readyz', '/v1/alerts', '/nothing'].map(async (path) => {
    const response = await fetch(`${url}${path}`)
    return [path, response.status]
  }))
  expect(answers).toEqual([['/about', 200], ['/readyz', 200], ['/v1/alerts', 401], ['/nothing', 404]])
})

test('an event becomes an alert, which a WebSocket pushes, and stop ends the socket', async () => {
  const program = await startProgram()
  const token = await logIn(program)
  const socket = new WebSocket(`${program.url.replace('http', 'ws')}/v1/ws/monitoring?token=${token}`)
  await once(socket, 'open')
  const messages: unknown[] = []
  const pushed = new Promise<void>((resolve) => socket.addEventListener('message', ({ data }) => {
    messages.push((JSON.parse(String(data)) as { readonly type: string }).type)
    if (messages.includes('new_alert')) resolve()
  }))
  socket.send(JSON.stringify({ action: 'subscribe', topics: ['alerts'], id: 1 }))
  while (!messages.includes('subscribed')) await once(socket, 'message')
  const headers = { authorization: `Bearer ${token}` }
  const body = readFileSync(join(examples, 'events.ndjson'))
  expect((await fetch(`${program.url}/ingest/v1/events`, { method: 'POST', headers, body })).status).toBe(202)
  await program.tripline.untilIdle()
  await pushed
  const closed = once(socket, 'close')
  program.http.close()
  await program.tripline.stop()
  await closed
  expect(messages).toContain('new_alert')
})

test('stop waits for a running request, and refuses those that come after', async () => {
  const { tripline, url } = await startProgram()
  const socket = await beginRequest(url)
  let hasStopped = false
  const stopping = tripline.stop().then(() => void (hasStopped = true))
  expect(await sendRaw(url, 'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n')).toBe('HTTP/1.1 503 Service Unavailable')
  expect(hasStopped).toBe(false)
  const answer = once(socket, 'data') as Promise<[Buffer]>
  socket.write('{}')
  expect((await answer)[0].toString().split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request')
  await stopping
  await tripline.stop()
  socket.destroy()
})

test('a request that never ends is cut off after the grace period', async () => {
  const { tripline, url } = await startProgram({ settings: { shutdownGraceMs: 50 } })
  const socket = await beginRequest(url)
  const closed = once(socket, 'close')
  await tripline.stop()
  await closed
  expect(socket.destroyed).toBe(true)
})

test.for([
  ['another upgrade', 'GET /v1/ws/monitoring HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n', 400],
  ['an upgrade to a WebSocket, which is closed without a token', 'GET /v1/ws/monitoring HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'
    + 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n', 101],
] as const)('%s is answered', async ([, request, status]) => {
  const { url } = await startProgram()
  expect(await sendRaw(url, request)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})

test('a program without the deadlines passes on another upgrade, which is refused', async () => {
  const { tripline } = await startProgram()
  const http = createHttpServer().on('upgrade', tripline.handleUpgrade).listen(0, '127.0.0.1')
  await once(http, 'listening')
  ends.push(async () => void http.close())
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  expect(await sendRaw(url, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request')
})

test('a program has its own event store, which stays open when the server stops', async () => {
  const events = await openSegmentEventStore({ disk: nodeFileSystem(join(folder, 'large-disk')), elapsedMs: () => performance.now() })
  const program = await startProgram({ stores: { events } })
  const headers = { authorization: `Bearer ${await logIn(program)}` }
  const body = readFileSync(join(examples, 'events.ndjson'))
  await fetch(`${program.url}/ingest/v1/events`, { method: 'POST', headers, body })
  await program.tripline.untilIdle()
  await program.tripline.stop()
  expect((await events.stats(onlyTenant)).eventCount).toBe(body.toString().trim().split('\n').length)
  expect(existsSync(join(folder, 'data/events'))).toBe(false)
  await events.close()
})

test('a data directory belongs to one server', async () => {
  await startProgram()
  await expect(startProgram()).rejects.toMatchObject({ exitCode: exitCodes.storage })
})

test('a data directory is free again after stop', async () => {
  const first = await startProgram()
  await first.tripline.stop()
  const second = await startProgram()
  expect([first.tripline.firstAdmin === undefined, second.tripline.firstAdmin]).toEqual([false, undefined])
})

describe('settings', () => {
  test.for<[settings: object, problem: string]>([
    [{ dataDri: 'x' }, "unknown setting 'dataDri'; did you mean 'dataDir'?"],
    [{ listen: '127.0.0.1:1' }, "the setting 'listen' is of a listener, and the HTTP server around this one has that; leave it out"],
    [{ verifyHours: 501 }, "the setting 'verifyHours' must be"],
    [{ rules: [{}] }, "the setting 'rules' is not a string, a number, a boolean or a list of them"],
    [{ rules: ['missing.yml'] }, 'rules cannot be read'],
  ])('%j is refused before anything is written', async ([settings, problem]) => {
    const dataDir = join(folder, 'data')
    const opening = createServer({ settings: { dataDir, ...settings } })
    await expect(opening).rejects.toMatchObject({ name: 'ExitError', exitCode: exitCodes.configuration, message: expect.stringContaining(problem) as string })
    expect(existsSync(join(dataDir, 'keys.json'))).toBe(false)
  })

  test('the environment is not read', async () => {
    process.env['TRIPLINE_CONSOLE'] = 'neither'
    ends.push(async () => void delete process.env['TRIPLINE_CONSOLE'])
    const { url, log } = await startProgram()
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect(log.map((line) => JSON.parse(line) as object)).not.toContainEqual(expect.objectContaining({ level: 'error' }))
  })
})
