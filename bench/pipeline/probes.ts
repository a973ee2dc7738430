import { startListeners } from './listeners.ts'
import type { ServerProcess } from './server-process.ts'

/** What was seen beside the load. */
export type ProbeOutcome = {
  /** Milliseconds from an event's 202 to its alert on the WebSocket. */
  readonly alertMs: readonly number[]
  readonly missingCount: number
  /** Milliseconds of requests that a console makes. */
  readonly requestMs: readonly number[]
  /** Requests of the console that were refused. */
  readonly refusedCount: number
  readonly clientCount: number
  readonly clientMessages: number
}

const everyMs = 100
const requests = ['/v1/alerts?limit=50', '/v1/detection/rules?size=50', '/v1/pipeline/metrics', '/v1/detection/metrics', '/v1/health']

/**
 * Sends an event ten times a second that makes an alert of its own, waits for it on a WebSocket, and asks what a console asks.
 * More clients only listen.
 */
export async function startProbes(
  { origin, token }: ServerProcess,
  listenerTokens: readonly string[],
): Promise<{ readonly stop: () => Promise<ProbeOutcome> }> {
  const sentAt = new Map<string, number>()
  const alertMs: number[] = []
  const requestMs: number[] = []
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const url = `${origin.replace('http', 'ws')}/v1/ws/monitoring`

  const socket = await openSocket(`${url}?token=${token}`, ['alerts', 'metrics'], (data) => {
    const { host = '' } = data
    const sent = sentAt.get(host)
    if (sent === undefined) return
    sentAt.delete(host)
    // An alert that comes before the answer to its event has been read took no time at all.
    alertMs.push(Math.max(0, performance.now() - sent))
  })
  const listeners = await startListeners(url, listenerTokens)

  const run = String(Date.now())
  let number = 0
  let refusedCount = 0
  const timers = [
    setInterval(() => {
      const host = `probe-${run}-${number++}`
      const body = JSON.stringify({ _logsource: { product: 'probe', service: 'bench' }, Probe: 'yes', host })
      sentAt.set(host, performance.now())
      fetch(`${origin}/ingest/v1/events`, { method: 'POST', headers, body }).then(async (answered) => {
        await answered.arrayBuffer()
        if (!answered.ok) sentAt.delete(host)
        else if (sentAt.has(host)) sentAt.set(host, performance.now())
      }).catch(() => void sentAt.delete(host))
    }, everyMs),
    setInterval(() => {
      const startedAt = performance.now()
      fetch(origin + requests[number % requests.length]!, { headers }).then(async (answered) => {
        await answered.arrayBuffer()
        if (answered.ok) requestMs.push(performance.now() - startedAt)
        // Under `--rate max` a probe may be told to wait like any other request.
        else refusedCount++
      }).catch((error: unknown) => void process.stderr.write(`${String(error)}\n`))
    }, everyMs),
  ]
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      socket.close()
      const clientMessages = await listeners.stop()
      return { alertMs, missingCount: sentAt.size, requestMs, refusedCount, clientCount: listeners.count, clientMessages }
    },
  }
}

function openSocket(url: string, topics: readonly string[], onAlert: (data: { readonly host?: string }) => void): Promise<WebSocket> {
  const socket = new WebSocket(url)
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as { type: string; data: { host?: string } }
    if (message.type === 'new_alert') onAlert(message.data)
  })
  return new Promise((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error(`${url.replace(/\?.*/, '')} could not be opened`)))
    socket.addEventListener('open', () => {
      socket.send(JSON.stringify({ action: 'subscribe', topics }))
      resolve(socket)
    })
  })
}
