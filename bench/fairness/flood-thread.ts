import { parentPort, workerData } from 'node:worker_threads'
import { Agent, request } from 'node:http'

// Sends batches of events at a rate, whatever the responses say, and one search after the other, until it is stopped. A
// thread of its own, so that the probes' thread is not delayed. Then it reports the responses by status.
const { origin, token, bodies, batchesPerSecond, batchesMax, search, senders } = workerData as FloodOptions

export type FloodOptions = {
  readonly origin: string
  readonly token: string
  readonly bodies: readonly Uint8Array[]
  readonly batchesPerSecond: number
  /** It ends after so many. */
  readonly batchesMax: number
  /** The path of the search that is repeated. */
  readonly search: string | undefined
  /** Requests under way at a time, at most. */
  readonly senders: number
}

export type FloodOutcome = {
  readonly statuses: readonly (readonly [status: number, count: number])[]
  readonly searchMs: readonly number[]
}

const agent = new Agent({ keepAlive: true, maxSockets: senders + 1 })
const statuses = new Map<number, number>()
const searchMs: number[] = []
let isStopped = false
let sentCount = 0
const startedAt = performance.now()

function call(method: string, path: string, body?: Uint8Array): Promise<number> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-length': body.length }) }
    const sent = request(`${origin}${path}`, { method, agent, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0)).on('error', () => resolve(0))
    })
    sent.on('error', () => resolve(0))
    sent.end(body)
  })
}

async function pause(lengthMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, lengthMs))
}

async function sendBatches(): Promise<void> {
  while ((!isStopped || batchesMax < Infinity) && sentCount < batchesMax) {
    const dueCount = Math.floor(((performance.now() - startedAt) / 1_000) * batchesPerSecond)
    if (sentCount >= dueCount) {
      await pause(2)
      continue
    }
    const status = await call('POST', '/ingest/v1/events', bodies[sentCount++ % bodies.length])
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
}

async function repeatSearch(): Promise<void> {
  while (!isStopped && search !== undefined) {
    const begunAt = performance.now()
    const status = await call('GET', search)
    if (status === 200) searchMs.push(performance.now() - begunAt)
    // A user may send ten requests a second.
    await pause(Math.max(0, 110 - (performance.now() - begunAt)))
  }
}

const running = Promise.all([repeatSearch(), ...Array.from({ length: senders }, sendBatches)])
parentPort?.once('message', () => {
  isStopped = true
  void running.then(() => {
    agent.destroy()
    parentPort?.postMessage({ statuses: [...statuses], searchMs } satisfies FloodOutcome)
  })
})
