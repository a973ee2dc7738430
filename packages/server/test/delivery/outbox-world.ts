import { openTestState } from '@tripline/detection/test/world'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { ruleWith } from '@tripline/state/test/state-samples'
import { setImmediate as pass } from 'node:timers/promises'
import type { EventConsumer } from '../../src/delivery/outbox/event-consumer.ts'
import type { OutboxBounds } from '../../src/delivery/outbox/consumer-feed.ts'
import { OutboxReader } from '../../src/delivery/outbox/outbox-reader.ts'
import { limits } from '../../src/limits.ts'
import { createLog } from '../../src/runtime/log.ts'

/** Sleepers on a clock that is moved by hand. */
export class ManualClock {
  nowMs = 0
  readonly #sleepers = new Set<{ readonly dueMs: number; readonly wake: () => void }>()

  readonly sleep = async (lengthMs: number, signal: AbortSignal): Promise<void> => {
    if (lengthMs === 0 || signal.aborted) return await pass()
    await new Promise<void>((resolve) => {
      const sleeper = { dueMs: this.nowMs + lengthMs, wake: resolve }
      this.#sleepers.add(sleeper)
      signal.addEventListener('abort', () => resolve())
    })
  }

  /** Lets time pass, and all that is due happen. */
  async pass(ms: number): Promise<void> {
    this.nowMs += ms
    for (const sleeper of this.#sleepers) {
      if (sleeper.dueMs > this.nowMs) continue
      this.#sleepers.delete(sleeper)
      sleeper.wake()
    }
    await settle()
  }
}

/** Lets all that is ready run to its end. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 60; i++) await pass()
}

/** A consumer that keeps what it got, and fails or hangs where a test says so. */
export class RecordingConsumer implements EventConsumer {
  readonly name: string
  readonly topic = 'alerts'
  /** The numbers of the events that were handled, by tenant. */
  readonly handled = new Map<TenantId, number[]>()
  readonly batchSizes: number[] = []
  /** The tenants of the batches that were handled, in order. */
  readonly turns: TenantId[] = []
  failOn: (tenant: TenantId, seqs: readonly number[]) => unknown = () => undefined
  hangOn: (tenant: TenantId) => boolean = () => false
  /** Hangs whatever the signal says. */
  isDeaf = false
  readonly #hanging: (() => void)[] = []

  constructor(name: string) {
    this.name = name
  }

  readonly handle: EventConsumer['handle'] = async (tenant, events, signal) => {
    const seqs = events.map(({ seq }) => seq)
    this.batchSizes.push(seqs.length)
    if (this.isDeaf) await new Promise(() => {})
    if (this.hangOn(tenant)) {
      await new Promise<void>((resolve) => {
        this.#hanging.push(resolve)
        signal.addEventListener('abort', () => resolve())
      })
      if (signal.aborted) throw new Error('the server stops')
    }
    const failure = this.failOn(tenant, seqs)
    if (failure !== undefined) throw failure
    this.turns.push(tenant)
    this.handled.set(tenant, [...this.handled.get(tenant) ?? [], ...seqs])
  }

  /** Lets batches that hang go on. */
  release(): void {
    this.hangOn = () => false
    for (const resolve of this.#hanging.splice(0)) resolve()
  }

  handledOf(tenant: TenantId): readonly number[] {
    return this.handled.get(tenant) ?? []
  }
}

/** An outbox with its reader, and consumers that record. */
export class OutboxWorld {
  readonly clock = new ManualClock()
  readonly logLines: string[] = []
  readonly state: StateStore
  readonly consumers: readonly RecordingConsumer[]
  readonly published: [TenantId, number][] = []
  reader!: OutboxReader
  readonly #bounds: OutboxBounds
  #life = { isOver: false }

  private constructor(state: StateStore, names: readonly string[], bounds: OutboxBounds) {
    this.state = state
    this.#bounds = bounds
    this.consumers = names.map((name) => new RecordingConsumer(name))
  }

  static async open(names: readonly string[], bounds: Partial<OutboxBounds> = {}): Promise<OutboxWorld> {
    const world = new OutboxWorld(await openTestState(), names, { ...limits.domainEvents, ...bounds })
    await world.start()
    return world
  }

  async start(state: StateStore = this.state): Promise<void> {
    const life = this.#life = { isOver: false }
    const whileAlive = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      if (life.isOver) throw new Error('the process is dead')
      return await work()
    }
    const log = createLog({ logLine: (line) => void this.logLines.push(line), now: () => 0 })
    this.reader = await OutboxReader.open({
      state: { ...state, transaction: (work) => whileAlive(() => state.transaction(work)) },
      consumers: this.consumers.map(({ name, topic, handle }) =>
        ({ name, topic, handle: (tenant, events, signal) => whileAlive(() => handle(tenant, events, signal)) })),
      sleep: this.clock.sleep, log, bounds: this.#bounds,
      onPublished: (tenant, count) => void this.published.push([tenant, count]),
    })
  }

  /** Starts again after a kill: what was not saved before is not. */
  async kill(): Promise<void> {
    this.#life.isOver = true
    const closing = this.reader.close()
    await this.clock.pass(2_000)
    await closing
    await this.start()
  }

  /** Publishes events of a tenant in one transaction. */
  async publish(tenant: TenantId, count: number): Promise<void> {
    await this.state.rules.put(tenant, Array.from({ length: count }, (_, i) => ruleWith({ id: `rule${i}` })))
  }

  /** The messages of the log. */
  get messages(): readonly string[] {
    return this.logLines.map((line) => String((JSON.parse(line) as { readonly message: unknown }).message))
  }
}

/** The numbers from one to another. */
export function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}
