import type { Corruption } from '../log/corruption.ts'
import type { TenantId } from '../tenant-id.ts'

/**
 * A partitionless message bus in the manner of Kafka: each topic is an append-only log of messages numbered by offset.
 * Every message is delivered at least once to every consumer of its topic, in offset order, across restarts.
 */
export type Bus = {
  /**
   * Publishes messages of a tenant, all or none; resolves when they are durable. The caller must not change their bytes
   * before that.
   *
   * @throws BusError when the bus does not take them; then none of them was acknowledged.
   * @throws RangeError for an empty batch, or a message or batch over the limits.
   */
  readonly publish: (
    topic: string, tenant: TenantId, messages: readonly Uint8Array[], options?: PublishOptions,
  ) => Promise<PublishReceipt>
  /**
   * Starts reading as a consumer named in the topic table, at its committed offset. A consumer has one reader at a
   * time.
   */
  readonly consumer: (topic: string, name: string) => Consumer
  /** Reads the messages of a topic that are still stored, whether or not they are committed, oldest first. */
  readonly readKept: (topic: string, where?: KeptMessages) => MessageReader
  /**
   * Deletes the messages of a topic that were published before the call, kept copies included, so that none of their bytes stays
   * stored; returns whether all of them are gone. False where a consumer has not committed some of them yet. Those that `isKept`
   * holds for are published again before, which a crash may do twice.
   */
  readonly discard: (topic: string, isKept?: (message: Message) => boolean) => Promise<boolean>
  readonly stats: (topic: string) => TopicStats
  /** Finishes what is under way. No other call may follow. */
  readonly close: () => Promise<void>
}

/** The topics of a bus, by name: lower-case letters and hyphens. */
export type TopicTable = { readonly [topic: string]: TopicSettings }

export type TopicSettings = {
  /**
   * The consumers of the topic. A message is kept until all of them have committed it, so a consumer that never runs
   * fills the topic.
   */
  readonly consumers: readonly string[]
  /** What happens when the topic is full: publishing fails, or the oldest messages are dropped and counted. */
  readonly overflow: 'refuse' | 'dropOldest'
  /**
   * Whether a tenant may use only a share of the topic. True where clients publish; between stages it would hold up the
   * messages of other tenants behind those of one.
   */
  readonly hasTenantShare: boolean
  /** Bytes of committed messages that stay stored, as a second copy of what a consumer made of them; default: none. */
  readonly keptBytes?: number
}

/** Which stored messages are read; default: all. */
export type KeptMessages = {
  /** The offset of the first. */
  readonly from?: number
  /** About how many bytes of the newest are read: whole files, and at least the last one. */
  readonly newestBytes?: number
}

export type PublishOptions = {
  /** Messages that are no events: where they are corrupted, consumers skip them without a placeholder. */
  readonly isControl?: boolean
}

export type Message = {
  /** Consecutive within a topic, from 0. */
  readonly offset: number
  readonly tenant: TenantId
  readonly bytes: Uint8Array
  /**
   * Set on the placeholder of a message whose bytes are corrupted, which are then empty: the cost of the message as it was
   * published.
   */
  readonly lostCost?: number
}

export type PublishReceipt = { readonly firstOffset: number; readonly lastOffset: number }

/** A reader of a topic. Messages that were polled and not committed are delivered again after a restart. */
export type Consumer = {
  /**
   * Polls the next messages; waits while there are none, and resolves with none when the wait or the signal ended it.
   * One call at a time.
   */
  readonly poll: (options: PollOptions) => Promise<readonly Message[]>
  /**
   * Commits all messages before an offset; resolves when the commit is durable. An offset at or before the last commit
   * changes nothing.
   *
   * @throws BusError when it cannot be written; after `FULL` the caller may retry.
   * @throws RangeError for an offset beyond what was polled.
   */
  readonly commit: (offset: number) => Promise<void>
  /**
   * Starts to read messages again that were polled and not committed, from an offset on. It changes nothing, and may read
   * beyond what was polled.
   *
   * @throws RangeError for an offset that is committed.
   */
  readonly readAgain: (offset: number) => MessageReader
}

/** Reads messages in offset order. */
export type MessageReader = {
  /** The next messages, at most so many; none at the end. */
  readonly read: (countMax: number) => Promise<readonly Message[]>
}

export type PollOptions = {
  /** The most messages to return; fewer are returned where they are long. */
  readonly max: number
  /** Milliseconds to wait for the first message; default: until there is one. */
  readonly waitMs?: number
  readonly signal?: AbortSignal
}

export type TopicStats = {
  /** The offset that the next message gets. */
  readonly nextOffset: number
  /** The cost of the messages that some consumer has not committed; `FULL` is decided by it. */
  readonly backlogBytes: number
  readonly consumers: readonly ConsumerStats[]
  /** Messages dropped in favour of newer ones since the bus was opened. */
  readonly droppedCount: number
  /** Messages whose bytes fail their checksum, as far as readers met them, and the first place. */
  readonly corruptedCount: number
  readonly firstCorruption: Corruption | undefined
}

export type ConsumerStats = {
  readonly name: string
  readonly committedOffset: number
  /** Uncommitted messages by tenant; tenants without any are left out. */
  readonly lag: ReadonlyMap<TenantId, number>
}

/**
 * Why a bus rejects messages: it is full, the tenant's share is full, the disk failed before or while they were written, or
 * the bus is closed.
 */
export type BusErrorCode = 'CLOSED' | 'FAILED' | 'FULL' | 'TENANT_FULL' | 'UNKNOWN'

/**
 * The bus rejected messages. `FULL` and `TENANT_FULL` are worth a retry; after `FAILED` and `UNKNOWN` the process has to
 * restart, and after `UNKNOWN` it may find the messages or not.
 */
export class BusError extends Error {
  readonly code: BusErrorCode

  constructor(code: BusErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BusError'
    this.code = code
  }
}
