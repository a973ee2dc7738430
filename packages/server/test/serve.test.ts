import { processRuntime } from '@tripline/common/runtime'
import type { PushData } from '@tripline/contract/push/push'
import { encoded, encodedPowerShell } from '@tripline/detection/test/rules'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createIssuerKey, toPublicKeySet, signClaims } from '../src/access/tokens/issuer-key.ts'
import { checkServe } from '../src/config/check-serve.ts'
import { killServerProcesses, logIn, readFirstCredentials, requestLogin, waitForReady, startServerProcess } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'

let folder: string
let rulesFile: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tripline-serve-'))
  rulesFile = join(folder, 'rule.yml')
  writeFileSync(rulesFile, encodedPowerShell)
})
afterEach(killServerProcesses)
afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** Starts the real process; `--data-dir` is set unless the arguments do. */
function serve(...args: string[]): ServerProcess {
  return startServerProcess([...(args.includes('--data-dir') ? [] : ['--data-dir', join(folder, 'data')]), ...args])
}

async function untilReady(served: ServerProcess): Promise<{ url: string; pid: number }> {
  const ready = await waitForReady(served)
  expect(JSON.parse(served.printed.stdout)).toEqual({ event: 'ready', port: Number(new URL(ready.url).port), pid: served.child.pid })
  return ready
}

test('serves from the ready line to SIGTERM', async () => {
  // Without the console, which says in the log that it is not built where it is not.
  const served = serve('--listen', '127.0.0.1:0', rulesFile, '--data-dir', join(folder, 'first'), '--console', 'off')
  const { url } = await untilReady(served)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  const headers = await logIn(served, url)

  const ingested = await fetch(`${url}/ingest/v1/events`, { method: 'POST', headers, body: `${JSON.stringify(encoded)}\n{}\n` })
  expect([ingested.status, await ingested.json()]).toEqual([
    202, { accepted: 2, rejected: 0, errors: [], last_offset: 1 },
  ])
  const matchesPath = '/v1/detection/rules/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001/matches'
  await vi.waitUntil(async () => JSON.stringify(await (await fetch(url + matchesPath, { headers })).json()).includes('web-1'), 300_000)

  served.child.kill('SIGTERM')
  expect(await served.exited).toBe(0)
  expect(served.printed.stdout.trimEnd().split('\n')).toHaveLength(1)
  const log = served.printed.stderr.trimEnd().split('\n').map((line) => (JSON.parse(line) as { message: string }).message)
  expect(log.map((message) => message.split(':')[0])).toEqual([
    'rules loaded', 'listening', 'first start', 'request', 'request', 'request', ...log.slice(6, -2).map(() => 'request'), 'stopping', 'closed',
  ])
})

test('writes the first password to a file of the owner alone, and not to the log', async () => {
  const dataDir = join(folder, 'first-password')
  const served = serve('--listen', '127.0.0.1:0', '--data-dir', dataDir)
  const { url } = await untilReady(served)
  const file = join(dataDir, 'first-password')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const { email, password = '' } = readFirstCredentials(served)
  expect(email).toBe('admin@localhost')
  expect(password).not.toBe('')
  expect((await requestLogin(url, { email, password })).status).toBe(200)
  expect(served.printed.stderr).toContain(JSON.stringify(file))
  expect(served.printed.stdout + served.printed.stderr).not.toContain(password)
})

test('takes the password of the first administrator from a file, at the first start only', async () => {
  const dataDir = join(folder, 'given-password')
  const file = join(folder, 'password')
  const password = 'w4shing7onKr1ller-Tau'
  writeFileSync(file, `${password}\n`)
  const arguments_ = ['--listen', '127.0.0.1:0', '--data-dir', dataDir, '--admin-password-file', file]
  const first = serve(...arguments_)
  const { url } = await untilReady(first)
  expect((await requestLogin(url, { email: 'admin@localhost', password })).status).toBe(200)
  expect(readdirSync(dataDir)).not.toContain('first-password')
  expect(first.printed.stderr).not.toContain(password)
  first.child.kill('SIGTERM')
  expect(await first.exited).toBe(0)
  rmSync(file)
  await untilReady(serve(...arguments_))
})

test('refuses a weak password of the first administrator, and creates none', async () => {
  const file = join(folder, 'weak')
  writeFileSync(file, 'password1234')
  const served = serve('--listen', '127.0.0.1:0', '--data-dir', join(folder, 'weak-password'), '--admin-password-file', file)
  expect(await served.exited).toBe(78)
  expect(served.printed.stderr).toContain('--admin-password-file cannot be used: the password is easily guessed')
  expect(existsSync(join(folder, 'weak-password'))).toBe(false)
})

