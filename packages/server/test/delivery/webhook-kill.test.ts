import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { anySshLogin, sshLogin } from '@tripline/detection/test/rules'
import { Webhook as Receiver } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openFarServer, textOf } from '../ingestion/far-server.ts'
import type { FarServer } from '../ingestion/far-server.ts'
import { killServerProcesses, logInAs, readFirstCredentials, startServerProcess, waitForReady } from '../server-process.ts'

const killCount = process.env['TRIPLINE_FULL'] === '1' ? 100 : 4

let folder: string
let far: FarServer
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tripline-webhook-kill-'))
  far = await openFarServer((_request, response) => void response.end())
})
afterEach(async () => {
  killServerProcesses()
  await far.close()
  rmSync(folder, { recursive: true })
})

/** A random number that a seed determines. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

type Payload = {
  readonly event: string
  readonly timestamp: string
  readonly data: { readonly id: string; readonly status: string; readonly previous_status?: string }
}

/** What a receiver may do with a request, and how often; the second request for an event is always taken. */
const behaviours: readonly (readonly [name: string, share: number, answer: (response: ServerResponse, request: IncomingMessage) => void])[] = [
  ['takes it', 0.7, (response) => void response.writeHead(204).end()],
  ['fails', 0.1, (response) => void response.writeHead(500).end('no')],
  ['redirects', 0.05, (response) => void response.writeHead(302, { location: '/elsewhere' }).end()],
  ['asks to wait', 0.05, (response) => void response.writeHead(429, { 'retry-after': '1' }).end()],
  ['closes in the middle', 0.07, (response, request) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half')
    setTimeout(() => request.socket.destroy(), 5)
  }],
  ['hangs', 0.03, () => {}],
]

/** What the receiver got over all lives of the server. */
class Inbox {
  readonly #random: () => number
  readonly payloads = new Map<string, Payload>()
  readonly done = new Map<string, number>()
  requestCount = 0
  wrongCount = 0
  secret = ''

  constructor(random: () => number) {
    this.#random = random
  }

  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    this.requestCount++
    try {
      const payload = new Receiver(this.secret).verify(text, headers) as Payload
      const id = headers['webhook-id'] ?? ''
      const isKnown = this.payloads.has(id)
      this.payloads.set(id, payload)
      const [name, , answer] = isKnown ? behaviours[0]! : this.#pick()
      this.done.set(name, (this.done.get(name) ?? 0) + 1)
      answer(response, request)
    } catch {
      this.wrongCount++
      response.writeHead(400).end()
    }
  }

  #pick(): (typeof behaviours)[number] {
    let rest = this.#random()
    return behaviours.find(([, share]) => (rest -= share) < 0) ?? behaviours[0]!
  }
}

type StoredAlert = { readonly id: string; readonly status: string }
type Page<Name extends string, Entry> = { readonly [name in Name]: readonly Entry[] } & { readonly pagination: { readonly next_cursor: string | null } }

