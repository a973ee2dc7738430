/**
 * What an event costs in each protocol, in one run of a server with all rules:
 *
 *     node bench/protocols.bench.ts [--events 20000] [--rounds 5] [--batch 200] [--senders 4] [--data ../shared/data]
 *         [--udp-rate 20000] [--udp-seconds 10] [--connections 10000]
 *
 * First as many TCP connections of syslog as `--connections` are opened and left idle: memory of the server with them. Then
 * the same messages are sent by each protocol in turn, as fast as they are taken, over loopback: events a second from the first
 * byte until all are evaluated, and processor time of the server for each (all threads), as the median of the rounds with its
 * range. At last messages are sent over UDP at `--udp-rate` a second: how many were lost, and where. `0` leaves the
 * connections or the UDP rate out.
 */
import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { parseArgs } from 'node:util'
import { openBenchFolder } from './bench-folder.ts'
import { readBooks, untilDrained } from './pipeline/books.ts'
import { computePercentile } from './pipeline/offer-load.ts'
import { createMessages, httpProtocols, printSyslog } from './pipeline/protocols.ts'
import type { Message } from './pipeline/protocols.ts'
import { startServerProcess } from './pipeline/server-process.ts'
import type { ServerProcess } from './pipeline/server-process.ts'
import { writeRules } from './pipeline/write-rules.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
    batch: { type: 'string', default: '200' },
    senders: { type: 'string', default: '4' },
    data: { type: 'string', default: join('..', 'shared', 'data') },
    'udp-rate': { type: 'string', default: '20000' },
    'udp-seconds': { type: 'string', default: '10' },
    connections: { type: 'string', default: '10000' },
  },
})
const eventCount = Number(values.events)
const batchSize = Number(values.batch)
const ports = { tcp: 15_514, udp: 15_515, tls: 15_516 } as const

const { folder, removeFolder } = openBenchFolder('protocols')
try {
  await run()
} finally {
  removeFolder()
}

async function run(): Promise<void> {
  const ruleCount = writeRules(join(folder, 'rules'), values.data)
  printLine(`${ruleCount} rules, ${eventCount} messages in batches of ${batchSize}, load ${loadavg()[0]?.toFixed(1)}`)
  const server = await startServerProcess(join(folder, 'data'), join(folder, 'rules'), {
    serveOptions: ['--syslog-ports', `${ports.tcp}-${ports.tls}`],
  })
  try {
    const most = { connections_max: 10_240, connections_per_address_max: 10_240 }
    await createConnector(server, { name: 'tcp', type: 'syslog', config: { port: ports.tcp, transport: 'tcp', ...most } })
    const udp = await createConnector(server, { name: 'udp', type: 'syslog', config: { port: ports.udp, transport: 'udp' } })
    await createConnector(server, { name: 'tls', type: 'syslog', config: { port: ports.tls, transport: 'tls', ...createCertificate() } })
    if (values.connections !== '0') await holdConnections(server, Number(values.connections))
    await measureProtocols(server)
    const [rate, seconds] = [Number(values['udp-rate']), Number(values['udp-seconds'])]
    if (rate > 0) await measureLoss(server, udp.id, { rate, seconds })
  } finally {
    await server.stop()
  }
}

/** The certificate of the port with TLS, and its key. */
function createCertificate(): { readonly tls_cert: string; readonly tls_key: string } {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name)) as [string, string]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=bench'], { stdio: 'ignore' })
  return { tls_cert: readFileSync(cert, 'utf8'), tls_key: readFileSync(key, 'utf8') }
}

async function createConnector({ origin, token }: ServerProcess, body: object): Promise<{ readonly id: string; readonly token: string }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answered = await fetch(`${origin}/v1/connectors`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (answered.status !== 201) throw new Error(`a connector was answered ${answered.status}: ${await answered.text()}`)
  const { id, ingest } = (await answered.json()) as { readonly id: string; readonly ingest?: { readonly token: string } }
  return { id, token: ingest?.token ?? '' }
}

