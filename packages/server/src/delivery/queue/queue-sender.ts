import { getErrorMessage } from '@tripline/common/error-message'
import { limits } from '../../limits.ts'
import type { TenantId } from '@tripline/model/tenant'
import { judgeAttempt } from '@tripline/model/delivery/webhook-delivery'
import type { AttemptOutcome, AttemptResult, DeliveryReason, DeliveryStatus } from '@tripline/model/delivery/webhook-delivery'
import type { Log } from '@tripline/common/log'
import type { Clock } from '@tripline/common/runtime'
import { DeliverySlots } from './delivery-slots.ts'

/** A queue in the state, and how one of its deliveries is made. */
export type SendQueue = {
  /** What receives, in log lines: `webhook`, `channel`. */
  readonly kind: string
  /** The receivers of all tenants with pending deliveries, and when the first of them is due. */
  readonly listWaiting: () => Promise<readonly { readonly tenant: TenantId; readonly receiver: string; readonly dueAt: number }[]>
  /** Pending deliveries of a receiver by the time at which they are due. */
  readonly listPending: (
    tenant: TenantId, receiver: string, limit: number,
  ) => Promise<readonly { readonly id: string; readonly dueAt: number }[]>
  /** Opens a delivery for an attempt; undefined where there is nothing to do any more. */
  readonly open: (tenant: TenantId, receiver: string, id: string) => Promise<OpenedDelivery | undefined>
}

type OpenedDelivery = {
  readonly attempt: number
  readonly reason: DeliveryReason
  /** Makes an attempt; throws only for errors of this server. */
  readonly send: (signal: AbortSignal) => Promise<AttemptResult>
  /** Stores what came of it. */
  readonly record: (outcome: AttemptOutcome) => Promise<void>
}

export type QueueSenderOptions = {
  readonly queue: SendQueue
  readonly clock: Clock
  /** Resolves after some milliseconds, or at once when the signal aborts. */
  readonly sleep: (lengthMs: number, signal: AbortSignal) => Promise<void>
  /** A number in [0, 1). */
  readonly random: () => number
  readonly log: Pick<Log, 'warn'>
  /** Called for each attempt whose outcome is stored. */
  readonly onAttempt?: (tenant: TenantId, status: DeliveryStatus) => void
}

/** What is known of a receiver with pending deliveries. */
type Lane = {
  readonly tenant: TenantId
  readonly receiver: string
  /** When the next delivery that is not here is due; infinite where there is none. */
  dueAt: number
  /** Deliveries that are due, and those under way. */
  ready: string[]
  readonly active: Set<string>
  isReading: boolean
  /** Whether the last attempt failed. */
  isFailing: boolean
  /** How many attempts may be made at once: one more after each success, one after a failure. */
  width: number
}

/**
 * Sends what is queued for receivers. The queue is in the state, so a kill loses nothing; here is only which receivers have
 * something due. Tenants take turns, and within one its receivers do. A receiver begins with one attempt at once and gets more
 * with each success, as in slow start of TCP; each tenant has bounds of its own, so that a receiver that hangs or is gone delays
 * no other.
 */
export class QueueSender {
  readonly #options: QueueSenderOptions
  readonly #slots = new DeliverySlots({ tenantMax: limits.webhooks.tenantAtOnceMax, serverMax: limits.webhooks.serverAtOnceMax })
  /** In the order of their turns. */
  readonly #tenants = new Map<TenantId, Map<string, Lane>>()
  readonly #stop = new AbortController()
  readonly #abort = new AbortController()
  readonly #running = new Set<Promise<void>>()
  #waking = new AbortController()
  #loop: Promise<void> | undefined

  constructor(options: QueueSenderOptions) {
    this.#options = options
  }

  /** Continues what an earlier process left, and sends what comes. */
  async start(): Promise<void> {
    const waiting = await this.#options.queue.listWaiting()
    for (const { tenant, receiver, dueAt } of waiting) this.#note(tenant, receiver, dueAt)
    this.#loop = this.#run()
  }

  /** A receiver has a delivery that is due then. */
  wake(tenant: TenantId, receiver: string, dueAt: number): void {
    this.#note(tenant, receiver, dueAt)
    this.#waking.abort()
  }

