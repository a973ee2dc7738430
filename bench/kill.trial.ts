/**
 * Kills a server again and again while events come in, and counts what is left:
 *
 *     node bench/kill.trial.ts [--rounds 200] [--rate 20000] [--up 300] [--data ../shared/data]
 *
 * Each round lets a server live for some `--up` milliseconds after it is ready, ends it with `kill -9` and starts it
 * again on the same data. Every event has an id of its own; an event whose 202 did not come is sent again in the next
 * round, as a sender would. One in a thousand matches a rule, on a host of its own. In the end, of all acknowledged
 * events each has to be stored exactly once, and of all that match there has to be exactly one alert each, and the books
 * balance. Told are losses and duplicates, all of which should be 0, and how long a start took.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { openBenchFolder } from './bench-folder.ts'
import { nodeFileSystem } from '../packages/storage/src/disk/file-system.ts'
import { openSegmentEventStore } from '../packages/storage/src/events/segment-store.ts'
import { openFeed } from './events/event-feed.ts'
import { openCorpus } from './open-corpus.ts'
import { computePercentile } from './pipeline/offer-load.ts'
import { probeRule } from './pipeline/probe-rule.ts'
import { startServerProcess } from './pipeline/server-process.ts'
import type { Credentials, ServerProcess } from './pipeline/server-process.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    rate: { type: 'string', default: '20000' },
    up: { type: 'string', default: '300' },
    data: { type: 'string', default: join('..', 'shared', 'data') },
    tenant: { type: 'string', default: 'default' },
  },
})
const rounds = Number(values.rounds)
const eventsPerSecond = Number(values.rate)
const upMs = Number(values.up)
const batchSize = 200
const senders = 6

const probeFilter = JSON.stringify({ field: 'rule_id', op: 'eq', value: probeRule.id })

const { folder, removeFolder } = openBenchFolder('kill')
const dataDir = join(folder, 'data')
const rulesDir = join(folder, 'rules')
/** Ids whose 202 came, and hosts of those that make an alert. */
const acknowledged = new Set<string>()
const matchingHosts = new Set<string>()
try {
  process.exitCode = await run() ? 0 : 1
} finally {
  removeFolder()
}

async function run(): Promise<boolean> {
  writeRules()
  const batches = createBatches()
  const readyMs: number[] = []
  let credentials: Credentials | undefined
  let unanswered: Batch[] = []
  for (let round = 0; round < rounds; round++) {
    const server: ServerProcess = await startServerProcess(dataDir, rulesDir, { credentials })
    credentials = server.credentials
    readyMs.push(server.readyMs)
    const sending = sendUntilKilled(server, unanswered, batches)
    // Not always at the same point of a second.
    await new Promise((resolve) => setTimeout(resolve, upMs * (0.5 + ((round * 7_919) % 1_000) / 1_000)))
    await server.kill()
    unanswered = await sending
    if (round % 20 === 19) printLine(`${round + 1} kills, ${acknowledged.size} events acknowledged`)
  }
  const server = await startServerProcess(dataDir, rulesDir, { credentials })
  readyMs.push(server.readyMs)
  await sendAll(server, unanswered)
  await untilDrained(server)
  const alerts = await alertHosts(server)
  await server.stop()
  const stored = await storedIds()

  const lost = [...acknowledged].filter((id) => !stored.has(id)).length
  const doubled = [...stored.values()].filter((count) => count > 1).length
  const alertsLost = [...matchingHosts].filter((host) => !alerts.has(host)).length
  const alertsDoubled = [...alerts.values()].filter((count) => count > 1).length
  printLine(`${rounds} kills at ${eventsPerSecond} events/s offered: ${acknowledged.size} events acknowledged, ${stored.size} stored`)
  printLine(
    `acknowledged lost ${lost}, stored twice ${doubled}; of ${matchingHosts.size} alerts lost ${alertsLost}, made twice ${alertsDoubled}`,
  )
  printLine(`from start to ready: p50 ${computePercentile(readyMs, 50)?.toFixed(0)} ms, most ${Math.max(...readyMs).toFixed(0)} ms`)
  return lost + doubled + alertsLost + alertsDoubled === 0
}

type Batch = { readonly ids: readonly string[]; readonly hosts: readonly string[]; readonly body: string }

function* createBatches(): Generator<Batch> {
  const feed = openFeed(values.data, 2_000_000_000, { startsAt: Date.now(), days: 30 })
  let number = 0
  for (const events of feed.batches(batchSize)) {
    const ids = events.map(() => `event-${number++}`)
    const hosts: string[] = []
    const lines = events.map(({ bytes }, i) => {
      if (number % 1_000 === 0 && i === 0) {
        hosts.push(`host-${number}`)
        return JSON.stringify({ id: ids[i], _logsource: { product: 'probe', service: 'bench' }, Probe: 'yes', host: `host-${number}` })
      }
      // Some events have an id of their own, the same each time they are recorded; the last one of a name counts.
      return `{"id":"${ids[i]}",${bytes.toString('utf8').slice(1, -1)},"id":"${ids[i]}"}`
    })
    yield { ids, hosts, body: lines.join('\n') }
  }
}

