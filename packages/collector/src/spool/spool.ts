import type { FileSystem, RandomAccessFile } from '@tripline/storage/disk/file-system'
import { decodeRecordAt, readRecordLengthAt, recordHeaderLength } from '@tripline/storage/log/record'
import { getRecordFilePath, listRecordFiles, readRecordFile } from '@tripline/storage/log/record-files'
import { WriteAheadLog } from '@tripline/storage/log/write-ahead-log'
import { limits } from '../limits.ts'
import { encodeSpoolRecord, readSpoolHeader, readSpoolLines } from './spool-record.ts'
import type { SourcePosition, SpoolHeader } from './spool-record.ts'

type SpoolOptions = {
  readonly capacityBytes: number
  /** Creates the id of a new spool. */
  readonly createId: () => string
  readonly now: () => number
}

/** Events to send: lines of JSON, each with its sequence number. */
export type SpoolBatch = { readonly first: number; readonly count: number; readonly lines: Buffer }

type SpoolStats = {
  readonly events: number
  readonly bytes: number
  readonly capacityBytes: number
  /** When the oldest event was written that was not sent. */
  readonly oldestAt: number | undefined
  readonly droppedTotal: number
}

/** Events that could not be written: the disk is full, or it failed. */
class SpoolError extends Error {
  readonly code: 'FULL' | 'FAILED' | 'UNKNOWN'

  constructor(code: SpoolError['code'], cause: unknown) {
    super(code === 'FULL' ? 'the disk of the spool is full' : 'the disk of the spool failed', { cause })
    this.code = code
  }
}

/** A file: the sequence numbers of its events, how many bytes are durable, and when the first of its events was written. */
type SpoolFile = { first: number; last: number; end: number; startedAt: number | undefined }

const folder = 'spool'

/**
 * A bounded queue on disk, over a write-ahead log: events wait here until the server has them. Sources write their position in
 * the record of their events, so that after a crash none is read twice or missed. Where the spool is full, its oldest file is
 * dropped, and each of its events counted.
 */
export class Spool {
  readonly #disk: FileSystem
  readonly #options: SpoolOptions
  readonly #positions = new Map<string, SourcePosition>()
  readonly #files = new Map<number, SpoolFile>()
  #log!: WriteAheadLog
  #id = ''
  #next = 0
  #acked = 0
  #droppedTotal = 0
  /** Where the next batch begins. */
  #cursor = { fileNumber: 0, offset: 0 }
  /** The last file that events were taken of, until they are acknowledged. */
  #takenFile = 0
  #takenUntil = 0
  #reading: { readonly fileNumber: number; readonly file: RandomAccessFile } | undefined
  #wake = Promise.withResolvers<void>()

  private constructor(disk: FileSystem, options: SpoolOptions) {
    this.#disk = disk
    this.#options = options
  }

  static async open(disk: FileSystem, options: SpoolOptions): Promise<Spool> {
    const spool = new Spool(disk, options)
    await disk.makeFolder(folder)
    await spool.#load()
    return spool
  }

  /** Names the spool in the ids of events. */
  get id(): string {
    return this.#id
  }

  /** Where a source stood when its last events were written. */
  getPosition(source: string): SourcePosition | undefined {
    return this.#positions.get(source)
  }

  /** Forgets the position of a source that is not configured any more. */
  forget(source: string): void {
    this.#positions.delete(source)
  }

