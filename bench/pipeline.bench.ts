/**
 * The whole server, as a process of its own, from the socket to the alert on a WebSocket:
 *
 *     node bench/pipeline.bench.ts [--rate 5000] [--seconds 20] [--data ../shared/data] [--clients 0]
 *         [--batch 200] [--senders 8] [--profile <folder>] [--warm-up 3]
 *
 * Events that were recorded are offered over HTTP at `--rate` events a second, `max` for as many as are taken, all
 * rules enabled. Told are: events taken a second; milliseconds to the 202 (p50, p99), from when a batch was due; from
 * an event's 202 to its alert on a WebSocket, for events that are sent ten times a second for this; of requests that a
 * console makes meanwhile; memory; processor time. Afterwards the books must balance: every accepted event was
 * evaluated. `--clients` more WebSockets listen to alerts, 499 of them to those of the load's tenant. Beside it, in the
 * same run: the same bodies to a bare server of `node:http` that parses each line, and JSON.parse alone. With
 * `--profile` the server leaves a profile of its processor time there. The load is made on the same machine, so a
 * server of its own takes more.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openBenchFolder } from './bench-folder.ts'
import { openFeed } from './events/event-feed.ts'
import { untilDrained } from './pipeline/books.ts'
import { createListenerTokens } from './pipeline/listeners.ts'
import { offerLoad, computePercentile } from './pipeline/offer-load.ts'
import type { LoadOutcome } from './pipeline/offer-load.ts'
import { startProbes } from './pipeline/probes.ts'
import { startServerProcess } from './pipeline/server-process.ts'
import type { ServerProcess } from './pipeline/server-process.ts'
import { writeRules } from './pipeline/write-rules.ts'

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '20' },
    data: { type: 'string', default: join('..', 'shared', 'data') },
    clients: { type: 'string', default: '0' },
    batch: { type: 'string', default: '200' },
    senders: { type: 'string', default: '8' },
    profile: { type: 'string' },
    'warm-up': { type: 'string', default: '3' },
  },
})
const seconds = Number(values.seconds)
const batchSize = Number(values.batch)
const eventsPerSecond = values.rate === 'max' ? undefined : Number(values.rate)
const eventCount = Math.ceil((eventsPerSecond ?? 20_000) * seconds)
/** Events that come before the measured ones: of a program that has just started nothing is compiled. */
const warmUpCount = Math.ceil((eventsPerSecond ?? 20_000) * Number(values['warm-up']))

const { folder, removeFolder } = openBenchFolder('pipeline')
try {
  await run()
} finally {
  removeFolder()
}

