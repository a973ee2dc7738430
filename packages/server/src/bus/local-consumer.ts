import type { TenantId } from '../domain/tenant.ts'
import { BusError } from './bus.ts'
import type { Consumer, ConsumerStats, Message, PollOptions } from './bus.ts'
import type { CommitLog } from './commit-log.ts'
import type { TenantCounters } from './tenant-counters.ts'
import type { TopicReader } from './topic-reader.ts'
import { getMessageCost } from './validate-messages.ts'
import type { Wakeup } from './wakeup.ts'

/** What a consumer needs of its topic. */
export type TopicView = {
  readonly wakeup: Wakeup
  /** All that is safe, and the offset behind it. */
  readonly published: TenantCounters
  readonly safeOffset: number
  /** The offset of the oldest message that is there. */
  readonly firstOffset: number
  readonly readerAt: (offset: number) => TopicReader
  /** Removes files that all consumers are done with; `offsetOf` says how far each is. */
  readonly release: (offsetOf: (consumer: LocalConsumer) => number) => Promise<void>
}

export type LocalConsumerOptions = {
  readonly topic: string
  readonly name: string
  readonly commits: CommitLog
  /** What it has committed: the offset of the next message, and the totals before it. */
  readonly offset: number
  readonly consumed: TenantCounters
  /** Bytes of messages taken at once. */
  readonly takeBytesMax: number
}

/** How far a consumer has come with a topic that is in files, whoever reads as it now. */
export class LocalConsumer {
  readonly #topic: TopicView
  readonly #options: LocalConsumerOptions
  #consumed: TenantCounters
  #committedOffset: number
  /** Behind the last message that was taken. */
  #polledOffset = 0
  /** What was taken and is not committed. */
  #uncommitted: { readonly offset: number; readonly tenant: TenantId; readonly bytes: number }[] = []
  /** Who reads now; those before may not any more. */
  #reader: TopicReader | undefined

  constructor(topic: TopicView, options: LocalConsumerOptions) {
    this.#topic = topic
    this.#options = options
    this.#consumed = options.consumed
    this.#committedOffset = options.offset
  }

  get committedOffset(): number {
    return this.#committedOffset
  }

  /** Totals of what it has committed. */
  get consumed(): TenantCounters {
    return this.#consumed
  }

  /** Begins to read at what is committed. */
  startReading(): Consumer {
    const reader = this.#topic.readerAt(this.#committedOffset)
    this.#reader = reader
    this.#uncommitted = []
    this.#polledOffset = this.#committedOffset
    return {
      take: (options) => this.#poll(reader, options),
      commit: (offset) => this.#commit(reader, offset),
    }
  }

  stats(): ConsumerStats {
    const lag = new Map<TenantId, number>()
    for (const [tenant, { count }] of this.#topic.published.tenants) {
      const left = count - this.#consumed.of(tenant).count
      if (left > 0) lag.set(tenant, left)
    }
    return { name: this.#options.name, committedOffset: this.#committedOffset, lag }
  }

  /** Nobody reads as this consumer any more. */
  close(): void {
    this.#reader = undefined
  }

  async #poll(reader: TopicReader, { max, ...wait }: PollOptions): Promise<readonly Message[]> {
    for (;;) {
      const seen = this.#topic.wakeup.count
      this.#checkIsCurrent(reader)
      const messages = await reader.read(max, this.#options.takeBytesMax)
      this.#checkIsCurrent(reader)
      if (messages.length > 0) {
        for (const { offset, tenant, bytes } of messages) this.#uncommitted.push({ offset, tenant, bytes: getMessageCost(bytes) })
        this.#polledOffset = messages.at(-1)!.offset + 1
        return messages
      }
      if (!(await this.#topic.wakeup.waitSince(seen, wait))) return []
    }
  }

  async #commit(reader: TopicReader, offset: number): Promise<void> {
    this.#checkIsCurrent(reader)
    if (!Number.isSafeInteger(offset) || offset > this.#polledOffset) {
      throw new RangeError(`${offset} is committed, but messages were taken up to ${this.#polledOffset}`)
    }
    if (offset <= this.#committedOffset) return
    const { commits, topic, name } = this.#options
    try {
      await commits.commit({ topic, consumer: name, offset })
    } catch (error) {
      if (!(error instanceof BusError) || error.code !== 'FULL') throw error
      // Files with nothing but what is done may go now: whoever finds them gone goes on behind them. That makes room.
      await this.#topic.release((consumer) => (consumer === this ? offset : consumer.committedOffset))
      this.#apply(Math.min(offset, this.#topic.firstOffset))
      await commits.commit({ topic, consumer: name, offset })
    }
    this.#apply(offset)
    await this.#topic.release(({ committedOffset }) => committedOffset)
  }

  #apply(offset: number): void {
    if (offset <= this.#committedOffset) return
    this.#committedOffset = offset
    const left = this.#uncommitted.findIndex((message) => message.offset >= offset)
    const done = this.#uncommitted.splice(0, left === -1 ? this.#uncommitted.length : left)
    for (const { tenant, bytes } of done) this.#consumed.add(tenant, { count: 1, bytes })
    // Messages that were damaged are counted as published and can be taken by nobody.
    const { published, safeOffset } = this.#topic
    if (offset === safeOffset && this.#consumed.all.count !== published.all.count) this.#consumed = published.copy()
  }

  #checkIsCurrent(reader: TopicReader): void {
    const { name, topic } = this.#options
    if (reader !== this.#reader) throw new BusError('CLOSED', `nobody reads the topic ${topic} as ${name} in this way any more`)
  }
}