test('writes what waits for the audit trail when it ends', async () => {
  const dataDir = join(folder, 'trail')
  const first = serve('--listen', '127.0.0.1:0', '--data-dir', dataDir)
  const { url } = await untilReady(first)
  const { email, password } = readFirstCredentials(first)
  for (let i = 0; i < 3; i++) expect((await requestLogin(url, { email, password: 'wrong' })).status).toBe(401)
  first.child.kill('SIGTERM')
  expect(await first.exited).toBe(0)
  const second = serve('--listen', '127.0.0.1:0', '--data-dir', dataDir)
  const again = await untilReady(second)
  const { access_token: token } = await (await requestLogin(again.url, { email, password })).json() as { access_token: string }
  const trail = await (await fetch(`${again.url}/v1/audit?q=session.login`, { headers: { authorization: `Bearer ${token}` } })).json()
  expect(trail).toMatchObject({
    entries: [
      { outcome: 'success' },
      { outcome: 'failed', actor: { type: 'user', email }, ip: '127.0.0.1', diff: { reason: 'wrong_password', count: 3 } },
    ],
  })
})

test('after a kill creates each alert of acknowledged events once', async () => {
  const args = ['--listen', '127.0.0.1:0', rulesFile, '--data-dir', join(folder, 'killed')]
  let served = serve(...args)
  let { url } = await untilReady(served)
  const headers = await logIn(served, url)
  const body = Array.from({ length: 2_000 }, (_, i) => JSON.stringify({ ...encoded, Computer: `web-${i % 500}`, id: `e-${i}` })).join('\n')
  const sending = fetch(`${url}/ingest/v1/events`, { method: 'POST', headers, body })
  expect((await sending).status).toBe(202)
  served.child.kill('SIGKILL')
  await served.exited
  served = serve(...args)
  ;({ url } = await untilReady(served))
  // Sent again, as by a sender that heard no answer.
  expect((await fetch(`${url}/ingest/v1/events`, { method: 'POST', headers, body })).status).toBe(202)
  const rulePath = '/v1/detection/rules/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'
  const matchCount = async () => {
    const list = (await (await fetch(`${url}${rulePath}/matches?size=1`, { headers })).json()) as { total_estimate: number }
    return list.total_estimate
  }
  await vi.waitUntil(async () => (await matchCount()) >= 2_000, 300_000)
  served.child.kill('SIGTERM')
  expect(await served.exited).toBe(0)
  served = serve(...args)
  ;({ url } = await untilReady(served))
  expect(await matchCount()).toBe(2_000)
})

test('a data directory is locked by one process until it ends', async () => {
  const args = ['--listen', '127.0.0.1:0', '--data-dir', join(folder, 'held')]
  const first = serve(...args)
  const { url } = await untilReady(first)
  const second = serve(...args)
  expect(await second.exited).toBe(70)
  expect(second.printed).toEqual({
    stdout: '', stderr: expect.stringContaining("held' cannot be used: another process has its bus and events open"),
  })
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  first.child.kill('SIGKILL')
  await first.exited
  await untilReady(serve(...args))
})

test('accepts tokens of a trusted issuer with remote keys and mapped roles', async () => {
  const issuer = await createIssuerKey()
  const fetched: unknown[] = []
  const keys = createHttpServer((request, response) => {
    fetched.push(request.url)
    response.end(JSON.stringify(toPublicKeySet(issuer)))
  }).listen(0, '127.0.0.1')
  await once(keys, 'listening')
  const { port } = keys.address() as AddressInfo
  const trusted = ['--trusted-issuer', 'https://login.example', '--trusted-jwks-url', `http://127.0.0.1:${port}/keys`]
  const served = serve('--listen', '127.0.0.1:0', '--data-dir', join(folder, 'trusting'), '--egress-allow-cidrs', '127.0.0.0/8', ...trusted)
  const { url } = await untilReady(served)
  const headers = await logIn(served, url)
  expect(fetched).toEqual([])
  const now = Math.floor(Date.now() / 1_000)
  const token = signClaims(issuer, {
    iss: 'https://login.example', aud: 'console', sub: 'bob', tenant_id: 'default', groups: ['SOC'], iat: now, exp: now + 600,
  })
  const me = () => fetch(`${url}/v1/health`, { headers: { authorization: `Bearer ${token}` } })
  expect((await me()).status).toBe(401)
  const body = JSON.stringify({ role_mapping: [{ claim: 'groups', op: 'contains', value: 'SOC', role: 'viewer' }] })
  const json = { ...headers, 'content-type': 'application/json' }
  expect((await fetch(`${url}/v1/settings`, { method: 'PATCH', headers: json, body })).status).toBe(200)
  expect((await me()).status).toBe(200)
  expect(fetched).toEqual(['/keys'])
  keys.close()
})

