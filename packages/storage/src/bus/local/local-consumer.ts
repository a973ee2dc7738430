import type { TenantId } from '../../tenant-id.ts'
import { BusError } from '../bus.ts'
import type { Consumer, ConsumerStats, Message, MessageReader, PollOptions } from '../bus.ts'
import { getMessageCost } from '../validate-messages.ts'
import type { CommitLog } from './commit-log.ts'
import type { TenantCounters } from './tenant-counters.ts'
import type { TopicReader } from './topic-reader.ts'
import type { Wakeup } from './wakeup.ts'

/** What a consumer needs of its topic. */
export type TopicView = {
  readonly wakeup: Wakeup
  /** Counters of all durable messages. */
  readonly published: TenantCounters
  readonly safeOffset: number
  /** The offset of the oldest message that is still stored. */
  readonly firstOffset: number
  readonly readerAt: (offset: number) => TopicReader
  /** Removes files that all consumers have committed, but for those that are kept; `offsetOf` gives the offset of each. */
  readonly release: (offsetOf: (consumer: LocalConsumer) => number, options?: { readonly keepsCopies: boolean }) => Promise<void>
}

type LocalConsumerOptions = {
  readonly topic: string
  readonly name: string
  readonly commits: CommitLog
  /** Its committed offset, and the counters before it. */
  readonly offset: number
  readonly consumed: TenantCounters
  /** The most message bytes returned by one poll. */
  readonly takeBytesMax: number
}

/** The committed position of a consumer of a file-based topic. At most one reader at a time polls through it. */
export class LocalConsumer {
  readonly #topic: TopicView
  readonly #options: LocalConsumerOptions
  #consumed: TenantCounters
  #committedOffset: number
  /** The offset behind the last message that was polled. */
  #polledOffset = 0
  /** Polled messages that are not committed, as runs of consecutive messages of a tenant. */
  #uncommitted: MessageRun[] = []
  /** The current reader; earlier readers are closed. */
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

  /** Counters of the messages that it has committed. */
  get consumed(): TenantCounters {
    return this.#consumed
  }

  /** Starts a reader at the committed offset and closes the one before. */
  startReading(): Consumer {
    const reader = this.#topic.readerAt(this.#committedOffset)
    this.#reader = reader
    this.#uncommitted = []
    this.#polledOffset = this.#committedOffset
    return {
      poll: (options) => this.#poll(reader, options),
      commit: (offset) => this.#commit(reader, offset),
      readAgain: (offset) => this.#readAgain(reader, offset),
    }
  }

  stats(): ConsumerStats {
    const lag = new Map<TenantId, number>()
    for (const [tenant, { count }] of this.#topic.published.tenants) {
      const left = count - this.#consumed.get(tenant).count
      if (left > 0) lag.set(tenant, left)
    }
    return { name: this.#options.name, committedOffset: this.#committedOffset, lag }
  }

  /** Closes the current reader. */
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
        for (const message of messages) this.#addUncommitted(message)
        this.#polledOffset = messages.at(-1)!.offset + 1
        return messages
      }
      if (!(await this.#topic.wakeup.waitSince(seen, wait))) return []
    }
  }

  async #commit(reader: TopicReader, offset: number): Promise<void> {
    this.#checkIsCurrent(reader)
    if (!Number.isSafeInteger(offset) || offset > this.#polledOffset) {
      throw new RangeError(`cannot commit offset ${offset}; messages were polled up to ${this.#polledOffset}`)
    }
    if (offset <= this.#committedOffset) return
    const { commits, topic, name } = this.#options
    try {
      await commits.commit({ topic, consumer: name, offset })
    } catch (error) {
      if (!(error instanceof BusError) || error.code !== 'FULL') throw error
      // Files that hold committed messages only may go now, which frees space for the commit: a restart that finds them
      // gone continues behind them.
      await this.#topic.release((consumer) => (consumer === this ? offset : consumer.committedOffset), { keepsCopies: false })
      this.#apply(Math.min(offset, this.#topic.firstOffset))
      await commits.commit({ topic, consumer: name, offset })
    }
    this.#apply(offset)
    await this.#topic.release(({ committedOffset }) => committedOffset)
  }

  #apply(offset: number): void {
    if (offset <= this.#committedOffset) return
    this.#committedOffset = offset
    const left = this.#uncommitted.findIndex(({ lastOffset }) => lastOffset >= offset)
    const done = this.#uncommitted.splice(0, left === -1 ? this.#uncommitted.length : left)
    for (const { tenant, count, bytes } of done) this.#consumed.add(tenant, { count, bytes })
    const [first] = this.#uncommitted
    if (first !== undefined && first.firstOffset < offset) this.#consumePart(first, offset)
    // Corrupted messages count as published, and no poll returns them.
    const { published, safeOffset } = this.#topic
    if (offset === safeOffset && this.#consumed.all.count !== published.all.count) this.#consumed = published.copy()
  }

  #addUncommitted({ offset, tenant, bytes, lostCost }: Message): void {
    const cost = lostCost ?? getMessageCost(bytes)
    const last = this.#uncommitted.at(-1)
    if (last?.tenant !== tenant || last.lastOffset !== offset - 1) {
      this.#uncommitted.push({ tenant, firstOffset: offset, lastOffset: offset, count: 1, bytes: cost })
      return
    }
    last.lastOffset = offset
    last.count++
    last.bytes += cost
  }

  /** Consumes the messages of a run before an offset; their part of its bytes is estimated, and the rest stays with the run. */
  #consumePart(run: MessageRun, offset: number): void {
    const count = offset - run.firstOffset
    const bytes = Math.floor((run.bytes * count) / run.count)
    this.#consumed.add(run.tenant, { count, bytes })
    run.firstOffset = offset
    run.count -= count
    run.bytes -= bytes
  }

  #readAgain(reader: TopicReader, offset: number): MessageReader {
    if (offset < this.#committedOffset) throw new RangeError(`cannot read offset ${offset} again; ${this.#committedOffset} is committed`)
    const again = this.#topic.readerAt(offset)
    return {
      read: async (countMax) => {
        this.#checkIsCurrent(reader)
        return await again.read(countMax, this.#options.takeBytesMax)
      },
    }
  }

  #checkIsCurrent(reader: TopicReader): void {
    const { name, topic } = this.#options
    if (reader === this.#reader) return
    throw new BusError('CLOSED', `this reader of the topic ${topic} for ${name} is closed; another one may have replaced it`)
  }
}

/** Consecutive messages of a tenant. */
type MessageRun = { readonly tenant: TenantId; firstOffset: number; lastOffset: number; count: number; bytes: number }