  /** Receivers of a tenant with pending deliveries whose last attempt failed. */
  countFailing(tenant: TenantId): number {
    return [...this.#tenants.get(tenant)?.values() ?? []].filter(({ isFailing }) => isFailing).length
  }

  /** Whether nothing is due or under way. */
  get isIdle(): boolean {
    const now = this.#options.clock.now()
    return this.#running.size === 0 && [...this.#lanes()].every(({ dueAt, ready }) => dueAt > now && ready.length === 0)
  }

  /** Starts nothing more, waits for a while for attempts under way, then aborts them; they are made again after a start. */
  async stop(): Promise<void> {
    this.#stop.abort()
    const ended = new AbortController()
    const ending = Promise.all([this.#loop, ...this.#running]).then(() => ended.abort())
    await this.#options.sleep(limits.webhooks.closeMs, ended.signal)
    this.#abort.abort()
    await ending
  }

  #note(tenant: TenantId, receiver: string, dueAt: number): void {
    const lanes = this.#tenants.get(tenant) ?? new Map<string, Lane>()
    this.#tenants.set(tenant, lanes)
    const lane = lanes.get(receiver)
    if (lane !== undefined) lane.dueAt = Math.min(lane.dueAt, dueAt)
    else lanes.set(receiver, { tenant, receiver, dueAt, ready: [], active: new Set(), isReading: false, isFailing: false, width: 1 })
  }

  * #lanes(): Generator<Lane> {
    for (const lanes of this.#tenants.values()) yield* lanes.values()
  }

  async #run(): Promise<void> {
    const { clock, sleep } = this.#options
    while (!this.#stop.signal.aborted) {
      this.#waking = new AbortController()
      this.#startAll()
      // What is due already waits for a slot or a read, whose end wakes this up.
      const now = clock.now()
      const coming = [...this.#lanes()].map(({ dueAt }) => dueAt).filter((dueAt) => dueAt > now)
      const waitMs = coming.reduce((least, dueAt) => Math.min(least, dueAt - now), limits.webhooks.lookMs)
      await sleep(waitMs, AbortSignal.any([this.#stop.signal, this.#waking.signal]))
    }
  }

  /** Starts a delivery of each tenant in turn, as long as one has a receiver that may get something. */
  #startAll(): void {
    if (this.#stop.signal.aborted) return
    for (let hasStarted = true; hasStarted;) {
      hasStarted = false
      // A copy: who had a turn goes to the end.
      for (const [tenant, lanes] of Array.from(this.#tenants)) {
        const lane = this.#findStartable(lanes)
        if (lane === undefined) continue
        hasStarted = true
        // Behind the others, for the next turn.
        lanes.delete(lane.receiver)
        lanes.set(lane.receiver, lane)
        this.#tenants.delete(tenant)
        this.#tenants.set(tenant, lanes)
        this.#track(this.#deliver(lane, lane.ready.shift()!, lane.isFailing))
      }
    }
  }

  /** The next receiver with a delivery and a slot, which is taken; reads what is due of those that have run out. */
  #findStartable(lanes: Map<string, Lane>): Lane | undefined {
    const now = this.#options.clock.now()
    for (const lane of lanes.values()) {
      const { tenant, ready, active, dueAt, isReading, isFailing, width } = lane
      if (ready.length === 0 && dueAt === Infinity && active.size === 0 && !isReading) lanes.delete(lane.receiver)
      if (active.size >= width) continue
      if (ready.length === 0 && dueAt <= now && !isReading) this.#track(this.#readDue(lane))
      if (ready.length > 0 && this.#slots.tryTake(tenant, isFailing)) return lane
    }
    if (lanes.size === 0) this.#dropEmpty(lanes)
    return undefined
  }

  #dropEmpty(lanes: Map<string, Lane>): void {
    for (const [tenant, known] of this.#tenants) if (known === lanes) this.#tenants.delete(tenant)
  }

  async #readDue(lane: Lane): Promise<void> {
    const { queue, clock, log } = this.#options
    lane.isReading = true
    lane.dueAt = Infinity
    try {
      const limit = limits.webhooks.readAtOnceMax + lane.active.size
      const pending = await queue.listPending(lane.tenant, lane.receiver, limit)
      const [now, others] = [clock.now(), pending.filter(({ id }) => !lane.active.has(id))]
      lane.ready = others.filter(({ dueAt }) => dueAt <= now).map(({ id }) => id)
      const next = others.find(({ dueAt }) => dueAt > now)?.dueAt ?? (pending.length === limit ? now : Infinity)
      lane.dueAt = Math.min(lane.dueAt, next)
    } catch (error) {
      lane.dueAt = clock.now() + limits.webhooks.afterErrorMs
      const facts = { [queue.kind]: lane.receiver, error: getErrorMessage(error) }
      log.warn(`deliveries of a ${queue.kind} could not be read and are read again`, facts)
    } finally {
      lane.isReading = false
    }
  }

  /** Makes an attempt and stores its outcome. An outcome that cannot be stored is forgotten: the attempt is made again. */
  async #deliver(lane: Lane, id: string, wasFailing: boolean): Promise<void> {
    const { queue, random, log, clock, onAttempt } = this.#options
    const { tenant, receiver, active } = lane
    active.add(id)
    try {
      const delivery = await queue.open(tenant, receiver, id)
      if (delivery === undefined) return
      const result = await delivery.send(this.#abort.signal)
      if (this.#abort.signal.aborted && result.error !== '') return
      const outcome = judgeAttempt(delivery, result, random())
      lane.isFailing = outcome.status !== 'delivered'
      lane.width = lane.isFailing ? 1 : Math.min(lane.width + 1, limits.webhooks.webhookAtOnceMax)
      await delivery.record(outcome)
      lane.dueAt = Math.min(lane.dueAt, outcome.dueAt ?? Infinity)
      onAttempt?.(tenant, outcome.status)
    } catch (error) {
      lane.dueAt = Math.min(lane.dueAt, clock.now() + limits.webhooks.afterErrorMs)
      const facts = { [queue.kind]: receiver, delivery: id, error: getErrorMessage(error) }
      log.warn('a delivery could not be recorded and is made again', facts)
    } finally {
      active.delete(id)
      this.#slots.release(tenant, wasFailing)
    }
  }

  #track(work: Promise<void>): void {
    const running = work.finally(() => {
      this.#running.delete(running)
      this.#waking.abort()
    })
    this.#running.add(running)
  }
}