/** Opens connections, says what the server takes for them, and that one of them is still served. */
async function holdConnections(server: ServerProcess, count: number): Promise<void> {
  const before = server.usage()
  const held: Socket[] = []
  for (let left = count; left > 0; left -= 200) {
    const opened = Array.from({ length: Math.min(200, left) }, () => connect(ports.tcp, '127.0.0.1'))
    await Promise.all(opened.map((socket) => once(socket, 'connect')))
    held.push(...opened)
  }
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  const idle = server.usage()
  await new Promise((resolve) => setTimeout(resolve, 10_000))
  const after = server.usage()
  const alive = held.filter((socket) => socket.readyState === 'open')
  const accepted = (await readBooks(server)).accepted
  const line = createMessages(1, 'idle').map(printSyslog).join('')
  alive.at(-1)?.write(`${line}\n`)
  await untilAccepted(server, accepted + 1)
  await untilDrained(server)
  printLine(`${alive.length} of ${count} idle TCP connections: ${formatMebibytes(after.residentBytes)} resident`
    + ` (${formatMebibytes(before.residentBytes)} before), ${after.processorMs - idle.processorMs} ms of processor time in 10 s`)
  for (const socket of held) socket.destroy()
}

async function measureProtocols(server: ServerProcess): Promise<void> {
  const tokens = new Map<string, string>()
  for (const { type } of httpProtocols) {
    if (!tokens.has(type)) tokens.set(type, (await createConnector(server, { name: type, type, config: {} })).token)
  }
  const senders = new Map<string, (messages: readonly Message[]) => Promise<void>>([
    ...httpProtocols.map(({ name, type, path, contentType, authorize, encode }) => [name, async (messages: readonly Message[]) => {
      const headers = { authorization: authorize(tokens.get(type) ?? ''), 'content-type': contentType }
      const bodies = splitIntoBatches(messages).map((batch) => encode(batch))
      await postAll(`${server.origin}${path}`, headers, bodies)
    }] as const),
    ['syslog over TCP', async (messages: readonly Message[]) => await writeAll(messages, openTcp)],
    ['syslog over TLS', async (messages: readonly Message[]) => await writeAll(messages, openTls)],
  ])
  for (const [name, send] of senders) await measure(server, `warm-up of ${name}`, createMessages(eventCount / 5, `warm ${name}`), send)
  const found = new Map([...senders.keys()].map((name) => [name, [] as { perSecond: number; processorUs: number }[]]))
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [name, send] of senders) {
      found.get(name)?.push(await measure(server, name, createMessages(eventCount, `${name} ${round}`), send))
    }
  }
  const [yardstick = 0] = [...found.values()].map((rounds) => computePercentile(rounds.map(({ processorUs }) => processorUs), 50) ?? 0)
  for (const [name, rounds] of found) {
    const processorUs = rounds.map((round) => round.processorUs)
    const median = computePercentile(processorUs, 50) ?? 0
    const perSecond = computePercentile(rounds.map((round) => round.perSecond), 50) ?? 0
    printLine(`${name}: ${Math.round(perSecond)} events/s, ${median.toFixed(1)} µs of processor time an event`
      + ` (${Math.min(...processorUs).toFixed(1)} to ${Math.max(...processorUs).toFixed(1)}),`
      + ` ${(median / yardstick).toFixed(2)} times NDJSON`)
  }
}

async function measure(
  server: ServerProcess, name: string, messages: readonly Message[], send: (messages: readonly Message[]) => Promise<void>,
): Promise<{ readonly perSecond: number; readonly processorUs: number }> {
  const before = { books: await readBooks(server), processorMs: server.usage().processorMs }
  const startedAt = performance.now()
  await send(messages)
  await untilAccepted(server, before.books.accepted + messages.length)
  await untilDrained(server)
  const wallMs = performance.now() - startedAt
  const { accepted, evaluated, deduplicated } = await readBooks(server)
  const count = evaluated - before.books.evaluated
  if (accepted - before.books.accepted !== messages.length || count !== messages.length || deduplicated !== before.books.deduplicated) {
    throw new Error(`${name}: ${messages.length} messages were sent, ${accepted - before.books.accepted} accepted, ${count} evaluated`)
  }
  return { perSecond: (count / wallMs) * 1_000, processorUs: ((server.usage().processorMs - before.processorMs) / count) * 1_000 }
}

async function postAll(url: string, headers: { readonly [name: string]: string }, bodies: readonly Buffer[]): Promise<void> {
  const waiting = bodies[Symbol.iterator]()
  const send = async (): Promise<void> => {
    for (const body of waiting) {
      for (;;) {
        const answered = await fetch(url, { method: 'POST', headers, body })
        const text = await answered.text()
        if (answered.ok) break
        if (answered.status !== 429 && answered.status !== 503) throw new Error(`a batch was answered ${answered.status}: ${text}`)
        await new Promise((resolve) => setTimeout(resolve, Number(answered.headers.get('retry-after') ?? 1) * 1_000))
      }
    }
  }
  await Promise.all(Array.from({ length: Number(values.senders) }, send))
}