test('pushes an alert over a WebSocket, and ends while it is open', async () => {
  const served = serve('--listen', '127.0.0.1:0', rulesFile, '--data-dir', join(folder, 'pushed'))
  const { url } = await untilReady(served)
  const headers = await logIn(served, url)
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/ws/monitoring?token=${headers.authorization.slice('Bearer '.length)}`)
  const received: { readonly type: string; readonly data: object }[] = []
  socket.addEventListener('message', ({ data }) => void received.push(JSON.parse(String(data)) as (typeof received)[number]))
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  socket.send(JSON.stringify({ action: 'subscribe', topics: ['alerts'], id: 1 }))
  socket.send(JSON.stringify({ action: 'subscribe', topics: ['search'], id: 'tail', params: { query: 'Computer:web-1' } }))
  await vi.waitUntil(() => received.length === 2, 300_000)
  await fetch(`${url}/ingest/v1/events`, { method: 'POST', headers, body: JSON.stringify(encoded) })
  const tailed = (): PushData<'tail_events'>[] =>
    received.filter(({ type }) => type === 'tail_events').map(({ data }) => data as PushData<'tail_events'>)
  const matches = () => tailed().flatMap((data) => data.matches)
  await vi.waitUntil(() => received.some(({ type }) => type === 'new_alert') && matches().length === 1, 300_000)
  expect(received).toContainEqual(expect.objectContaining({
    type: 'new_alert', data: expect.objectContaining({ severity: 'high', rule_title: 'Encoded PowerShell', host: 'web-1', status: 'open' }),
  }))
  // The event may be evaluated before it is sent or after.
  expect([tailed().flatMap(({ events }) => events), tailed().flatMap(({ event_ids: ids }) => ids)]).toEqual([[encoded], [matches()[0]?.event_id]])
  expect(matches()[0]).toMatchObject({ rule_title: 'Encoded PowerShell' })
  served.child.kill('SIGTERM')
  expect(await served.exited).toBe(0)
})

test('finishes a request that is running at SIGINT', async () => {
  const served = serve('--listen', '127.0.0.1:0', rulesFile, '--data-dir', join(folder, 'interrupted'))
  const { url } = await untilReady(served)
  const headers = await logIn(served, url)
  // The server says `100 Continue` once it has the head of the request and waits for its body.
  const call = request(`${url}/ingest/v1/events`, { method: 'POST', headers: { ...headers, 'expect': '100-continue', 'content-length': '7' } })
  call.flushHeaders()
  await once(call, 'continue')
  served.child.kill('SIGINT')
  while (!served.printed.stderr.includes('"stopping"')) await once(served.child.stderr, 'data')
  call.end('{"a":1}')
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  expect(response.resume().statusCode).toBe(202)
  expect(await served.exited).toBe(0)
})

test('polls a source, ends while waiting for it, and resumes', async () => {
  const asked: string[] = []
  const pages = new Map([['', { data: [encoded], next: '2' }], ['2', { data: [encoded], next: '3' }]])
  const source = createHttpServer((request, response) => {
    const cursor = new URL(request.url ?? '', 'http://source').searchParams.get('cursor') ?? ''
    asked.push(cursor)
    const page = pages.get(cursor)
    if (page !== undefined) response.setHeader('content-type', 'application/json').end(JSON.stringify(page))
  })
  source.listen(0, '127.0.0.1')
  await once(source, 'listening')
  const settings = [rulesFile, '--data-dir', join(folder, 'polls'), '--egress-allow-cidrs', '127.0.0.0/8']
  const served = serve('--listen', '127.0.0.1:0', ...settings)
  const { url } = await untilReady(served)
  const headers = await logIn(served, url)
  const config = { url: `http://127.0.0.1:${(source.address() as AddressInfo).port}`, items_path: 'data', cursor_path: 'next' }
  const made = await fetch(`${url}/v1/connectors`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Poll', type: 'http_poll', config }),
  })
  expect(made.status).toBe(201)
  await expect.poll(() => asked).toContain('3')
  // What is safe is evaluated soon, and not before it is asked for again.
  const matches = async (): Promise<unknown> =>
    (await fetch(`${url}/v1/detection/rules/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001/matches`, { headers })).json()
  await expect.poll(matches).toMatchObject({ matches: [{ event: { host: 'web-1' } }] })
  served.child.kill('SIGTERM')
  expect(await served.exited).toBe(0)

  asked.length = 0
  const again = serve('--listen', '127.0.0.1:0', ...settings)
  await untilReady(again)
  await expect.poll(() => asked).toContain('3')
  expect(asked.filter((cursor) => cursor === '2')).toEqual([])
  source.closeAllConnections()
  source.close()
})