test(`of ${killCount} kills none loses an event of a webhook`, async () => {
  const rulesFile = join(folder, 'rule.yml')
  writeFileSync(rulesFile, anySshLogin)
  const random = createRandom(11)
  const inbox = new Inbox(createRandom(5))
  far.answer = (request, response) => inbox.take(request, response)
  const closed = await openFarServer(() => {})
  await closed.close()
  let headers = {}
  let credentials: ReturnType<typeof readFirstCredentials> | undefined

  async function start() {
    const options = ['--public-url', 'https://tripline.example', '--egress-allow-cidrs', '127.0.0.0/8']
    const served = startServerProcess(['--data-dir', join(folder, 'data'), '--listen', '127.0.0.1:0', ...options, rulesFile])
    const { url } = await waitForReady(served)
    // Tokens end long before a hundred kills do.
    credentials ??= readFirstCredentials(served)
    headers = await logInAs(credentials, url)
    return { served, url }
  }

  async function call(url: string, method: string, path: string, body?: unknown): Promise<unknown> {
    const json = { ...headers, 'content-type': 'application/json' }
    const answer = await fetch(url + path, body === undefined ? { method, headers } : { method, headers: json, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return await answer.json()
  }

  async function readAll<Name extends string, Entry>(url: string, path: string, name: Name): Promise<readonly Entry[]> {
    const all: Entry[] = []
    for (let cursor = ''; ;) {
      const page = await call(url, 'GET', `${path}limit=200${cursor}`) as Page<Name, Entry>
      all.push(...page[name])
      if (page.pagination.next_cursor === null) return all
      cursor = `&cursor=${encodeURIComponent(page.pagination.next_cursor)}`
    }
  }

  let life = await start()
  const events = ['alert.created', 'alert.updated']
  const { id, secret } = await call(life.url, 'POST', '/v1/webhooks', { name: 'Odd', url: `${far.url}/hook`, events }) as { id: string; secret: string }
  inbox.secret = secret
  // Its receiver refuses connections.
  await call(life.url, 'POST', '/v1/webhooks', { name: 'Gone', url: `http://127.0.0.1:${closed.port}/`, events })
  let hostCount = 0
  for (let kill = 0; kill < killCount; kill++) {
    const { url, served } = life
    const isOver = { now: false }
    let acceptedCount = 0
    const workers = [
      async () => {
        await call(url, 'POST', '/ingest/v1/events', { ...sshLogin, host: `h${hostCount++}` })
        acceptedCount++
        await pause(5)
      },
      async () => {
        const { alerts } = await call(url, 'GET', '/v1/alerts?size=3') as { readonly alerts: readonly StoredAlert[] }
        for (const { id, status } of alerts) await call(url, 'PUT', `/v1/alerts/${id}`, { status: status === 'open' ? 'resolved' : 'open' })
        await pause(20)
      },
    ].map(async (work) => {
      while (!isOver.now) {
        try {
          await work()
        } catch (error) {
          if (!isOver.now && served.child.exitCode === null && served.child.signalCode === null) throw error
        }
      }
    })
    // Each life does something, however slow the machine is.
    while (acceptedCount === 0) await pause(5)
    await pause(500 * random())
    isOver.now = true
    served.child.kill('SIGKILL')
    await served.exited
    await Promise.all(workers)
    life = await start()
  }

  const countWaiting = async (): Promise<number> => {
    const page = await call(life.url, 'GET', `/v1/webhooks/${id}/deliveries?status=pending&limit=1`) as { readonly pagination: { readonly total: number } }
    return page.pagination.total
  }
  const untilIdle = async (): Promise<void> => {
    for (;;) {
      const { books } = await call(life.url, 'GET', '/v1/pipeline/metrics') as { readonly books: { readonly in_flight: number } }
      if (books.in_flight === 0) return
      await pause(50)
    }
  }
  const readAlerts = async (): Promise<readonly StoredAlert[]> => await readAll<'alerts', StoredAlert>(life.url, '/v1/alerts?', 'alerts')
  await untilIdle()
  const before = new Set((await readAlerts()).map((alert) => alert.id))
  // Deliveries are made in the order of the events: once this alert is received, those of all events before it are known.
  await call(life.url, 'POST', '/ingest/v1/events', { ...sshLogin, host: 'last' })
  await untilIdle()
  // What the state says is what the receiver must know, once nothing waits for it.
  const stored = await readAlerts()
  const [last] = stored.filter((alert) => !before.has(alert.id))
  expect(last).toBeDefined()
  await expect.poll(() => [...inbox.payloads.values()].some(({ event, data }) => event === 'alert.created' && data.id === last?.id)).toBe(true)
  await expect.poll(countWaiting).toBe(0)
  const log = await readAll<'deliveries', { readonly event_id: string; readonly status: string }>(life.url, `/v1/webhooks/${id}/deliveries?`, 'deliveries')
  life.served.child.kill('SIGTERM')
  await life.served.exited

  const received = [...inbox.payloads.values()].sort((a, b) => a.timestamp.localeCompare(b.timestamp))
  expect(inbox.wrongCount).toBe(0)
  expect(received.filter(({ event }) => event === 'alert.created').map(({ data }) => data.id).sort()).toEqual(stored.map(({ id }) => id).sort())
  for (const { id, status } of stored) {
    // Each change begins with the status that the one before led to: none is missing, and the last is what is stored.
    const changes = received.filter(({ event, data }) => event === 'alert.updated' && data.id === id).map(({ data }) => data)
    expect(changes.map(({ previous_status }) => previous_status)).toEqual(['open', ...changes.map((change) => change.status)].slice(0, changes.length))
    expect(changes.at(-1)?.status ?? 'open').toBe(status)
  }
  expect(new Set(log.map(({ event_id }) => event_id)).size).toBe(log.length)
  expect(log.filter(({ status }) => status !== 'delivered')).toEqual([])
  expect(log.map(({ event_id }) => event_id).filter((eventId) => !inbox.payloads.has(eventId))).toEqual([])
  expect(stored.length).toBeGreaterThanOrEqual(killCount)
  const figures = {
    kills: killCount, alerts: stored.length, events: inbox.payloads.size, requests: inbox.requestCount, lost: 0,
    behaviours: Object.fromEntries(inbox.done),
  }
  if (process.env['TRIPLINE_FULL'] === '1') process.stdout.write(`${JSON.stringify(figures)}\n`)
}, 900_000 + killCount * 20_000)
