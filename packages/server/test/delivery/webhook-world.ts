import { Webhook as Receiver } from 'standardwebhooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { WebhookSender } from '../../src/delivery/webhooks/webhook-sender.ts'
import { createWebhookConsumer } from '../../src/delivery/webhooks/webhook-consumer.ts'
import { getSecretContext } from '../../src/delivery/webhooks/send-delivery.ts'
import { createWebhookSecret } from '../../src/delivery/webhooks/sign-payload.ts'
import { openEgress } from '../../src/egress/egress.ts'
import type { Egress, EgressRequest } from '../../src/egress/egress.ts'
import { EgressError } from '../../src/egress/egress-error.ts'
import { limits } from '../../src/limits.ts'
import { openSecretBox } from '@tripline/model/access/secret-box'
import type { Webhook } from '@tripline/model/delivery/webhook'
import { openMemoryState } from '@tripline/state/test/open-memory-state'
import type { StateStore } from '@tripline/state/ports/state-store'
import { localPolicy, openFarServer, textOf } from '../ingestion/far-server.ts'
import type { FarServer } from '../ingestion/far-server.ts'
import { createManualTime } from '../ingestion/manual-time.ts'
import type { ManualTime } from '../ingestion/manual-time.ts'
import { auditKey, newAlertWith, tenantWith, webhookWith } from '@tripline/state/test/state-samples'

/** A request that a receiver got, as the library of Standard Webhooks verified it. */
export type ReceivedRequest = { readonly at: number; readonly path: string; readonly id: string; readonly body: { readonly data: { readonly id: string } } }

type Reply = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** When everything starts. The library compares with the real clock, so times are checked within its tolerance. */
const startMs = Date.now()

/** A sender on a manual clock with a receiver on this machine, and a state in memory. */
export class WebhookWorld {
  readonly state: StateStore
  readonly far: FarServer
  readonly time: ManualTime
  readonly received: ReceivedRequest[] = []
  /** Requests whose signature the library refused. */
  refusedCount = 0
  /** What the receiver answers, by path; 204 without one. */
  readonly replies = new Map<string, Reply>()
  readonly secrets = new Map<string, string>()
  readonly logLines: string[] = []
  readonly attempts: string[] = []
  /** Requests to hosts of these names never end until they are aborted. */
  readonly hanging = new Set<string>()
  sender: WebhookSender
  random = 0.5
  #openRequests = 0
  readonly #box = openSecretBox(Buffer.alloc(32, 7), (count) => Buffer.alloc(count, ++this.#randomCount))
  #randomCount = 0

  private constructor(state: StateStore, far: FarServer) {
    this.state = state
    this.far = far
    this.time = createManualTime(startMs, () => this.#openRequests === 0)
    far.answer = (request, response) => this.#receive(request, response)
    this.sender = this.openSender()
  }

  static async open(): Promise<WebhookWorld> {
    const state = await openMemoryState({ auditKey })
    for (const id of ['a', 'b']) await state.tenants.insert(tenantWith({ id }))
    return new WebhookWorld(state, await openFarServer((_request, response) => void response.end()))
  }

  async close(): Promise<void> {
    const stopping = this.sender.stop()
    await this.time.pass(limits.webhooks.closeMs)
    await stopping
    await this.state.close()
    await this.far.close()
  }

  openSender(): WebhookSender {
    const { time } = this
    const egress = openEgress(localPolicy, time)
    const counted: Egress = async (request) => {
      if (this.hanging.has(new URL(request.url).pathname)) return await this.#hang(request)
      this.#openRequests++
      try {
        return await egress(request)
      } finally {
        this.#openRequests--
      }
    }
    const log = { warn: (message: string) => void this.logLines.push(message) }
    return new WebhookSender({
      state: this.state, egressOf: () => counted, secrets: this.#box, publicUrl: 'https://console', clock: time, random: () => this.random, log,
      sleep: (lengthMs, signal) => time.sleep(lengthMs, signal).catch(() => undefined),
      onAttempt: (tenant, status) => void this.attempts.push(`${tenant} ${status}`),
    })
  }

  /** Creates a webhook that posts to a path of the receiver. */
  async register(path: string, change: Partial<Webhook> = {}, tenant = 'a'): Promise<string> {
    const id = `w${path}`
    const secret = createWebhookSecret((count) => Buffer.alloc(count, path))
    this.secrets.set(path, secret)
    const url = `${this.far.url}${path}`
    const events = ['alert.created', 'alert.updated'] as const
    await this.state.webhooks.insert(tenant, webhookWith({
      id, name: path, url, events, sealedSecret: this.#box.seal(getSecretContext(tenant, id), secret), ...change,
    }))
    return id
  }

  seal(tenant: string, id: string, secret: string): string {
    return this.#box.seal(getSecretContext(tenant, id), secret)
  }

  /** Creates alerts and has the consumer queue them, as the outbox does. */
  async raise(ids: readonly string[], tenant = 'a'): Promise<void> {
    const before = (await this.state.domainEvents.heads()).get(tenant) ?? 0
    await this.state.alerts.insert(tenant, ids.map((id) => newAlertWith({ id, dedupKey: id, source: 'windows-sysmon' })))
    await this.consume(before, tenant)
  }

  async consume(after: number, tenant = 'a'): Promise<void> {
    const { state, sender, time } = this
    const randomBytes = (count: number): Uint8Array => Buffer.alloc(count, `${++this.#randomCount}.`)
    const consumer = createWebhookConsumer({ state, sender, clock: time, randomBytes })
    const { events } = await state.domainEvents.read(tenant, after, 10_000)
    await consumer.handle(tenant, events, new AbortController().signal)
  }

  /** Ids of the alerts that a path received, in order. */
  idsAt(path: string): readonly string[] {
    return this.received.filter((request) => request.path === path).map(({ body }) => body.data.id)
  }

  /** Milliseconds between the requests that a path received. */
  gapsAt(path: string): readonly number[] {
    const times = this.received.filter((request) => request.path === path).map(({ at }) => at)
    return times.slice(1).map((at, i) => at - times[i]!)
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const text = await textOf(request)
    try {
      this.#verify(path, text, request)
    } catch {
      this.refusedCount++
      return void response.writeHead(401).end()
    }
    const { 'webhook-id': id } = request.headers
    this.received.push({ at: this.time.now(), path, id: String(id), body: JSON.parse(text) as ReceivedRequest['body'] })
    const reply = this.replies.get(path)
    if (reply === undefined) response.writeHead(204).end()
    else await reply(request, response)
  }

  /** The library refuses old timestamps; beyond its tolerance the signature and the time are compared instead. */
  #verify(path: string, text: string, request: IncomingMessage): void {
    const receiver = new Receiver(this.secrets.get(path)!)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    if (Math.abs(this.time.now() - Date.now()) < 200_000) return void receiver.verify(text, headers)
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
    const isSigned = (headers['webhook-signature'] ?? '').split(' ').includes(receiver.sign(headers['webhook-id'] ?? '', at, text))
    if (!isSigned || Math.abs(at.getTime() - this.time.now()) > 1_000) throw new Error('the signature or its time is wrong')
  }

  /** As the real one: it takes all of its time, or ends with the sender. */
  async #hang({ timeoutMs, signal }: EgressRequest): Promise<never> {
    await this.time.sleep(timeoutMs, signal ?? new AbortController().signal)
    throw new EgressError('timeout', 'the receiver did not respond completely')
  }
}