test('refuses an oversized body on a real connection, and continues', async () => {
  const served = serve('--listen', '127.0.0.1:0', '--data-dir', join(folder, 'large'))
  const { url } = await untilReady(served)
  const refused = await fetch(`${url}/ingest/v1/events`, { method: 'POST', headers: await logIn(served, url), body: Buffer.alloc(11_000_000, ' ') })
  expect(refused.status).toBe(413)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
})

describe('ends at once', () => {
  test.for<[title: string, args: string[], exitCode: number, sentence: string]>([
    ['with a configuration file that is not there', ['--config', 'nowhere.json'], 78, "configuration file 'nowhere.json' cannot be read"],
    ['with a rule path that is not there', ['nowhere', '--listen', '127.0.0.1:0'], 78, 'rules cannot be read: ENOENT'],
    ['with a data directory below a file', ['--listen', '127.0.0.1:0', '--data-dir', join(import.meta.filename, 'data')], 70, 'cannot be used: ENOTDIR'],
  ])('%s', async ([, args, exitCode, sentence]) => {
    const served = serve(...args)
    expect(await served.exited).toBe(exitCode)
    expect(served.printed.stdout).toBe('')
    const lines = served.printed.stderr.trimEnd().split('\n')
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', exit_code: exitCode, message: expect.stringContaining(sentence) })
  })

  test('where the port is taken', async () => {
    const owner = createServer().listen(0, '127.0.0.1')
    await once(owner, 'listening')
    const { port } = owner.address() as AddressInfo
    const served = serve('--listen', `127.0.0.1:${port}`)
    expect(await served.exited).toBe(78)
    expect(served.printed.stderr).toContain(`--listen 127.0.0.1:${port} cannot be opened: listen EADDRINUSE`)
    owner.close()
  })
})

test.for<[what: string, damage: (file: string) => void, exitCode: number, sentences: readonly string[]]>([
  ['a database of a newer program', (file) => {
    const database = new DatabaseSync(file)
    database.exec("insert into kysely_migration values ('9999-of-the-future', '2030-01-01T00:00:00.000Z')")
    database.close()
  }, 78, ["has schema version 9999-of-the-future, which this program does not know", 'start the newer program, or restore a backup from before the upgrade']],
  ['a database that is none', (file) => writeFileSync(file, 'x'.repeat(9_000)), 70,
    ['file is not a database', "is corrupted. Run 'tripline verify --data-dir", 'restore the file from a backup', '.recover']],
])('ends and says what to do with %s', async ([what, damage, exitCode, sentences]) => {
  const dataDir = join(folder, what.replaceAll(' ', '-'))
  const args = ['--listen', '127.0.0.1:0', '--data-dir', dataDir]
  const first = serve(...args)
  await untilReady(first)
  first.child.kill('SIGTERM')
  expect(await first.exited).toBe(0)
  damage(join(dataDir, 'state.db'))
  const second = serve(...args)
  expect(await second.exited).toBe(exitCode)
  const { message } = JSON.parse(second.printed.stderr.trimEnd().split('\n').at(-1) ?? '') as { readonly message: string }
  for (const sentence of sentences) expect(message).toContain(sentence)
  // The check that starts nothing ends with the same sentence, and writes nothing.
  const before = readdirSync(dataDir)
  const checked = checkServe({ configFile: undefined, settings: { dataDir: [dataDir] } }, processRuntime())
  await expect(checked).rejects.toMatchObject({ message, exitCode })
  expect(readdirSync(dataDir)).toEqual(before)
})

test('creates the data directory for its owner only; a second start prints no credentials', async () => {
  const dataDir = join(folder, 'a', 'b')
  const first = serve('--data-dir', dataDir, '--listen', '127.0.0.1:0')
  await untilReady(first)
  expect(first.printed.stderr).toContain('first-password')
  first.child.kill('SIGTERM')
  await first.exited
  const second = serve('--data-dir', dataDir, '--listen', '127.0.0.1:0')
  await untilReady(second)
  expect(second.printed.stderr).not.toContain('password')
  // Without `code`: the processes of tests share one cache of it (`vitest.config.ts`).
  const names = ['bus', 'events', 'first-password', 'held', 'keys.json', 'state.db', 'state.db-shm', 'state.db-wal']
  expect(readdirSync(dataDir).sort()).toEqual(names)
  for (const name of ['.', 'bus', 'events', 'first-password', 'keys.json', 'state.db']) expect(statSync(join(dataDir, name)).mode & 0o077).toBe(0)
})