async function openTcp(): Promise<Socket> {
  const socket = connect(ports.tcp, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

async function openTls(): Promise<Socket> {
  // The certificate is one of a moment, and the port one of this machine.
  const socket = connectTls({ port: ports.tls, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  return socket
}

/** Writes messages to as many connections as there are senders, as fast as they are taken. */
async function writeAll(messages: readonly Message[], open: () => Promise<Socket>): Promise<void> {
  const batches = splitIntoBatches(messages)[Symbol.iterator]()
  await Promise.all(Array.from({ length: Number(values.senders) }, async () => {
    const socket = await open()
    for (const batch of batches) {
      const isTaken = socket.write(batch.map((message) => `${printSyslog(message)}\n`).join(''))
      if (!isTaken) await once(socket, 'drain')
    }
    socket.end()
    await once(socket, 'close')
  }))
}

type LossOptions = { readonly rate: number; readonly seconds: number }

/** Sends datagrams at a rate, in portions of a few milliseconds, and says how many the server did not get. */
async function measureLoss(server: ServerProcess, connectorId: string, { rate, seconds }: LossOptions): Promise<void> {
  const messages = createMessages(rate * seconds, 'udp').map((message) => Buffer.from(printSyslog(message)))
  const before = { accepted: (await readBooks(server)).accepted, processorMs: server.usage().processorMs }
  const socket = createSocket('udp4')
  socket.connect(ports.udp, '127.0.0.1')
  await once(socket, 'connect')
  const failedBefore = await readFailedTotal(server, connectorId)
  const startedAt = performance.now()
  let sent = 0
  while (sent < messages.length) {
    const due = Math.min(messages.length, Math.ceil(((performance.now() - startedAt) / 1_000) * rate))
    const portion = messages.slice(sent, due)
    sent += portion.length
    await Promise.all(portion.map((bytes) => new Promise<void>((resolve, reject) => {
      socket.send(bytes, (error) => (error === null ? resolve() : reject(error)))
    })))
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  const tookMs = performance.now() - startedAt
  socket.close()
  const accepted = await untilStill(server) - before.accepted
  await untilDrained(server)
  // The kernel's count is read with each check, 15 seconds apart; a busy server is late with it.
  const lost = messages.length - accepted
  let counted = 0
  for (let waited = 0; waited < 60 && counted < lost; waited++) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    counted = await readFailedTotal(server, connectorId) - failedBefore
  }
  const processorUs = ((server.usage().processorMs - before.processorMs) / accepted) * 1_000
  printLine(`syslog over UDP: ${messages.length} sent at ${Math.round((sent / tookMs) * 1_000)} a second, ${lost} lost`
    + ` (${((lost / messages.length) * 100).toFixed(2)} %): ${counted} counted by the server;`
    + ` ${processorUs.toFixed(1)} µs of processor time an event that was not`)
}

/** Messages of a connector that are counted as failed: over UDP, those that the kernel or the server dropped. */
async function readFailedTotal({ origin, token }: ServerProcess, connectorId: string): Promise<number> {
  const answered = await fetch(`${origin}/v1/connectors/${connectorId}`, { headers: { authorization: `Bearer ${token}` } })
  const { stats } = (await answered.json()) as { readonly stats: { readonly events_failed_total: number } }
  return stats.events_failed_total
}

async function untilAccepted(server: ServerProcess, count: number): Promise<void> {
  const startedAt = performance.now()
  while ((await readBooks(server)).accepted < count) {
    if (performance.now() - startedAt > 600_000) throw new Error(`${count} events were not accepted in ten minutes`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Waits until nothing more comes; the events accepted by then. */
async function untilStill(server: ServerProcess): Promise<number> {
  for (let before = -1; ;) {
    const { accepted } = await readBooks(server)
    if (accepted === before) return accepted
    before = accepted
    await new Promise((resolve) => setTimeout(resolve, 2_000))
  }
}

function splitIntoBatches(messages: readonly Message[]): Message[][] {
  return Array.from({ length: Math.ceil(messages.length / batchSize) }, (_, n) => messages.slice(n * batchSize, (n + 1) * batchSize))
}

function formatMebibytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576)} MiB`
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