async function run(): Promise<void> {
  const ruleCount = writeRules(join(folder, 'rules'), values.data)
  const feed = openFeed(values.data, eventCount + warmUpCount, { startsAt: Date.now() - 60_000, days: (seconds / 86_400) })
  const batches = [...feed.batches(batchSize)].map((batch) => ({
    body: Buffer.concat(batch.flatMap(({ bytes }) => [bytes, Buffer.from('\n')])), count: batch.length,
  }))
  const bytesPerEvent = batches.reduce((sum, { body }) => sum + body.length, 0) / (eventCount + warmUpCount)
  printLine(`${ruleCount} rules, ${eventCount} ${feed.name} events of ${Math.round(bytesPerEvent)} bytes`)

  const parseMs = timeParsing(batches.slice(0, 50))
  printLine(`JSON.parse alone: ${(1_000 / parseMs).toFixed(0)} events/s, ${(parseMs * 1_000).toFixed(1)} µs each`)
  const bare = await offerToBareServer(batches)
  printLine(`bare node:http with JSON.parse: ${formatRate(bare)} events/s`)
  printLine(`202 of it: p50 ${formatMilliseconds(bare.acknowledgedMs, 50)} p99 ${formatMilliseconds(bare.acknowledgedMs, 99)}`)

  const server = await startServerProcess(join(folder, 'data'), join(folder, 'rules'), {
    nodeOptions: values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`],
  })
  printLine(`ready after ${Math.round(server.readyMs)} ms`)
  try {
    await measure(server, batches, { parseMs, bare })
  } finally {
    await server.stop()
  }
}

type Batch = { readonly body: Buffer; readonly count: number }
type Yardsticks = { readonly parseMs: number; readonly bare: LoadOutcome }

/** Offers the load to a server, and prints what it took. */
async function measure(server: ServerProcess, batches: Batch[], { parseMs, bare }: Yardsticks): Promise<void> {
  const senders = Number(values.senders)
  const warmUp = batches.splice(0, Math.ceil(warmUpCount / batchSize))
  await offerLoad({ ...server, batches: warmUp, eventsPerSecond, senders })
  await untilDrained(server)
  const probes = await startProbes(server, await createListenerTokens(join(folder, 'data'), Number(values.clients)))
  const before = server.usage().processorMs
  const outcome = await offerLoad({ ...server, batches, eventsPerSecond, senders })
  const drainedMs = await untilDrained(server)
  const found = await probes.stop()
  const usage = server.usage()
  printLine(`taken: ${formatRate(outcome)} events/s, ${outcome.refusedCount} batches told to wait`)
  printLine(`all evaluated ${Math.round(drainedMs)} ms after the last 202`)
  printLine(`202: p50 ${formatMilliseconds(outcome.acknowledgedMs, 50)} p99 ${formatMilliseconds(outcome.acknowledgedMs, 99)}`)
  const alertCount = `${found.alertMs.length} (${found.missingCount} never came)`
  const { alertMs, requestMs } = found
  printLine(`202 to alert on the WebSocket: p50 ${formatMilliseconds(alertMs, 50)} p99 ${formatMilliseconds(alertMs, 99)} of ${alertCount}`)
  const requestTimes = `p50 ${formatMilliseconds(requestMs, 50)} p95 ${formatMilliseconds(requestMs, 95)}`
  printLine(`console requests meanwhile: ${requestTimes} of ${requestMs.length}, ${found.refusedCount} refused`)
  if (found.clientCount > 0) printLine(`${found.clientCount} more WebSocket clients got ${found.clientMessages} messages`)
  const processorMs = (usage.processorMs - before) / outcome.acceptedCount
  printLine(`processor time: ${(processorMs * 1_000).toFixed(1)} µs an event, ${(processorMs / parseMs).toFixed(1)} times JSON.parse`)
  printLine(`memory: ${formatMebibytes(usage.residentBytes)} resident, ${formatMebibytes(usage.residentPeakBytes)} at most`)
  printLine(`ratio to the bare server: ${((outcome.acceptedCount / outcome.wallMs) / (bare.acceptedCount / bare.wallMs)).toFixed(2)}`)
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

function formatRate({ acceptedCount, wallMs }: LoadOutcome): number {
  return Math.round((acceptedCount / wallMs) * 1_000)
}

function formatMilliseconds(values: readonly number[], percent: number): string {
  const value = computePercentile(values, percent)
  return value === undefined ? '-' : `${value.toFixed(1)} ms`
}

function formatMebibytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576)} MiB`
}

/** Milliseconds that parsing an event takes, lines of bytes to objects. */
function timeParsing(batches: readonly { readonly body: Buffer; readonly count: number }[]): number {
  const startedAt = performance.now()
  let count = 0
  for (let round = 0; round < 3; round++) {
    for (const { body } of batches) {
      for (const line of body.toString('utf8').trimEnd().split('\n')) {
        JSON.parse(line)
        count++
      }
    }
  }
  return (performance.now() - startedAt) / count
}

/** The same bodies to a server that parses each line and says so. */
async function offerToBareServer(batches: readonly { readonly body: Buffer; readonly count: number }[]): Promise<LoadOutcome> {
  const bare = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
      const lines = Buffer.concat(chunks).toString('utf8').trimEnd().split('\n')
      for (const line of lines) JSON.parse(line)
      response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify({ accepted: lines.length }))
    })
  }).listen(0, '127.0.0.1')
  await once(bare, 'listening')
  const address = bare.address()
  const port = typeof address === 'object' ? address?.port : undefined
  try {
    const origin = `http://127.0.0.1:${port}`
    return await offerLoad({ origin, token: '', batches, eventsPerSecond: undefined, senders: Number(values.senders) })
  } finally {
    bare.closeAllConnections()
    bare.close()
  }
}
