import type { TenantId } from '@tripline/model/tenant'
import type { Consumer, Message, MessageReader, PollOptions } from '@tripline/storage/bus/bus'
import { FairQueue } from '../fairness/fair-queue.ts'
import { limits } from '../limits.ts'
import type { ReservedTurn } from '../fairness/reserved-turn.ts'
import type { TenantLoad } from '../fairness/tenant-load.ts'
import type { HandledMessages } from './handled-messages.ts'

/** How far a consumer reads ahead, and how much work it hands out. Tests use small bounds. */
export type FairConsumerBounds = {
  readonly aheadEventsMax: number
  readonly aheadBytesMax: number
  readonly tenantAheadBytesMax: number
  readonly aheadPollsMax: number
  readonly quantumMs: number
  readonly batchMs: number
  readonly sharedBatchMs: number
  readonly heavyBatchMs: number
  readonly batchBytesMax: number
}

export type FairConsumerOptions = {
  readonly consumer: Consumer
  /** Records handled messages that are not committed. */
  readonly handled: HandledMessages
  /** A tenant's messages before this offset are covered by a checkpoint. */
  readonly getCoveredOffset: (tenant: TenantId) => number
  /** The milliseconds that an event of a tenant probably takes. */
  readonly estimateMs: (tenant: TenantId) => number
  readonly getWeight?: ((tenant: TenantId) => number) | undefined
  /** Whether messages of a tenant must wait, because too many results of earlier ones wait behind this stage. */
  readonly isHeld?: ((tenant: TenantId) => boolean) | undefined
  /** Tells heavy tenants from light ones; without it, none is heavy. */
  readonly load?: Pick<TenantLoad, 'isHeavy' | 'hasLight'> | undefined
  /** Waited for before a batch of heavy tenants is taken; default: the stage waits when it has the batch. */
  readonly turn?: ReservedTurn | undefined
  readonly bounds?: FairConsumerBounds | undefined
}

/** The tenants of the next batch, and its estimated work at most; heavy ones are beside light ones while these are active. */
type Choice = {
  readonly tenants: readonly TenantId[]
  readonly isHeavy: boolean
  readonly isBesideLight: boolean
  readonly workMs: number
}

/** Messages of a tenant that were read and dropped, because it has enough in memory; they are read again. */
type Parked = { first: number; last: number; byteCount: number; reader: MessageReader | undefined }

/**
 * A consumer that hands out the messages of tenants fairly: it reads ahead to the end of the topic, queues the messages by tenant,
 * and serves the queues by deficit round robin with estimated work as the cost. Light and heavy tenants have batches of their own,
 * and those of light ones come first. A tenant's messages keep their order. Of a tenant
 * with a long queue it keeps the first in memory and reads the others again later, so memory is bounded and the messages of other
 * tenants are found behind any number of them. What is handled is known as one offset for each tenant; the bus gets the lowest
 * offset that is not handled.
 */
export class FairConsumer {
  readonly #options: FairConsumerOptions
  readonly #bounds: FairConsumerBounds
  readonly #queue: FairQueue<Message>
  readonly #queuedBytes = new Map<TenantId, number>()
  #queuedBytesSum = 0
  readonly #parked = new Map<TenantId, Parked>()
  /** The offset behind the last message that was read. */
  #readOffset = 0
  #committedOffset = 0
  /** Batches of light tenants since the last one of heavy tenants. */
  #lightBatchCount = 0
  #inHand: readonly Message[] = []
  /** The offset behind the last handled message of each tenant. */
  readonly #handledOffsets = new Map<TenantId, number>()

