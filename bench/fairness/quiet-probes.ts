import { request } from 'node:http'

/** Milliseconds that a quiet tenant waited: for the 202 of an event, for its alert, for a search. */
export type ProbeOutcome = {
  readonly ackMs: readonly number[]
  /** From sending an event to its alert on a WebSocket. */
  readonly alertMs: readonly number[]
  readonly searchMs: readonly number[]
  /** Events without an alert. */
  readonly missingCount: number
  /** Responses that were not a success. */
  readonly refusedCount: number
}

export type ProbeOptions = {
  readonly origin: string
  readonly token: string
  readonly durationMs: number
  readonly eventEveryMs: number
  readonly searchEveryMs: number
  readonly search: string
}

/** Sends events that each create an alert, waits for the alerts, and searches, for some time. */
export async function probe({ origin, token, durationMs, eventEveryMs, searchEveryMs, search }: ProbeOptions): Promise<ProbeOutcome> {
  const sentAt = new Map<string, number>()
  const [ackMs, alertMs, searchMs]: [number[], number[], number[]] = [[], [], []]
  let refusedCount = 0
  const close = await openAlertSocket(origin, token, (host) => {
    const at = sentAt.get(host)
    if (at === undefined) return
    sentAt.delete(host)
    alertMs.push(performance.now() - at)
  })
  const run = Date.now()
  const sending: Promise<void>[] = []
  const measure = async (into: number[], method: string, path: string, body?: string): Promise<void> => {
    const startedAt = performance.now()
    const status = await call(`${origin}${path}`, { method, token, body })
    if (status === 200 || status === 202) into.push(performance.now() - startedAt)
    else refusedCount++
  }
  let number = 0
  const endAt = performance.now() + durationMs
  const repeat = async (everyMs: number, once: () => void): Promise<void> => {
    for (let dueAt = performance.now(); dueAt < endAt; dueAt += everyMs) {
      await pause(Math.max(0, dueAt - performance.now()))
      once()
    }
  }
  await Promise.all([
    repeat(eventEveryMs, () => {
      const host = `quiet-${run}-${number++}`
      sentAt.set(host, performance.now())
      const body = JSON.stringify({ _logsource: { product: 'probe', service: 'bench' }, Probe: 'yes', host })
      sending.push(measure(ackMs, 'POST', '/ingest/v1/events', body))
    }),
    repeat(searchEveryMs, () => sending.push(measure(searchMs, 'GET', search))),
  ])
  await Promise.all(sending)
  for (let waitedMs = 0; sentAt.size > 0 && waitedMs < 30_000; waitedMs += 50) await pause(50)
  close()
  return { ackMs, alertMs, searchMs, missingCount: sentAt.size, refusedCount }
}

async function pause(lengthMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, lengthMs))
}

function call(url: string, { method, token, body }: { method: string; token: string; body: string | undefined }): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = request(url, { method, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0)).on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Calls with the host of each new alert; returns what closes the socket. */
function openAlertSocket(origin: string, token: string, onAlert: (host: string) => void): Promise<() => void> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/v1/ws/monitoring?token=${token}`)
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as { readonly type: string; readonly data: { readonly host?: string } }
    if (message.type === 'new_alert') onAlert(message.data.host ?? '')
  })
  return new Promise((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error('the WebSocket of the probes could not be opened')))
    socket.addEventListener('open', () => {
      socket.send(JSON.stringify({ action: 'subscribe', topics: ['alerts'] }))
      resolve(() => socket.close())
    })
  })
}