  get stats(): SpoolStats {
    const pending = [...this.#files.values()].filter(({ last }) => last > this.#acked)
    return {
      events: pending.reduce((sum, { first, last }) => sum + last - Math.max(first, this.#acked), 0),
      bytes: this.#byteCount, capacityBytes: this.#options.capacityBytes,
      oldestAt: pending[0]?.startedAt, droppedTotal: this.#droppedTotal,
    }
  }

  /** Whether sources should wait whose events are safe where they are. */
  get isCrowded(): boolean {
    return this.#byteCount > this.#options.capacityBytes * limits.spool.crowdedShare
  }

  /** Why nothing can be written any more. */
  get failure(): Error | undefined {
    return this.#log.failure
  }

  /** Writes events and the position behind them; resolves when they are durable. @throws SpoolError. */
  async append(source: string, lines: readonly Uint8Array[], position?: SourcePosition): Promise<void> {
    const bytes = joinLines(lines)
    const count = lines.length
    await this.#write(bytes.length, (first) => {
      this.#next += count
      const header = { kind: 'events', first, count, source, at: this.#options.now(), ...(position !== undefined && { position }) } as const
      return encodeSpoolRecord(header, bytes)
    }, (file, first) => {
      file.last = first + count
      file.startedAt ??= this.#options.now()
      if (position !== undefined) this.#positions.set(source, position)
    })
    await this.#dropExcess()
    this.#wake.resolve()
  }

  /** The next batch; its file is not dropped until it is acknowledged. Undefined while there is none. */
  async take(): Promise<SpoolBatch | undefined> {
    const { batchEventsMax, batchBytesMax } = limits.delivery
    const parts: Buffer[] = []
    let [first, count, byteCount] = [0, 0, 0]
    let hasRead = false
    while (count < batchEventsMax && byteCount < batchBytesMax) {
      const record = await this.#readNext(count === 0 ? undefined : first + count)
      if (record === undefined) break
      hasRead = true
      if (count === 0) first = record.first
      count += record.count
      byteCount += record.lines.length
      parts.push(record.lines)
    }
    if (count === 0) {
      // Records of positions alone wait for no answer.
      if (hasRead) await this.acknowledge({ first: this.#acked, count: 0 })
      return undefined
    }
    this.#takenUntil = first + count
    return { first, count, lines: Buffer.concat(parts) }
  }

  /** Notes that the server has a batch, and removes what is not needed any more. */
  async acknowledge({ first, count }: Pick<SpoolBatch, 'first' | 'count'>): Promise<void> {
    this.#acked = Math.max(this.#acked, first + count)
    this.#takenFile = 0
    const done = [...this.#files].filter(([number, { last }]) => last <= this.#acked && number < this.#cursor.fileNumber)
    if (done.length > 0) await this.#log.release(Math.max(...done.map(([number]) => number)) + 1)
    for (const [number] of done) this.#files.delete(number)
    // What is sent again after a crash is known to the server, so that this need not be durable yet. A disk that fails is
    // in `failure`, which ends the collector; one that is full is reported by the next append.
    void this.#writeTotals().catch(() => {})
  }

  /** Resolves when there may be something to take. */
  async waitForEvents(signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve(), { once: true })
    })
    await Promise.race([this.#wake.promise, aborted])
    this.#wake = Promise.withResolvers()
  }

  async close(): Promise<void> {
    // The totals of the last acknowledgement do: what is sent again from there is known to the server.
    await this.#writeTotals().catch(() => {})
    await this.#log.close()
    await this.#reading?.file.close()
  }

  get #byteCount(): number {
    return [...this.#files.values()].reduce((sum, { end }) => sum + end, 0)
  }

  /** Appends a record; `encode` is called with the next sequence number, `onDurable` with the file that the record is in. */
  async #write(byteCount: number, encode: (first: number) => Buffer, onDurable?: (file: SpoolFile, first: number) => void): Promise<void> {
    let first = 0
    await this.#log.append({
      byteCount,
      encode: () => {
        first = this.#next
        return encode(first)
      },
      onDurable: ({ fileNumber, end }) => {
        const file = this.#files.get(fileNumber) ?? { first, last: first, end: 0, startedAt: undefined }
        this.#files.set(fileNumber, file)
        file.end = end
        onDurable?.(file, first)
      },
    })
  }

  async #writeTotals(droppedFile?: number): Promise<void> {
    const { acked, droppedTotal } = { acked: this.#acked, droppedTotal: this.#droppedTotal }
    const header = { kind: 'totals', acked, droppedTotal, ...(droppedFile !== undefined && { droppedFile }) } as const
    await this.#write(64, () => encodeSpoolRecord(header))
  }

  /** Drops the oldest files while there is too much: not the one that is written, nor those of the batch that is being sent. */
  async #dropExcess(): Promise<void> {
    while (this.#byteCount > this.#options.capacityBytes) {
      const newest = Math.max(...this.#files.keys())
      const oldest = [...this.#files].find(([number, { last }]) => number !== newest && number > this.#takenFile && last > this.#acked)
      if (oldest === undefined) return
      const [number, { first, last }] = oldest
      // No other caller may drop it as well.
      this.#files.delete(number)
      this.#droppedTotal += last - Math.max(first, this.#acked)
      // Durable before the file goes, so that each event is sent or counted, and none both.
      await this.#writeTotals(number)
      await this.#removeFile(number)
    }
  }

  async #removeFile(number: number): Promise<void> {
    if (this.#reading?.fileNumber === number) {
      await this.#reading.file.close()
      this.#reading = undefined
    }
    await this.#disk.remove(getRecordFilePath(folder, number))
  }

  /** Reads the record at the cursor, if it begins with the expected event, and moves on. */
  async #readNext(expected: number | undefined): Promise<SpoolBatch | undefined> {
    for (;;) {
      const number = [...this.#files.keys()].filter((one) => one >= this.#cursor.fileNumber).sort((a, b) => a - b)[0]
      if (number === undefined) return undefined
      if (number !== this.#cursor.fileNumber) this.#cursor = { fileNumber: number, offset: 0 }
      const file = this.#files.get(number)!
      if (this.#cursor.offset >= file.end) {
        const isNewest = [...this.#files.keys()].every((one) => one <= number)
        if (isNewest) return undefined
        this.#cursor = { fileNumber: number + 1, offset: 0 }
        continue
      }
      const record = await this.#readRecord(number, this.#cursor.offset, file.end)
      // Dropped meanwhile, or broken: where the next record of the file begins is not known.
      if (record === undefined || !this.#files.has(number)) {
        if (this.#files.has(number)) this.#countBroken(file)
        this.#cursor = { fileNumber: number + 1, offset: 0 }
        continue
      }
      const { header, payload, end } = record
      const isWanted = header?.kind === 'events' && header.first + header.count > this.#acked
      if (isWanted && expected !== undefined && header.first !== expected) return undefined
      this.#cursor = { fileNumber: number, offset: end }
      if (!isWanted) continue
      this.#takenFile = number
      return { first: header.first, count: header.count, lines: readSpoolLines(payload) }
    }
  }

  /** Counts the events of a file as dropped that can be read no more. */
  #countBroken(file: SpoolFile): void {
    this.#droppedTotal += Math.max(0, file.last - Math.max(file.first, this.#takenUntil, this.#acked))
  }

  async #readRecord(
    fileNumber: number, offset: number, fileEnd: number,
  ): Promise<{ readonly header: SpoolHeader | undefined; readonly payload: Buffer; readonly end: number } | undefined> {
    if (this.#reading?.fileNumber !== fileNumber) {
      await this.#reading?.file.close()
      this.#reading = { fileNumber, file: await this.#disk.open(getRecordFilePath(folder, fileNumber), 'read') }
    }
    const { file } = this.#reading
    const length = readRecordLengthAt(await file.read(offset, recordHeaderLength), 0)
    if (length === undefined || offset + length > fileEnd) return undefined
    const decoded = decodeRecordAt(await file.read(offset, length), 0)
    return decoded && { header: readSpoolHeader(decoded.payload), payload: decoded.payload, end: offset + length }
  }

  async #load(): Promise<void> {
    const numbers = await listRecordFiles(this.#disk, folder)
    const dropped: number[] = []
    for (const number of numbers) {
      const { payloads } = await readRecordFile(this.#disk, getRecordFilePath(folder, number))
      for (const { payload, end } of payloads) {
        const header = readSpoolHeader(payload)
        const file = this.#files.get(number) ?? { first: this.#next, last: this.#next, end: 0, startedAt: undefined }
        this.#files.set(number, file)
        file.end = end
        if (header !== undefined) this.#apply(header, file)
        if (header?.kind === 'totals' && header.droppedFile !== undefined) dropped.push(header.droppedFile)
      }
    }
    for (const number of dropped) {
      this.#files.delete(number)
      await this.#disk.remove(getRecordFilePath(folder, number))
    }
    this.#id ||= this.#options.createId()
    const { bytesMin, fileBytesMax, filesMin } = limits.spool
    this.#log = new WriteAheadLog(this.#disk, {
      folder, numbers: numbers.filter((number) => !dropped.includes(number)),
      fileBytesMax: Math.min(fileBytesMax, Math.floor(Math.max(this.#options.capacityBytes, bytesMin) / filesMin)),
      createError: (code, cause) => new SpoolError(code, cause),
      checkpoint: () => encodeSpoolRecord({
        kind: 'checkpoint', id: this.#id, next: this.#next, acked: this.#acked, droppedTotal: this.#droppedTotal,
        positions: Object.fromEntries(this.#positions),
      }),
    })
  }

  #apply(header: SpoolHeader, file: SpoolFile): void {
    if (header.kind === 'events') {
      this.#next = Math.max(this.#next, header.first + header.count)
      if (file.startedAt === undefined) file.startedAt = header.at
      file.last = header.first + header.count
      if (header.position !== undefined) this.#positions.set(header.source, header.position)
      return
    }
    this.#acked = Math.max(this.#acked, header.acked)
    this.#droppedTotal = Math.max(this.#droppedTotal, header.droppedTotal)
    if (header.kind === 'totals') return
    this.#id = header.id
    this.#next = Math.max(this.#next, header.next)
    // Files before it may be gone.
    file.first = header.next
    file.last = header.next
    this.#positions.clear()
    for (const [source, position] of Object.entries(header.positions)) this.#positions.set(source, position)
  }
}

/** Lines of JSON, each with its end. */
function joinLines(lines: readonly Uint8Array[]): Buffer {
  const end = Buffer.from('\n')
  return Buffer.concat(lines.flatMap((line) => [line, end]))
}
