import { anySshLogin, sshLogin } from '@tripline/detection/test/rules'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { killServerProcesses, logIn, startServerProcess, waitForReady } from '../server-process.ts'
import type { ServerProcess } from '../server-process.ts'
import { PushClient } from './push-world.ts'
import type { Received } from './push-world.ts'

const killCount = process.env['TRIPLINE_FULL'] === '1' ? 100 : 6
const topics = ['alerts', 'alert_updates', 'connector_health']

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tripline-push-kill-'))
})
afterEach(() => {
  killServerProcesses()
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

type Life = { readonly served: ServerProcess; readonly url: string; readonly client: PushClient }

/** What the client has received over all lives of the server. */
class Book {
  readonly received: Received[] = []
  lastId: string | undefined
  gapCount = 0

  note(message: Received): void {
    if (message.type === 'subscribed') this.lastId ??= (message.data as { readonly last_event_id: string }).last_event_id
    if (message.type === 'error') this.gapCount++
    if (message.id === undefined) return
    this.received.push(message)
    this.lastId = message.id
  }

  /** The different messages, in the order in which each came first. */
  get different(): readonly Received[] {
    return [...new Map(this.received.toReversed().map((message) => [message.id, message])).values()].toReversed()
  }
}

type StoredAlert = { readonly id: string; readonly status: string }
type AlertPage = { readonly alerts: readonly StoredAlert[]; readonly pagination: { readonly next_cursor: string | null } }

/** What messages say, of any type. */
type Data = { readonly alert_id?: string; readonly status?: string; readonly old_status?: string; readonly new_status?: string }
const dataOf = ({ data }: Received): Data => Object(data)

test(`of ${killCount} kills between commit and push none loses a message`, async () => {
  const rulesFile = join(folder, 'rule.yml')
  writeFileSync(rulesFile, anySshLogin)
  const random = createRandom(7)
  const book = new Book()
  let headers = {}

  async function start(): Promise<Life> {
    const served = startServerProcess(['--data-dir', join(folder, 'data'), '--listen', '127.0.0.1:0', rulesFile])
    const { url } = await waitForReady(served)
    if (book.lastId === undefined) headers = await logIn(served, url)
    const answer = await fetch(`${url}/v1/ws/ticket`, { method: 'POST', headers })
    const { ticket } = await answer.json() as { readonly ticket: string }
    const client = await PushClient.open({ url, close: async () => {} }, `?token=${ticket}`)
    client.send({ action: 'subscribe', topics, id: 's', since: book.lastId })
    void collect(client)
    return { served, url, client }
  }

  async function collect(client: PushClient): Promise<void> {
    try {
      for (;;) book.note(await client.next())
    } catch (error) {
      // The connection ends with its server.
      if (!String(error).includes('closed')) throw error
    }
  }

  async function call(url: string, method: string, path: string, body?: unknown): Promise<unknown> {
    const json = { ...headers, 'content-type': 'application/json' }
    const answer = await fetch(url + path, body === undefined ? { method, headers } : { method, headers: json, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return await answer.json()
  }

  async function untilIdle({ url }: Life): Promise<void> {
    for (;;) {
      const { books } = await call(url, 'GET', '/v1/pipeline/metrics') as { readonly books: { readonly in_flight: number } }
      if (books.in_flight === 0) return
      await pause(50)
    }
  }

  async function readAlerts({ url }: Life): Promise<readonly StoredAlert[]> {
    const all: StoredAlert[] = []
    for (let cursor = ''; ;) {
      const { alerts, pagination } = await call(url, 'GET', `/v1/alerts?limit=500${cursor}`) as AlertPage
      all.push(...alerts)
      if (pagination.next_cursor === null) return all
      cursor = `&cursor=${encodeURIComponent(pagination.next_cursor)}`
    }
  }

  let life = await start()
  const newConnector = { name: 'Push', type: 'http_ndjson', config: {} }
  const { id: connector } = await call(life.url, 'POST', '/v1/connectors', newConnector) as { readonly id: string }
  let hostCount = 0
  for (let kill = 0; kill < killCount; kill++) {
    const { url, served, client } = life
    const isOver = { now: false }
    // Each works until the server is gone: a request whose answer is missing may have taken effect, or not.
    const workers = [
      async () => await call(url, 'POST', '/ingest/v1/events', { ...sshLogin, host: `h${hostCount++}` }),
      async () => {
        const { alerts } = await call(url, 'GET', '/v1/alerts?size=20') as { readonly alerts: readonly { id: string; status: string }[] }
        for (const { id, status } of alerts) await call(url, 'PUT', `/v1/alerts/${id}`, { status: status === 'open' ? 'resolved' : 'open' })
      },
      async () => {
        const { enabled } = await call(url, 'GET', `/v1/connectors/${connector}`) as { readonly enabled: boolean }
        await call(url, 'PUT', `/v1/connectors/${connector}`, { enabled: !enabled })
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
    await pause(100 + 400 * random())
    isOver.now = true
    served.child.kill('SIGKILL')
    await served.exited
    await Promise.all(workers)
    await client.closed
    life = await start()
  }

  // What the state says is what the messages must say.
  await untilIdle(life)
  const before = new Set((await readAlerts(life)).map(({ id }) => id))
  // Messages come in the order of the events: the one of this alert comes after all others, and after those that should not come.
  await call(life.url, 'POST', '/ingest/v1/events', { ...sshLogin, host: 'last' })
  await untilIdle(life)
  const stored = await readAlerts(life)
  const [last] = stored.filter(({ id }) => !before.has(id))
  expect(last).toBeDefined()
  await expect.poll(() => book.different.some((message) => message.type === 'new_alert' && dataOf(message).alert_id === last?.id)).toBe(true)
  life.served.child.kill('SIGTERM')
  await life.served.exited

  const { different } = book
  expect(book.gapCount).toBe(0)
  expect(different.filter(({ type }) => type === 'new_alert').map((message) => dataOf(message).alert_id ?? '').sort())
    .toEqual(stored.map(({ id }) => id).sort())
  // The numbers of the events: those of connectors' settings alone are no messages.
  const seqs = different.map(({ id = '' }) => Number(/^evt_(\d+)/.exec(id)?.[1]))
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
  for (const { id, status } of stored) {
    const own = different.filter((message) => dataOf(message).alert_id === id)
    expect(own[0]?.type).toBe('new_alert')
    expect(own.slice(1).map((message) => dataOf(message).status)).toEqual(own.slice(1).map((_, i) => (i % 2 === 0 ? 'resolved' : 'open')))
    expect(dataOf(own.at(-1)!).status ?? 'open').toBe(status)
  }
  const transitions = different.filter(({ type }) => type === 'connector_status_change').map(dataOf)
  expect(transitions.slice(1).map(({ old_status }) => old_status)).toEqual(transitions.slice(0, -1).map(({ new_status }) => new_status))
  expect([stored.length, transitions.length].every((count) => count > killCount)).toBe(true)
  const figures = {
    kills: killCount, messages: different.length, alerts: stored.length, connectors: transitions.length,
    duplicates: book.received.length - different.length,
  }
  if (process.env['TRIPLINE_FULL'] === '1') process.stdout.write(`${JSON.stringify(figures)}\n`)
}, 900_000 + killCount * 20_000)
