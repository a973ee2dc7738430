import type { TenantId } from '../domain/tenant.ts'
import type { Corruption } from '../records/corruption.ts'

/**
 * Carries messages from stage to stage: each topic is a list that only grows, numbered by offset. What was published
 * is delivered at least once to every consumer of the topic, in the order of offsets, across restarts.
 */
export type Bus = {
  /**
   * Adds messages of a tenant, all or none; resolves when they are safe on disk. Their bytes may not be changed until then.
   *
   * @throws BusError when they are not taken: then none of them was acknowledged.
   * @throws RangeError for no messages at all, or one or all of them over the limits.
   */
  readonly publish: (topic: string, tenant: TenantId, messages: readonly Uint8Array[]) => Promise<PublishReceipt>
  /** Begins to read as a consumer that the table of topics names, at what it has committed; one at a time may. */
  readonly consumer: (topic: string, name: string) => Consumer
  readonly stats: (topic: string) => TopicStats
  /** Ends what is under way; nothing may be asked afterwards. */
  readonly close: () => Promise<void>
}

/** The topics of a bus, by name: small letters and hyphens. */
export type TopicTable = { readonly [topic: string]: TopicSettings }

export type TopicSettings = {
  /** Names of those who read it; a message is kept until all have committed it, so one that nobody runs fills the topic. */
  readonly consumers: readonly string[]
  /** What happens where there is no room: publishing is refused, or the oldest messages go and are counted. */
  readonly overflow: 'refuse' | 'dropOldest'
  /**
   * Whether a tenant may only have a share of the room: where the outside publishes. Between stages it would hold up
   * the messages of others behind those of one.
   */
  readonly hasTenantShare: boolean
}

export type Message = {
  /** Goes up one by one in a topic, from 0. */
  readonly offset: number
  readonly tenant: TenantId
  readonly bytes: Uint8Array
}

export type PublishReceipt = { readonly firstOffset: number; readonly lastOffset: number }

/** A place in a topic from which messages are taken. What was taken and not committed comes again after a restart. */
export type Consumer = {
  /**
   * Takes the next messages; waits for one where there is none, and gives none when the wait or the signal ended it.
   * It is not called again before it has answered.
   */
  readonly take: (options: PollOptions) => Promise<readonly Message[]>
  /**
   * Says that all messages before an offset are done; resolves when that is safe on disk. An offset that is not
   * beyond the one before changes nothing.
   *
   * @throws BusError when it could not be written; then it may be tried again after `FULL`.
   * @throws RangeError for an offset of what was not taken.
   */
  readonly commit: (offset: number) => Promise<void>
}

export type PollOptions = {
  /** How many messages at most; fewer come where they are long. */
  readonly max: number
  /** Milliseconds to wait for the first; without it, until there is one. */
  readonly waitMs?: number
  readonly signal?: AbortSignal
}

export type TopicStats = {
  /** The offset that the next message gets. */
  readonly nextOffset: number
  /** What messages that some consumer has not committed count as; `FULL` is said by this. */
  readonly backlogBytes: number
  readonly consumers: readonly ConsumerStats[]
  /** Messages that made room for newer ones, since the bus was opened. */
  readonly droppedCount: number
  /** Messages whose bytes are not what was written, as far as readers met them, and where the first were. */
  readonly damagedCount: number
  readonly firstDamage: Corruption | undefined
}

export type ConsumerStats = {
  readonly name: string
  readonly committedOffset: number
  /** Messages that it has not committed, by tenant; tenants without any are left out. */
  readonly lag: ReadonlyMap<TenantId, number>
}

/** Why a bus takes nothing: no room for anybody or for this tenant, a broken disk, or it was closed. */
export type BusErrorCode = 'CLOSED' | 'FAILED' | 'FULL' | 'TENANT_FULL'

/** Refuses messages. After `FULL` and `TENANT_FULL` it is worth trying again; after `FAILED` only a new process is. */
export class BusError extends Error {
  readonly code: BusErrorCode

  constructor(code: BusErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BusError'
    this.code = code
  }
}
