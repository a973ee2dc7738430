import { openSecretBox } from '@tripline/model/access/secret-box'
import type { Channel, ChannelRoute, ChannelSecrets } from '@tripline/model/delivery/channel'
import type { ChannelMessage } from '@tripline/model/delivery/channel-message'
import { settingDefaults } from '@tripline/model/tenant-settings'
import type { NewAlert } from '@tripline/model/alert'
import { openMemoryState } from '@tripline/state/test/open-memory-state'
import type { StateStore } from '@tripline/state/ports/state-store'
import { auditKey, channelRouteWith, channelWith, newAlertWith, tenantWith } from '@tripline/state/test/state-samples'
import { createChannelConsumer } from '../../src/channels/channel-consumer.ts'
import { createChannelQueue } from '../../src/channels/channel-queue.ts'
import { getChannelSecretContext } from '../../src/channels/send-message.ts'
import { QueueSender } from '../../src/delivery/queue/queue-sender.ts'
import { openEgress } from '../../src/egress/egress.ts'
import type { Dial, Egress } from '../../src/egress/egress.ts'
import { limits } from '../../src/limits.ts'
import { localPolicy, openFarServer, textOf } from '../ingestion/far-server.ts'
import type { FarServer } from '../ingestion/far-server.ts'
import { createManualTime } from '../ingestion/manual-time.ts'
import type { ManualTime } from '../ingestion/manual-time.ts'

/** A request that the receiver got. */
type Received = { readonly at: number; readonly path: string; readonly key: string; readonly body: { readonly [name: string]: unknown } }

/** Routes, channels and their sender on a manual clock, with a receiver on this machine and a state in memory. */
export class ChannelWorld {
  readonly state: StateStore
  readonly far: FarServer
  readonly time: ManualTime
  readonly received: Received[] = []
  /** The status of answers by path; 204 without one. */
  readonly answers = new Map<string, number>()
  sender: QueueSender
  #openCount = 0
  #randomCount = 0
  readonly #randomBytes = (count: number): Uint8Array => Buffer.alloc(count, `${++this.#randomCount}.`)
  readonly #box = openSecretBox(Buffer.alloc(32, 7), this.#randomBytes)

  private constructor(state: StateStore, far: FarServer, startMs: number) {
    this.state = state
    this.far = far
    this.time = createManualTime(startMs, () => this.#openCount === 0)
    far.answer = async (request, response) => {
      const body = JSON.parse(await textOf(request)) as Received['body']
      const path = request.url ?? ''
      this.received.push({ at: this.time.now(), path, key: String(request.headers['idempotency-key']), body })
      response.writeHead(this.answers.get(path) ?? 204).end()
    }
    this.sender = this.#openSender()
  }

  /** @param startMs the first instant; the tenant is in Berlin. */
  static async open(startMs = Date.UTC(2026, 10, 20, 10)): Promise<ChannelWorld> {
    const state = await openMemoryState({ auditKey })
    for (const id of ['a', 'b']) await state.tenants.insert(tenantWith({ id, settings: { plan: 'pro', timezone: 'Europe/Berlin' } }))
    const world = new ChannelWorld(state, await openFarServer((_request, response) => void response.end()), startMs)
    await world.sender.start()
    return world
  }

  async close(): Promise<void> {
    await this.#stop()
    await this.state.close()
    await this.far.close()
  }

  /** Ends the sender without a word, as a kill does, and starts another one. */
  async restart(): Promise<void> {
    await this.#stop()
    this.sender = this.#openSender()
    await this.sender.start()
  }

  async #stop(): Promise<void> {
    const stopping = this.sender.stop()
    await this.time.pass(limits.webhooks.closeMs)
    await stopping
  }

  #openSender(): QueueSender {
    const { time } = this
    const egress = openEgress(localPolicy, { elapsedMs: time.elapsedMs, resolve: () => Promise.resolve(['127.0.0.1']) })
    const counted: Egress = async (request) => {
      this.#openCount++
      try {
        return await egress(request)
      } finally {
        this.#openCount--
      }
    }
    const dial: Dial = async (request) => {
      this.#openCount++
      try {
        const socket = await egress.dial(request)
        this.#openCount++
        socket.once('close', () => void this.#openCount--)
        return socket
      } finally {
        this.#openCount--
      }
    }
    return new QueueSender({
      queue: createChannelQueue({
        state: this.state, networkOf: () => ({ egress: counted, dial }), readAttachments: () => Promise.resolve([]), secrets: this.#box,
        publicUrl: 'https://console.example', clock: time,
      }),
      clock: time, random: () => 0.5, log: { warn() {} },
      sleep: (lengthMs, signal) => time.sleep(lengthMs, signal).catch(() => undefined),
    })
  }

  /** Creates a webhook channel that posts to a path of the receiver, or another one. */
  async addChannel(id: string, change: Partial<Channel> = {}, secrets: ChannelSecrets = { url: `${this.far.url}/${id}` }): Promise<void> {
    const sealedSecrets = this.#box.seal(getChannelSecretContext('a', id), JSON.stringify(secrets))
    await this.state.channels.insert('a', channelWith({ id, name: id, settings: { type: 'webhook', template: '' }, sealedSecrets, ...change }))
  }

  async addRoute(change: Partial<ChannelRoute>): Promise<void> {
    await this.state.channelRoutes.insert('a', channelRouteWith({ channelIds: ['soc'], ...change }))
  }

  /** Creates alerts and has the consumer queue them, as the outbox does. */
  async raise(ids: readonly string[], change: Partial<NewAlert> = {}): Promise<void> {
    const before = (await this.state.domainEvents.heads()).get('a') ?? 0
    await this.state.alerts.insert('a', ids.map((id) => newAlertWith({ id, dedupKey: id, ruleTitle: `Rule of ${id}`, level: 'high', ...change })))
    await this.consume(before)
  }

  /** Gives the consumer the events after a number. */
  async consume(after: number): Promise<void> {
    const { state, sender, time } = this
    const consumer = createChannelConsumer({ state, settingDefaults, sender, clock: time, randomBytes: this.#randomBytes })
    const { events } = await state.domainEvents.read('a', after, 10_000)
    await consumer.handle('a', events, new AbortController().signal)
    await time.settle()
  }

  /** The titles that a path received, in order. */
  titlesAt(path: string): readonly unknown[] {
    return this.received.filter((request) => request.path === `/${path}`).map(({ body }) => body['title'])
  }

  /** The titles of the alerts in each message that a path received. */
  noticesAt(path: string): readonly unknown[] {
    const bodies = this.received.filter((request) => request.path === `/${path}`).map(({ body }) => body)
    return bodies.map(({ notices }) => (notices as readonly { readonly title: string }[]).map(({ title }) => title))
  }

  /** What became of the messages of a channel, oldest first. */
  async log(channelId: string): Promise<readonly ChannelMessage[]> {
    const { entries } = await this.state.channelMessages.list('a', { limit: 100 })
    return entries.filter((message) => message.channelId === channelId).toSorted((one, other) => one.createdAt - other.createdAt)
  }
}
