import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { WebSocket } from 'ws'
import type { ClientOptions } from 'ws'
import type { z } from 'zod'
import { pushDataSchemas, pushEnvelopeSchema } from '@tripline/contract/push/push'
import type { PushData } from '@tripline/contract/push/push'
import { countRequest } from '../../src/access/authenticate-request.ts'
import { createConsoleLimiter } from '../../src/access/rate-limiter.ts'
import { unauthorized } from '../../src/access/tokens/token-principal.ts'
import type { TokenPrincipal } from '../../src/access/tokens/token-principal.ts'
import { pushRoutes } from '../../src/areas/push/push-routes.ts'
import type { CloseCode } from '../../src/delivery/push/close-codes.ts'
import { PushHub } from '../../src/delivery/push/hub.ts'
import type { EventMessage } from '../../src/delivery/push/event-feed.ts'
import { toAlertMessage, toChangeMessage } from '../../src/delivery/push/replay.ts'
import type { AlertNotification, ChangeNotification } from '../../src/delivery/push/replay.ts'
import { createSocketServer } from '../../src/delivery/push/socket.ts'
import type { Socket } from '../../src/delivery/push/socket.ts'
import { Tickets } from '../../src/delivery/push/ticket.ts'
import { accessLog } from '../../src/http/middleware/access-log.ts'
import { errorHandler } from '../../src/http/middleware/errors.ts'
import { requestScope } from '../../src/http/middleware/request-scope.ts'
import type { Env } from '../../src/http/route.ts'
import { createLog } from '../../src/runtime/log.ts'
import { createTestRuntime } from '../open-test-server.ts'
import type { TestRuntime } from '../open-test-server.ts'

/** A server message, validated against the contract. */
export type Received = {
  readonly type: string
  readonly timestamp: string
  /** Of messages about changes. */
  readonly id?: string | undefined
  readonly data: unknown
}

export function readReceived(text: string): Received {
  const message = pushEnvelopeSchema.parse(JSON.parse(text))
  const schema = new Map<string, z.ZodType>(Object.entries(pushDataSchemas)).get(message.type)
  return { ...message, data: schema?.parse(message.data) }
}

export const consoleOrigin = 'https://console.example'

const metrics = { ingestion_rate: 0, normalization_latency_p99: 1.5, alerts_last_minute: 0, queue_consumer_lag_total: 7 }

/** The part of the server that push uses: a manual clock, tokens by name, alerts in a list. */
export class PushWorld {
  readonly io: TestRuntime
  readonly hub: PushHub
  readonly tickets: Tickets
  readonly #limiter = createConsoleLimiter()
  /** The principals of tokens. */
  readonly identities = new Map<string, TokenPrincipal>()
  /** Subjects whose tokens are no longer valid. */
  readonly revoked = new Set<string>()
  /** Stored alerts, by tenant, in order. */
  readonly alerts = new Map<string, AlertNotification[]>()
  pauseCount = 0
  #elapsedMs = 0
  #metricsReadCount = 0
  #answers: Promise<void> = Promise.resolve()

