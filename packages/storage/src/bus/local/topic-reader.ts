import type { FileSystem, RandomAccessFile } from '../../disk/file-system.ts'
import type { Corruption } from '../../log/corruption.ts'
import { findRecord, decodeRecordAt, recordHeaderLength, readRecordLengthAt } from '../../log/record.ts'
import { getRecordFilePath } from '../../log/record-files.ts'
import { limits } from '../../limits.ts'
import type { Message } from '../bus.ts'
import { getMessageCost } from '../validate-messages.ts'
import type { TailCache } from './tail-cache.ts'
import type { TopicFile } from './topic-files.ts'
import { decodeTopicRecord } from './topic-record.ts'
import type { BatchTrailer, TopicRecord } from './topic-record.ts'

/** Messages whose bytes fail their checksum. */
export type MessageCorruption = Corruption & { readonly messageCount: number }

type TopicReaderOptions = {
  readonly disk: FileSystem
  readonly folder: string
  /** The current files, oldest first. */
  readonly files: () => readonly TopicFile[]
  /** Records that need no file access. */
  readonly tailCache: TailCache
  /** The offset of the first message to read. */
  readonly offset: number
  readonly onCorruption: (damage: MessageCorruption) => void
}

const noBytes = new Uint8Array(0)

/** Reads the durable messages of a topic in offset order, file after file. */
export class TopicReader {
  readonly #options: TopicReaderOptions
  /** The offset of the next message. */
  #offset: number
  #ready: Message[] = []
  #fileNumber: number
  #position = 0
  #open: { readonly number: number; readonly file: RandomAccessFile } | undefined

  constructor(options: TopicReaderOptions) {
    this.#options = options
    const files = options.files()
    this.#offset = Math.max(options.offset, files[0]?.firstOffset ?? 0)
    this.#fileNumber = (files.findLast(({ firstOffset }) => firstOffset <= options.offset) ?? files[0])?.number ?? 0
  }

  /** The next messages; none at the end. */
  async read(countMax: number, bytesMax: number): Promise<readonly Message[]> {
    try {
      return await this.#read(countMax, bytesMax)
    } finally {
      await this.#close()
    }
  }

  async #read(countMax: number, bytesMax: number): Promise<readonly Message[]> {
    let count = 0
    let bytes = 0
    while (count < countMax && bytes < bytesMax) {
      if (count === this.#ready.length && !(await this.#readRecords())) break
      const next = this.#ready[count]
      if (next === undefined) continue
      bytes += next.lostCost ?? getMessageCost(next.bytes)
      // A message over the bound is returned alone.
      if (bytes > bytesMax && count > 0) break
      count++
    }
    return this.#ready.splice(0, count)
  }

  async #close(): Promise<void> {
    await this.#open?.file.close()
    this.#open = undefined
  }

  /** Decodes the messages of the next bytes; false at the end. */
  async #readRecords(): Promise<boolean> {
    const file = this.#currentFile()
    if (file === undefined) return false
    const start = this.#position
    let bytes = this.#options.tailCache.get(file.number, start) ?? (await this.#readAt(file, limits.bus.readBytesMax))
    if (decodeRecordAt(bytes, 0) === undefined) {
      const length = Math.max(recordHeaderLength, readRecordLengthAt(bytes, 0) ?? 0)
      if (length > bytes.length) bytes = await this.#readAt(file, length)
      if (decodeRecordAt(bytes, 0) === undefined) {
        // Corrupted, or torn when a process ended: reading continues at the next whole record.
        bytes = await this.#readAt(file, Number.POSITIVE_INFINITY)
        this.#position = start + (findRecord(bytes, 1) ?? bytes.length)
        return true
      }
    }
    let end = 0
    for (let found = decodeRecordAt(bytes, 0); found !== undefined; found = decodeRecordAt(bytes, end)) {
      const record = decodeTopicRecord(found.payload)
      if (record !== undefined) this.#acceptRecord(record, start + end)
      end = found.end
    }
    this.#position = start + end
    return true
  }

  /** The file to read from: the next one when this one is exhausted. */
  #currentFile(): TopicFile | undefined {
    const files = this.#options.files()
    const current = files.find(({ number }) => number === this.#fileNumber)
    if (current !== undefined && this.#position < current.size) return current
    const next = files.find(({ number }) => number > this.#fileNumber)
    if (next === undefined) return undefined
    this.#fileNumber = next.number
    this.#position = 0
    // Messages dropped in favour of newer ones are not corruption.
    if (current === undefined) this.#offset = Math.max(this.#offset, next.firstOffset)
    return next
  }

  async #readAt(file: TopicFile, length: number): Promise<Buffer> {
    const { disk, folder } = this.#options
    if (this.#open?.number !== file.number) {
      await this.#close()
      this.#open = { number: file.number, file: await disk.open(getRecordFilePath(folder, file.number), 'read') }
    }
    return await this.#open.file.read(this.#position, Math.min(length, file.size - this.#position))
  }

  /** Queues the messages of a record; a gap before it, whether a batch or a header follows, is corruption. */
  #acceptRecord(record: TopicRecord, position: number): void {
    const { firstOffset } = record
    const messageCount = firstOffset - this.#offset
    if (messageCount > 0) {
      const file = getRecordFilePath(this.#options.folder, this.#fileNumber)
      const problem = `the ${messageCount} messages before it are corrupted`
      this.#options.onCorruption({ file, offset: position, problem, messageCount })
      this.#offset = firstOffset
    }
    if (record.kind === 'head') return
    if (record.kind === 'trailer') {
      this.#acceptTrailer(record, position)
      return
    }
    for (const [i, bytes] of record.messages.entries()) {
      if (firstOffset + i < this.#offset) continue
      this.#ready.push({ offset: firstOffset + i, tenant: record.tenant, bytes })
      this.#offset = firstOffset + i + 1
    }
  }

  /** Queues placeholders for the messages of a batch that was not read: its bytes are corrupted. */
  #acceptTrailer({ firstOffset, tenant, total: { count, bytes } }: BatchTrailer, position: number): void {
    const messageCount = firstOffset + count - this.#offset
    if (messageCount <= 0) return
    const file = getRecordFilePath(this.#options.folder, this.#fileNumber)
    const problem = `the ${messageCount} messages before it are corrupted`
    this.#options.onCorruption({ file, offset: position, problem, messageCount })
    const share = Math.floor(bytes / count)
    for (; this.#offset < firstOffset + count; this.#offset++) {
      const isLast = this.#offset === firstOffset + count - 1
      this.#ready.push({ offset: this.#offset, tenant, bytes: noBytes, lostCost: isLast ? bytes - share * (count - 1) : share })
    }
  }
}
