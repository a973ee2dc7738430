import { isResourceShortage } from '../../disk/file-system.ts'
import type { FileSystem } from '../../disk/file-system.ts'
import type { TenantId } from '../../tenant-id.ts'
import { BusError } from '../bus.ts'
import type { Bus, Consumer, KeptMessages, Message, MessageReader, PublishOptions, PublishReceipt, TopicStats, TopicTable } from '../bus.ts'
import { defaultBusSizes } from '../bus-sizes.ts'
import type { BusSizes } from '../bus-sizes.ts'
import type { RejectionCode } from '../../log/write-ahead-log.ts'
import { CommitLog } from './commit-log.ts'
import { LocalTopic } from './local-topic.ts'

/** Dependencies of the bus: a file system below its own folder, and its topics. */
type LocalBusOptions = { readonly disk: FileSystem; readonly topics: TopicTable; readonly sizes?: BusSizes }

/**
 * Opens the embedded bus: an append-only log of files for each topic (docs/decisions/0019-message-bus.md). One process
 * at a time may open it.
 */
export async function openLocalBus({ disk, topics, sizes = defaultBusSizes }: LocalBusOptions): Promise<Bus> {
  for (const [name, { consumers, overflow }] of Object.entries(topics)) {
    if (!/^[a-z][a-z-]{0,63}$/.test(name)) throw new RangeError(`'${name}' is not a topic name; use lower-case letters and hyphens`)
    if (overflow === 'refuse' && consumers.length === 0) {
      throw new RangeError(`the topic ${name} rejects when full and has no consumer; add a consumer`)
    }
  }
  const health: Health = { failure: undefined }
  const refusal = (code: RejectionCode, cause: unknown): BusError => {
    if (isResourceShortage(cause)) {
      return new BusError('FULL', 'the process is short of file descriptors or memory; retry later', { cause })
    }
    if (code === 'FULL') return new BusError('FULL', 'the disk is full; free some space and retry', { cause })
    health.failure ??= cause
    return createFailedError(cause, code)
  }
  const commits = await CommitLog.open(disk, { fileBytesMax: sizes.commitFileBytesMax, createError: refusal })
  const opened = new Map<string, LocalTopic>()
  for (const [name, settings] of Object.entries(topics)) {
    opened.set(name, await LocalTopic.open({ ...settings, name, disk, commits, sizes, refusal }))
  }
  return new LocalBus(opened, commits, health)
}

/** Why the bus stopped accepting messages: the first disk failure of any topic. */
type Health = { failure: unknown }

class LocalBus implements Bus {
  readonly #topics: ReadonlyMap<string, LocalTopic>
  readonly #commits: CommitLog
  readonly #health: Health
  #isClosed = false

  constructor(topics: ReadonlyMap<string, LocalTopic>, commits: CommitLog, health: Health) {
    this.#topics = topics
    this.#commits = commits
    this.#health = health
  }

  async publish(
    name: string, tenant: TenantId, messages: readonly Uint8Array[], options?: PublishOptions,
  ): Promise<PublishReceipt> {
    const topic = this.#getTopic(name)
    if (this.#health.failure !== undefined) throw createFailedError(this.#health.failure)
    return await topic.publish(tenant, messages, options)
  }

  consumer(name: string, consumer: string): Consumer {
    const found = this.#getTopic(name).consumers.get(consumer)
    if (found === undefined) throw new RangeError(`the topic ${name} has no consumer ${consumer}`)
    return found.startReading()
  }

  readKept(name: string, where?: KeptMessages): MessageReader {
    return this.#getTopic(name).readKept(where)
  }

  async discard(name: string, isKept?: (message: Message) => boolean): Promise<boolean> {
    return await this.#getTopic(name).discard(isKept)
  }

  stats(name: string): TopicStats {
    return this.#getTopic(name).stats()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const topic of this.#topics.values()) await topic.close()
    await this.#commits.close()
  }

  #getTopic(name: string): LocalTopic {
    if (this.#isClosed) throw new BusError('CLOSED', 'the bus is closed')
    const topic = this.#topics.get(name)
    if (topic === undefined) throw new RangeError(`unknown topic ${name}`)
    return topic
  }
}

function createFailedError(cause: unknown, code: 'FAILED' | 'UNKNOWN' = 'FAILED'): BusError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new BusError(code, `the bus stopped after a disk failure; restart the server: ${reason}`, { cause })
}