  constructor() {
    this.io = Object.assign(createTestRuntime(), { elapsedMs: () => this.#elapsedMs })
    this.hub = new PushHub({
      io: this.io,
      log: createLog(this.io),
      isSessionValid: this.stands,
      readAlertsSince: async (tenant, since, limit) => {
        await this.#answers
        const stored = this.alerts.get(tenant) ?? []
        if ('at' in since) return stored.filter(({ createdAt }) => createdAt >= since.at).slice(0, limit)
        const index = stored.findIndex(({ data }) => data.alert_id === since.alertId)
        return index < 0 ? undefined : stored.slice(index + 1, index + 1 + limit)
      },
      readEventsSince: async () => undefined,
      getLastEventId: () => 'evt_7',
      readMetrics: (tenant) => this.readMetrics(tenant),
      pause: async () => {
        this.pauseCount++
        await new Promise((resolve) => setImmediate(resolve))
      },
    })
    this.tickets = new Tickets(this.io)
  }

  /** Metrics that count how often they were read. */
  readMetrics = (tenant: string): PushData<'metrics_update'> =>
    ({ ...metrics, alerts_last_minute: ++this.#metricsReadCount, ingestion_rate: tenant.length })

  passWithoutTick(ms: number): void {
    this.io.nowMs += ms
    this.#elapsedMs += ms
  }

  /** Blocks the store's responses until released. */
  holdAnswers(): void {
    this.#answers = new Promise((resolve) => (this.letAnswersGo = resolve))
  }

  letAnswersGo = (): void => {}

  /** Lets all pending microtasks and immediates run. */
  async settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
  }

  readonly stands = async ({ subject }: TokenPrincipal): Promise<boolean> => {
    if (subject === 'broken') throw new Error('the store is gone')
    return !this.revoked.has(subject)
  }

  readonly count = ({ tenant, subject } = this.identity()): void =>
    void countRequest({ limiter: this.#limiter, clock: this.io }, { tenant, user: subject })

  readonly authenticate = async (token: string): Promise<TokenPrincipal> => {
    const identity = this.identities.get(token)
    if (identity === undefined) throw unauthorized()
    return identity
  }

  /** A user who may read; their token is `token:subject@tenant`. */
  identity(subject = 'ann', tenant = 'acme', change: Partial<TokenPrincipal> = {}): TokenPrincipal {
    const session = { id: `s-${subject}`, permissionsVersion: 1 }
    const identity: TokenPrincipal = { tenant, subject, roles: ['viewer'], expiresAt: this.io.nowMs + 900_000, session, ...change }
    this.identities.set(`token:${subject}@${tenant}`, identity)
    return identity
  }

  /** Stores an alert and publishes it. */
  async raise(tenant: string, alertId: string): Promise<void> {
    await this.hub.push(tenant, toAlertMessage(this.store(tenant, alertId)))
  }

  store(tenant: string, alertId: string): AlertNotification {
    const news = { createdAt: this.io.nowMs, data: alertData(alertId) }
    this.alerts.set(tenant, [...(this.alerts.get(tenant) ?? []), news])
    return news
  }

  /** Advances the time; the hub ticks at each interval, 100 ms by default as in the server. */
  pass(ms: number, stepMs = 100): void {
    for (let passed = 0; passed < ms; passed += stepMs) {
      this.passWithoutTick(stepMs)
      this.hub.tick()
    }
  }
}

let changeCount = 0

/** The message of a change that no other message has told. */
export function changeMessage<Type extends ChangeNotification['type']>(type: Type, data: PushData<Type>): EventMessage {
  const change = { type, at: 0, data, eventId: `evt_${++changeCount}` } as ChangeNotification
  return toChangeMessage(change)
}

export function alertData(alertId: string): PushData<'new_alert'> {
  const facts = { rule_id: 'rule1', user: 'alice', source: 'sysmon', tactics: ['execution'], status: 'open', event_count: 1 } as const
  const alert = { alert_id: alertId, severity: 'high', rule_title: 'Encoded PowerShell', host: 'ws-1' } as const
  return { ...alert, ...facts, tactics: [...facts.tactics], created_at: '2026-11-20T10:00:00.000Z' }
}

/** A recording client socket; `bufferedCount` is what a slow reader has not read. */
export class TestWire implements Socket {
  readonly sent: string[] = []
  /** The bytes of each message, as passed on. */
  readonly sentBytes: Uint8Array[] = []
  pingCount = 0
  bufferedCount = 0
  closing: CloseCode | undefined

  readonly send = (bytes: Uint8Array): void => {
    this.sentBytes.push(bytes)
    this.sent.push(Buffer.from(bytes).toString('utf8'))
  }

  readonly bufferedBytes = (): number => this.bufferedCount
  readonly ping = (): void => void this.pingCount++
  readonly close = (closing: CloseCode): void => void (this.closing ??= closing)

  /** The messages since the last call. */
  take(): Received[] {
    return this.sent.splice(0).map(readReceived)
  }
}

/** The routes of push, and nothing else, on a socket. */
export type PushServer = { readonly url: string; readonly close: () => Promise<void> }

export async function listen(world: PushWorld): Promise<PushServer> {
  const { io, hub, tickets, authenticate, stands, count } = world
  const log = createLog(io)
  const http = new Hono<Env>()
  http.use(requestScope(io))
  http.use(accessLog(log, io))
  http.onError(errorHandler({ log, clock: io }))
  const access = { tickets, authenticate, isStillValid: stands, count }
  for (const route of pushRoutes({ hub, access, allowedOrigins: [consoleOrigin], log })) {
    http.on(route.method, route.path, async (c, next) => {
      c.set('route', route)
      await next()
    }, route.handle)
  }
  const listener = createAdaptorServer({ fetch: http.fetch, websocket: { server: createSocketServer() } })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      hub.stop()
      listener.close()
      await once(listener, 'close')
    },
  }
}

/** A client on a real socket. */
export class PushClient {
  readonly socket: WebSocket
  readonly closed: Promise<number>
  readonly #received: Received[] = []
  #wake = (): void => {}
  #ackCount = 0

  constructor(server: PushServer, query = '', options: ClientOptions & { readonly protocols?: readonly string[] } = {}) {
    const { protocols = [], ...others } = options
    this.socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/ws/monitoring${query}`, [...protocols], others)
    this.socket.on('message', (data: Buffer) => {
      this.#received.push(readReceived(data.toString('utf8')))
      this.#wake()
    })
    this.closed = new Promise((resolve) => this.socket.on('close', (code) => {
      resolve(code)
      this.#wake()
    }))
    // A refused upgrade is reported as an error with its status; it ends with code 1006.
    this.socket.on('error', () => {})
  }

  static async open(server: PushServer, query = '?token=token:ann@acme'): Promise<PushClient> {
    const client = new PushClient(server, query)
    await once(client.socket, 'open')
    return client
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message))
  }

  subscribe(...topics: string[]): void {
    this.send({ action: 'subscribe', topics })
  }

  async next(): Promise<Received> {
    for (;;) {
      const received = this.#received.shift()
      if (received !== undefined) return received
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error('the connection is closed')
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  /** All messages before the response to a message that is sent now. */
  async settle(): Promise<Received[]> {
    const id = `settle-${++this.#ackCount}`
    this.send({ action: 'subscribe', topics: [], id })
    const before: Received[] = []
    for (;;) {
      const received = await this.next()
      if (received.type === 'subscribed' && JSON.stringify(received.data).includes(id)) return before
      before.push(received)
    }
  }
}
