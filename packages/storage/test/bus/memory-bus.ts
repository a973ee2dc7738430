import { setTimeout as pause } from 'node:timers/promises'
import { BusError } from '../../src/bus/bus.ts'
import type { Bus, Consumer, KeptMessages, Message, TopicTable } from '../../src/bus/bus.ts'
import type { BusSizes } from '../../src/bus/bus-sizes.ts'
import { validateMessages, getMessageCost } from '../../src/bus/validate-messages.ts'

/**
 * A reference bus in memory: it keeps every message and counts them one by one. It is slow, polls where it waits, and
 * keeps nothing on disk; `reopen` simulates a restart.
 */
export class MemoryBus implements Bus {
  readonly #topics: TopicTable
  readonly #sizes: BusSizes
  readonly #messages = new Map<string, Message[]>()
  readonly #committed = new Map<string, number>()
  readonly #sessions = new Map<string, object>()
  /** The first offset that was not discarded. */
  readonly #keptFrom = new Map<string, number>()
  #isClosed = false

  constructor(topics: TopicTable, sizes: BusSizes) {
    this.#topics = topics
    this.#sizes = sizes
  }

  reopen(): void {
    this.#isClosed = false
    this.#sessions.clear()
  }

  async publish(topic: string, tenant: string, messages: readonly Uint8Array[]): ReturnType<Bus['publish']> {
    const all = this.#messagesOf(topic)
    const bytes = validateMessages(tenant, messages)
    const backlog = this.#backlogOf(topic)
    const bytesOf = (some: readonly Message[]) => some.reduce((sum, message) => sum + getMessageCost(message.bytes), 0)
    const { overflow, hasTenantShare } = this.#topics[topic]!
    if (overflow === 'refuse') {
      if (bytesOf(backlog) + bytes > this.#sizes.topicBytesMax) throw new BusError('FULL', `the topic ${topic} is full`)
      const ofTenant = backlog.filter((message) => message.tenant === tenant)
      if (hasTenantShare && bytesOf(ofTenant) + bytes > this.#sizes.tenantBytesMax) {
        throw new BusError('TENANT_FULL', `the tenant's share of the topic ${topic} is full`)
      }
    }
    const firstOffset = all.length
    for (const message of messages) all.push({ offset: all.length, tenant, bytes: Uint8Array.from(message) })
    return { firstOffset, lastOffset: all.length - 1 }
  }

  consumer(topic: string, name: string): Consumer {
    const all = this.#messagesOf(topic)
    if (!this.#topics[topic]!.consumers.includes(name)) throw new RangeError(`the topic ${topic} has no consumer ${name}`)
    const key = `${topic} ${name}`
    const session = {}
    this.#sessions.set(key, session)
    let next = this.#committedOf(key)
    const check = () => {
      if (this.#isClosed || this.#sessions.get(key) !== session) throw new BusError('CLOSED', 'this reader is closed; another one may have replaced it')
    }
    return {
      poll: async ({ max, waitMs = Number.POSITIVE_INFINITY, signal }) => {
        for (let waitedMs = 0; ; waitedMs++) {
          check()
          const taken = all.slice(next, next + max)
          next += taken.length
          if (taken.length > 0 || waitedMs >= waitMs || signal?.aborted === true) return taken
          await pause(1)
        }
      },
      commit: async (offset) => {
        check()
        if (!Number.isSafeInteger(offset) || offset > next) throw new RangeError(`${offset} is committed, but was not taken`)
        this.#committed.set(key, Math.max(offset, this.#committedOf(key)))
      },
      readAgain: (offset) => {
        if (offset < this.#committedOf(key)) throw new RangeError(`${offset} is committed`)
        let again = offset
        return {
          read: async (countMax) => {
            check()
            const read = all.slice(again, again + countMax)
            again += read.length
            return read
          },
        }
      },
    }
  }

  readKept(topic: string, { from = 0 }: KeptMessages = {}): ReturnType<Bus['readKept']> {
    const all = this.#messagesOf(topic)
    let next = Math.max(from, this.#keptFrom.get(topic) ?? 0)
    return {
      read: async (countMax) => {
        const read = all.slice(next, next + countMax)
        next += read.length
        return read
      },
    }
  }

  async discard(topic: string, isKept: (message: Message) => boolean = () => false): Promise<boolean> {
    const all = this.#messagesOf(topic)
    const { length } = all
    for (const message of all.slice(this.#keptFrom.get(topic) ?? 0)) if (isKept(message)) all.push({ ...message, offset: all.length })
    const committed = this.#topics[topic]!.consumers.map((name) => this.#committedOf(`${topic} ${name}`))
    this.#keptFrom.set(topic, Math.min(length, ...committed))
    return committed.every((offset) => offset >= length)
  }

  stats(topic: string): ReturnType<Bus['stats']> {
    const all = this.#messagesOf(topic)
    const consumers = this.#topics[topic]!.consumers.map((name) => {
      const committedOffset = this.#committedOf(`${topic} ${name}`)
      const lag = new Map<string, number>()
      for (const { tenant } of all.slice(committedOffset)) lag.set(tenant, (lag.get(tenant) ?? 0) + 1)
      return { name, committedOffset, lag }
    })
    const backlogBytes = this.#backlogOf(topic).reduce((sum, { bytes }) => sum + getMessageCost(bytes), 0)
    return { nextOffset: all.length, backlogBytes, consumers, droppedCount: 0, corruptedCount: 0, firstCorruption: undefined }
  }

  async close(): Promise<void> {
    this.#isClosed = true
  }

  #backlogOf(topic: string): readonly Message[] {
    const committed = this.#topics[topic]!.consumers.map((name) => this.#committedOf(`${topic} ${name}`))
    return this.#messagesOf(topic).slice(Math.min(...committed))
  }

  #committedOf(key: string): number {
    return this.#committed.get(key) ?? 0
  }

  #messagesOf(topic: string): Message[] {
    if (this.#isClosed) throw new BusError('CLOSED', 'the bus is closed')
    if (this.#topics[topic] === undefined) throw new RangeError(`unknown topic ${topic}`)
    const messages = this.#messages.get(topic) ?? []
    this.#messages.set(topic, messages)
    return messages
  }
}
