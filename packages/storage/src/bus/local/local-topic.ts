import { SerialQueue } from '@tripline/common/serial-queue'
import type { FileSystem } from '../../disk/file-system.ts'
import type { TenantId } from '../../tenant-id.ts'
import { limits } from '../../limits.ts'
import { WriteAheadLog } from '../../log/write-ahead-log.ts'
import type { WriteAheadLogOptions, RecordPosition } from '../../log/write-ahead-log.ts'
import { Wakeup } from './wakeup.ts'
import { BusError } from '../bus.ts'
import type { KeptMessages, Message, MessageReader, PublishOptions, PublishReceipt, TopicSettings, TopicStats } from '../bus.ts'
import type { BusSizes } from '../bus-sizes.ts'
import { validateMessages } from '../validate-messages.ts'
import type { CommitLog } from './commit-log.ts'
import { LocalConsumer } from './local-consumer.ts'
import type { TopicView } from './local-consumer.ts'
import { TailCache } from './tail-cache.ts'
import { openTopicFiles, findTopicPoint, getTopicStart } from './topic-files.ts'
import type { TopicFile, TopicPoint } from './topic-files.ts'
import { TopicReader } from './topic-reader.ts'
import type { MessageCorruption } from './topic-reader.ts'
import { encodeHead, encodeUnits } from './topic-record.ts'
import { TenantCounters, zeroTotal } from './tenant-counters.ts'
import type { MessageTotal } from './tenant-counters.ts'

/** Messages read at once, to be published again. */
const messagesAtOnce = 256

type LocalTopicOptions = TopicSettings & {
  readonly name: string
  readonly disk: FileSystem
  readonly commits: CommitLog
  readonly sizes: BusSizes
  readonly refusal: WriteAheadLogOptions['createError']
}

/** A topic stored in its own files. */
export class LocalTopic implements TopicView {
  readonly wakeup = new Wakeup()
  readonly consumers: ReadonlyMap<string, LocalConsumer>
  readonly #options: LocalTopicOptions
  readonly #log: WriteAheadLog
  readonly #files: TopicFile[]
  /** Counters of durable messages. */
  readonly #published: TenantCounters
  /** Counters of accepted messages that are not durable yet. */
  readonly #pending = new TenantCounters()
  #safeOffset: number
  /** The offset of the next message to be written. */
  #nextOffset: number
  /** Where the next file begins; the log asks for its header before the first write to it. */
  #nextFileStart: TopicPoint
  readonly #releases = new SerialQueue()
  #droppedCount = 0
  readonly #tailCache: TailCache
  readonly #corruptions = new Map<string, MessageCorruption>()