  private constructor(options: FairConsumerOptions) {
    this.#options = options
    this.#bounds = options.bounds ?? limits.fairness
    const { estimateMs, getWeight } = options
    this.#queue = new FairQueue({
      quantum: this.#bounds.quantumMs, estimateWork: (tenant) => estimateMs(tenant), getSize: getQueuedBytes,
      ...(getWeight && { getWeight }),
    })
  }

  /** Skips what checkpoints cover; `coveredOffset` is the highest offset that any of them covers. */
  static async open(options: FairConsumerOptions, coveredOffset: number): Promise<FairConsumer> {
    const opened = new FairConsumer(options)
    while (opened.#readOffset < coveredOffset && (await opened.#readNext({ max: limits.stage.batchMessagesMax, waitMs: 0 }))) continue
    await opened.commitHandled()
    return opened
  }

  /** All messages before this offset are handled. */
  get safeOffset(): number {
    let safeOffset = this.#readOffset
    for (const tenant of this.#queue.flows) safeOffset = Math.min(safeOffset, this.#queue.peek(tenant)!.offset)
    for (const { first } of this.#parked.values()) safeOffset = Math.min(safeOffset, first)
    for (const { offset } of this.#inHand) safeOffset = Math.min(safeOffset, offset)
    return safeOffset
  }

  /** All messages of a tenant before this offset are handled. */
  getHandledOffset(tenant: TenantId): number {
    return this.#handledOffsets.get(tenant) ?? this.#options.getCoveredOffset(tenant)
  }

  /** Bytes of a tenant's messages that wait, in memory or on the topic. */
  getWaitingBytes(tenant: TenantId): number {
    return (this.#queuedBytes.get(tenant) ?? 0) + (this.#parked.get(tenant)?.byteCount ?? 0)
  }

  /** Polls the next batch; the one before must be settled. */
  async poll({ max, waitMs, signal }: PollOptions): Promise<readonly Message[]> {
    for (;;) {
      await this.#readAhead()
      await this.#reloadParked()
      const wait = { max, ...(waitMs !== undefined && { waitMs }), ...(signal !== undefined && { signal }) }
      let next = this.#chooseTenants()
      if (next.tenants.length === 0) {
        const isHeld = !this.#queue.isEmpty
        const lookMs = Math.min(limits.fairness.heldLookMs, waitMs ?? Infinity)
        if (await this.#readNext(isHeld ? { ...wait, waitMs: lookMs } : wait)) continue
        if (isHeld && waitMs === undefined && signal?.aborted !== true) continue
        return []
      }
      const { turn } = this.#options
      if (turn !== undefined && next.isBesideLight) {
        const outcome = await this.#waitForTurn(turn, next.tenants, wait)
        if (outcome === 'ended') return []
        if (outcome === 'messages') continue
        // Messages may have come at the same time.
        next = this.#chooseTenants()
      }
      if (!next.isHeavy) turn?.release()
      return this.#takeBatch(max, next)
    }
  }

  /** Chooses the light tenants with messages, else the heavy ones; these follow after some batches in any case. */
  #chooseTenants(): Choice {
    const { load, isHeld = () => false } = this.#options
    const queued = [...this.#queue.flows].filter((tenant) => !isHeld(tenant))
    const heavy = queued.filter((tenant) => load?.isHeavy(tenant) === true)
    const isHeavy = heavy.length > 0 && (heavy.length === queued.length || this.#lightBatchCount >= limits.fairness.lightTurnsMax)
    const tenants = isHeavy ? heavy : queued.filter((tenant) => !heavy.includes(tenant))
    const { batchMs, sharedBatchMs, heavyBatchMs } = this.#bounds
    const isBesideLight = isHeavy && load?.hasLight === true
    return { tenants, isHeavy, isBesideLight, workMs: isBesideLight ? heavyBatchMs : queued.length > 1 ? sharedBatchMs : batchMs }
  }

  /** Waits for the turn of a batch of heavy tenants, or for messages: those of light tenants need not wait for it. */
  async #waitForTurn(
    turn: ReservedTurn, tenants: readonly TenantId[], { signal, ...wait }: PollOptions,
  ): Promise<'turn' | 'messages' | 'ended'> {
    turn.release()
    const wake = new AbortController()
    const end = (): void => wake.abort()
    signal?.addEventListener('abort', end)
    let isGranted = false
    void turn.reserve(tenants).then(() => {
      isGranted = true
      end()
    })
    const hasMessages = await this.#readNext({ ...wait, signal: wake.signal })
    signal?.removeEventListener('abort', end)
    if (isGranted) return 'turn'
    return hasMessages ? 'messages' : 'ended'
  }

  #takeBatch(itemsMax: number, { isHeavy, tenants, workMs: workMax }: Choice): readonly Message[] {
    this.#lightBatchCount = isHeavy ? 0 : this.#lightBatchCount + 1
    const chosen = new Set(tenants)
    const served = this.#queue.take({ itemsMax, workMax, sizeMax: this.#bounds.batchBytesMax }, (tenant) => chosen.has(tenant))
    for (const { flow, item } of served) this.#countQueued(flow, -getQueuedBytes(item))
    return (this.#inHand = served.map(({ item }) => item))
  }

  /** Records that the batch in hand is handled. */
  settle(): void {
    for (const { tenant, offset } of this.#inHand) this.#handledOffsets.set(tenant, offset + 1)
    this.#options.handled.add(this.#inHand)
    this.#inHand = []
  }

  /** Commits what is handled, as far as nothing before it is left. */
  async commitHandled(): Promise<void> {
    const offset = this.safeOffset
    if (offset === this.#committedOffset) return
    await this.#options.consumer.commit(offset)
    this.#committedOffset = offset
  }

  /** Reads what is there, in steps, so that a long backlog delays no batch by much. */
  async #readAhead(): Promise<void> {
    for (let polls = 0; polls < this.#bounds.aheadPollsMax; polls++) {
      if (!(await this.#readNext({ max: limits.stage.batchMessagesMax, waitMs: 0 }))) return
    }
  }

  /** Returns whether there were messages. */
  async #readNext(options: PollOptions): Promise<boolean> {
    const messages = await this.#options.consumer.poll(options)
    for (const message of messages) this.#accept(message)
    this.#readOffset = (messages.at(-1)?.offset ?? this.#readOffset - 1) + 1
    return messages.length > 0
  }

  #accept(message: Message): void {
    const { tenant, offset } = message
    if (offset < this.#options.getCoveredOffset(tenant)) {
      this.#options.handled.add([message])
      return
    }
    const parked = this.#parked.get(tenant)
    if (parked !== undefined) {
      parked.last = offset
      parked.byteCount += getQueuedBytes(message)
    } else if (this.#hasRoom(tenant)) this.#enqueue(message)
    else this.#parked.set(tenant, { first: offset, last: offset, byteCount: getQueuedBytes(message), reader: undefined })
  }

  #hasRoom(tenant: TenantId): boolean {
    const { aheadBytesMax, tenantAheadBytesMax, aheadEventsMax } = this.#bounds
    return this.#queuedBytesSum < aheadBytesMax && (this.#queuedBytes.get(tenant) ?? 0) < tenantAheadBytesMax
      && this.#queue.getLength(tenant) < aheadEventsMax
  }

  #enqueue(message: Message): void {
    this.#queue.push(message.tenant, message)
    this.#countQueued(message.tenant, getQueuedBytes(message))
  }

  #countQueued(tenant: TenantId, bytes: number): void {
    const ofTenant = (this.#queuedBytes.get(tenant) ?? 0) + bytes
    if (ofTenant === 0) this.#queuedBytes.delete(tenant)
    else this.#queuedBytes.set(tenant, ofTenant)
    this.#queuedBytesSum += bytes
  }

  /** Reads dropped messages again of tenants that have less than half of what they may have in memory. */
  async #reloadParked(): Promise<void> {
    const { aheadEventsMax, tenantAheadBytesMax } = this.#bounds
    for (const [tenant, parked] of this.#parked) {
      const isShort = this.#queue.getLength(tenant) < aheadEventsMax / 2 && (this.#queuedBytes.get(tenant) ?? 0) < tenantAheadBytesMax / 2
      if (isShort) await this.#reload(tenant, parked)
    }
  }

  async #reload(tenant: TenantId, parked: Parked): Promise<void> {
    parked.reader ??= this.#options.consumer.readAgain(parked.first)
    while (this.#queue.getLength(tenant) < this.#bounds.aheadEventsMax) {
      const messages = await parked.reader.read(limits.stage.batchMessagesMax)
      for (const message of messages) {
        if (message.tenant !== tenant || message.offset > parked.last) continue
        parked.byteCount -= getQueuedBytes(message)
        this.#enqueue(message)
      }
      const end = messages.at(-1)?.offset ?? Infinity
      parked.first = end + 1
      if (end >= parked.last) {
        this.#parked.delete(tenant)
        return
      }
      if ((this.#queuedBytes.get(tenant) ?? 0) >= this.#bounds.tenantAheadBytesMax) return
    }
  }
}

function getQueuedBytes({ bytes, lostCost }: Message): number {
  return lostCost ?? bytes.length + limits.bus.messageCostBytes
}