/** Sends what was not answered before, then new batches at the rate; gives what was under way when the server ended. */
async function sendUntilKilled(server: ServerProcess, before: readonly Batch[], batches: Generator<Batch>): Promise<Batch[]> {
  const again = [...before]
  const unanswered: Batch[] = []
  const startedAt = performance.now()
  let offered = 0
  let isAlive = true
  const send = async (): Promise<void> => {
    while (isAlive) {
      const batch = again.shift() ?? batches.next().value as Batch
      const waitMs = startedAt + (offered / eventsPerSecond) * 1_000 - performance.now()
      offered += batch.ids.length
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
      if (await post(server, batch) !== 'taken') {
        unanswered.push(batch)
        isAlive = false
      }
    }
  }
  await Promise.all(Array.from({ length: senders }, send))
  return [...unanswered, ...again]
}

async function sendAll(server: ServerProcess, batches: readonly Batch[]): Promise<void> {
  for (const batch of batches) {
    if (await post(server, batch) !== 'taken') throw new Error('the last server took less than everything')
  }
}

/** Waits when the server answers 429 or 503; a batch is `lost` when the server is gone. */
async function post({ origin, token }: ServerProcess, { ids, hosts, body }: Batch): Promise<'taken' | 'lost'> {
  const headers = { authorization: `Bearer ${token}` }
  for (;;) {
    const answered = await fetch(`${origin}/ingest/v1/events`, { method: 'POST', headers, body }).catch(() => undefined)
    if (answered === undefined) return 'lost'
    const text = await answered.text().catch(() => undefined)
    // The head of an answer may come without its end; the status alone shows that the batch was accepted.
    if (answered.status === 202) {
      for (const id of ids) acknowledged.add(id)
      for (const host of hosts) matchingHosts.add(host)
      return 'taken'
    }
    if (text === undefined) return 'lost'
    if (answered.status !== 429 && answered.status !== 503) throw new Error(`a batch was answered ${answered.status}: ${text}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function get({ origin, token }: ServerProcess, path: string): Promise<unknown> {
  const answered = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } })
  if (!answered.ok) throw new Error(`${path} was answered ${answered.status}: ${await answered.text()}`)
  return await answered.json()
}

async function untilDrained(server: ServerProcess): Promise<void> {
  for (;;) {
    const { books } = (await get(server, '/v1/pipeline/metrics')) as { books: { in_flight: number } }
    if (books.in_flight === 0) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  // What was evaluated has yet to be stored; the store is a reader of its own.
  for (;;) {
    const { queue } = (await get(server, '/v1/pipeline/metrics')) as { queue: { topics: { consumer_lag: number }[] } }
    if (queue.topics.every(({ consumer_lag: lag }) => lag === 0)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** How many alerts each host of the probe has. */
async function alertHosts(server: ServerProcess): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (let cursor: string | null = ''; cursor !== null;) {
    const after = cursor === '' ? '' : `&cursor=${cursor}`
    const page = (await get(server, `/v1/alerts?limit=500&filters=${encodeURIComponent(probeFilter)}${after}`)) as AlertPage
    for (const { event } of page.alerts) counts.set(event.host, (counts.get(event.host) ?? 0) + 1)
    cursor = page.pagination.next_cursor
  }
  return counts
}

type AlertPage = { alerts: { event: { host: string } }[]; pagination: { next_cursor: string | null } }

/** How often each id is stored, read from the store itself once no other process has it open. */
async function storedIds(): Promise<Map<string, number>> {
  const events = await openSegmentEventStore({ disk: nodeFileSystem(join(dataDir, 'events')), elapsedMs: () => performance.now() })
  const counts = new Map<string, number>()
  const all = { kind: 'constant', value: true } as const
  try {
    const everything = { tenant: values.tenant, from: 0, to: 8.64e15, predicate: all, batchEventsMax: 1_000 }
    for await (const { events: batch } of events.scan(everything)) {
      for (const { bytes } of batch) {
        const id = /"id":"(event-\d+)"/.exec(Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64)).toString())?.[1]
        if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1)
      }
    }
  } finally {
    await events.close()
  }
  return counts
}

function writeRules(): void {
  for (const { path = '', text } of [...openCorpus(values.data).sources, { path: 'probe.yml', text: probeRule.text }]) {
    mkdirSync(dirname(join(rulesDir, path)), { recursive: true })
    writeFileSync(join(rulesDir, path), text)
  }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