  private constructor(options: LocalTopicOptions, { files, end, consumed }: TopicState) {
    const { disk, commits, name: topic, sizes: { fileBytesMax, takeBytesMax, recentBytesMax }, refusal } = options
    this.#options = options
    this.#tailCache = new TailCache(recentBytesMax)
    this.#files = files
    this.#published = end.totals
    this.#nextFileStart = end
    this.#safeOffset = this.#nextOffset = end.firstOffset
    this.consumers = new Map([...consumed].map(([name, { firstOffset: offset, totals }]) =>
      [name, new LocalConsumer(this, { topic, name, commits, offset, consumed: totals, takeBytesMax })]))
    this.#log = new WriteAheadLog(disk, {
      folder: getTopicFolder(topic),
      numbers: files.map(({ number }) => number),
      checkpoint: () => {
        this.#nextFileStart = { firstOffset: this.#safeOffset, totals: this.#published.copy() }
        return encodeHead(this.#nextFileStart)
      },
      fileBytesMax,
      createError: refusal,
    })
  }

  static async open(options: LocalTopicOptions): Promise<LocalTopic> {
    const { disk, name, commits } = options
    const folder = getTopicFolder(name)
    await disk.makeFolder(folder)
    const { files, end } = await openTopicFiles(disk, folder)
    const consumed = new Map<string, TopicPoint>()
    for (const consumer of options.consumers) {
      // A consumer that never committed, or whose next files were removed, starts with the oldest message there is.
      const committed = Math.max(commits.getOffset(name, consumer) ?? 0, getTopicStart(files).firstOffset)
      const point = committed < end.firstOffset ? await findTopicPoint(disk, folder, files, committed) : end
      consumed.set(consumer, { firstOffset: committed, totals: point.totals.copy() })
    }
    // Committed offsets existed: an offset that a consumer has passed is never given to another message.
    const firstOffset = Math.max(end.firstOffset, commits.getHighestOffset(name))
    return new LocalTopic(options, { files: [...files], end: { ...end, firstOffset }, consumed })
  }

  get published(): TenantCounters {
    return this.#published
  }

  get safeOffset(): number {
    return this.#safeOffset
  }

  get firstOffset(): number {
    return getTopicStart(this.#files).firstOffset
  }

  async publish(
    tenant: TenantId, messages: readonly Uint8Array[], { isControl = false }: PublishOptions = {},
  ): Promise<PublishReceipt> {
    const total = { count: messages.length, bytes: validateMessages(tenant, messages) }
    this.#checkCapacity(tenant, total)
    this.#pending.add(tenant, total)
    let firstOffset = 0
    let record: Buffer | undefined
    await this.#log.append({
      byteCount: total.bytes,
      encode: () => {
        firstOffset = this.#nextOffset
        this.#nextOffset += total.count
        return (record = encodeUnits({ firstOffset, tenant, messages }, { hasTrailers: !isControl }))
      },
      onDurable: (place) => {
        this.#pending.remove(tenant, total)
        this.#published.add(tenant, total)
        this.#safeOffset = firstOffset + total.count
        this.#extendFiles(place)
        if (record !== undefined) this.#tailCache.add(place, record)
        this.wakeup.notify()
      },
      onRefused: () => {
        this.#pending.remove(tenant, total)
        this.#nextOffset = this.#safeOffset
      },
    })
    if (this.#options.overflow === 'dropOldest') await this.#dropOldest()
    return { firstOffset, lastOffset: firstOffset + total.count - 1 }
  }

  readerAt(offset: number): TopicReader {
    const { disk, name } = this.#options
    const onCorruption = (corruption: MessageCorruption) => {
      if (this.#corruptions.size < limits.bus.damagesListedMax) {
        this.#corruptions.set(`${corruption.file} ${corruption.offset}`, corruption)
      }
    }
    const folder = getTopicFolder(name)
    return new TopicReader({ disk, folder, files: () => this.#files, tailCache: this.#tailCache, offset, onCorruption })
  }

  /** Reads what is stored, from the oldest message on that is asked for. */
  readKept({ from = 0, newestBytes = Number.POSITIVE_INFINITY }: KeptMessages = {}): MessageReader {
    const reader = this.readerAt(Math.max(from, this.#findNewest(newestBytes)))
    return { read: (countMax) => reader.read(countMax, this.#options.sizes.takeBytesMax) }
  }

  /**
   * Removes files that all consumers have committed, but for those that are kept; `offsetOf` gives the offset of each. On a full
   * disk none is kept.
   */
  async release(offsetOf: (consumer: LocalConsumer) => number, { keepsCopies = true } = {}): Promise<void> {
    if (this.consumers.size === 0) return
    const done = Math.min(...[...this.consumers.values()].map(offsetOf))
    const doneCount = this.#files.findIndex((_, i) => (this.#files[i + 1]?.firstOffset ?? Infinity) > done)
    let keptBytes = keepsCopies ? this.#options.keptBytes ?? 0 : 0
    let count = doneCount
    for (; count > 0 && keptBytes >= this.#files[count - 1]!.size; count--) keptBytes -= this.#files[count - 1]!.size
    await this.#removeFiles(count)
  }

  /** Begins a new file, and removes those before it that all consumers have committed; returns whether these were all. */
  async discard(isKept?: (message: Message) => boolean): Promise<boolean> {
    await this.#log.rotate((place) => this.#extendFiles(place))
    const { firstOffset: end, number } = this.#files.at(-1)!
    if (isKept !== undefined) await this.#publishAgain(end, isKept)
    if (this.consumers.size === 0) await this.#removeFiles(this.#files.findIndex((file) => file.number === number))
    else await this.release(({ committedOffset }) => committedOffset, { keepsCopies: false })
    return this.firstOffset >= end
  }

  /** Publishes messages before an offset again. */
  async #publishAgain(end: number, isKept: (message: Message) => boolean): Promise<void> {
    const reader = this.readKept()
    for (let read = await reader.read(messagesAtOnce); read.length > 0; read = await reader.read(messagesAtOnce)) {
      const before = read.filter(({ offset, lostCost }) => offset < end && lostCost === undefined)
      for (const message of before) if (isKept(message)) await this.publish(message.tenant, [message.bytes])
      if (before.length === 0) return
    }
  }

  /** The first offset of the newest files that have no more bytes together; of the last one at least. */
  #findNewest(bytesMax: number): number {
    let left = bytesMax
    const newer = this.#files.toReversed().findIndex(({ size }) => (left -= size) < 0)
    const first = newer === -1 ? this.#files[0] : this.#files.at(-Math.max(1, newer))
    return first?.firstOffset ?? this.firstOffset
  }

  stats(): TopicStats {
    const corruptions = [...this.#corruptions.values()]
    const [firstCorruption] = corruptions
    return {
      nextOffset: this.#safeOffset,
      backlogBytes: this.#getBacklog((totals) => totals.all).bytes,
      consumers: [...this.consumers.values()].map((consumer) => consumer.stats()),
      droppedCount: this.#droppedCount,
      corruptedCount: corruptions.reduce((sum, { messageCount }) => sum + messageCount, 0),
      firstCorruption,
    }
  }

  async close(): Promise<void> {
    for (const consumer of this.consumers.values()) consumer.close()
    // Waiting polls wake up and find their reader closed.
    this.wakeup.notify()
    await this.#log.close()
    await this.#releases.done()
  }

  #checkCapacity(tenant: TenantId, { bytes }: MessageTotal): void {
    const { name, overflow, hasTenantShare, sizes: { topicBytesMax, tenantBytesMax, waitingBytesMax } } = this.#options
    if (this.#log.waitingBytes > 0 && this.#log.waitingBytes + bytes > waitingBytesMax) {
      throw new BusError('FULL', `the topic ${name} has ${this.#log.waitingBytes} bytes waiting to be written; retry later`)
    }
    if (overflow === 'dropOldest') return
    if (this.#getBacklog((totals) => totals.all).bytes + bytes > topicBytesMax) {
      throw new BusError('FULL', `the topic ${name} is full: its consumers have ${topicBytesMax} bytes to read; retry later`)
    }
    if (hasTenantShare && this.#getBacklog((totals) => totals.get(tenant)).bytes + bytes > tenantBytesMax) {
      throw new BusError('TENANT_FULL', `the tenant's share of the topic ${name} is full: ${tenantBytesMax} bytes wait; retry later`)
    }
  }

  /** The messages that some consumer has not committed, of all tenants or of one. */
  #getBacklog(of: (totals: TenantCounters) => MessageTotal): MessageTotal {
    const done = [...this.consumers.values()].map(({ consumed }) => of(consumed))
    if (done.length === 0) return zeroTotal
    const least = done.reduce((a, b) => (a.bytes < b.bytes ? a : b))
    const count = of(this.#published).count + of(this.#pending).count - least.count
    return { count, bytes: of(this.#published).bytes + of(this.#pending).bytes - least.bytes }
  }

  #extendFiles({ fileNumber, end }: RecordPosition): void {
    const last = this.#files.at(-1)
    if (last?.number === fileNumber) last.size = end
    else this.#files.push({ number: fileNumber, size: end, ...this.#nextFileStart })
  }

  async #dropOldest(): Promise<void> {
    let bytes = this.#files.reduce((sum, { size }) => sum + size, 0)
    let count = 0
    for (; count < this.#files.length - 1 && bytes > this.#options.sizes.topicBytesMax; count++) {
      const { size, firstOffset } = this.#files[count]!
      bytes -= size
      this.#droppedCount += this.#files[count + 1]!.firstOffset - firstOffset
    }
    await this.#removeFiles(count)
  }

  /** Removes the oldest files; a removal that fails is retried with the next one. */
  #removeFiles(count: number): Promise<void> {
    if (count <= 0) return this.#releases.done()
    this.#files.splice(0, count)
    const [first] = this.#files
    return this.#releases.run(() => this.#log.release(first?.number ?? 0))
  }
}

type TopicState = { readonly files: TopicFile[]; readonly end: TopicPoint; readonly consumed: ReadonlyMap<string, TopicPoint> }

function getTopicFolder(name: string): string {
  return `topics/${name}`
}
