import type { FileSystem, RandomAccessFile } from '../file-system.ts'
import { isOutOfSpaceError, writeFully } from '../file-system.ts'
import { getRecordFilePath } from './record-files.ts'
import { SyncError, syncOrFail } from './sync-error.ts'

export type WriteAheadLogOptions = {
  /** Where its files are. */
  readonly folder: string
  /** Of the files that are there, ascending; they are never written to again. */
  readonly numbers: readonly number[]
  /** What each new file begins with. */
  readonly checkpoint: () => Buffer
  /** A file that has more gets no further group. */
  readonly fileBytesMax: number
  /** What those are told whose records are not taken: a disk without room may have some later, a failed one does not recover. */
  readonly refusal: (code: 'FULL' | 'FAILED', cause: unknown) => Error
}

/** A record to be added. */
export type LoggedRecord = {
  /** What it counts as while it waits. */
  readonly byteCount: number
  /** Gives its bytes once it is its turn: called in the order of the records, and behind the checkpoint of their file. */
  readonly encode: () => Buffer
  /** Called when the bytes are safe, before the promise resolves and in the order of the records. */
  readonly onSafe: (place: RecordPosition) => void
  /** Called when they are not taken; then none of those that were encoded with it is. */
  readonly onRefused?: () => void
}

/** The file that a record is in, and where there it begins and ends. */
export type RecordPosition = { readonly fileNumber: number; readonly start: number; readonly end: number }

type OpenLogFile = { readonly number: number; readonly file: RandomAccessFile; size: number }
type PendingRecord = LoggedRecord & { readonly resolve: () => void; readonly reject: (error: Error) => void }

/**
 * A write-ahead log: files of records, one after the other. Records that arrive while others are synced are written
 * and synced together.
 */
export class WriteAheadLog {
  readonly #disk: FileSystem
  readonly #options: WriteAheadLogOptions
  #waiting: PendingRecord[] = []
  #waitingBytes = 0
  #isWriting = false
  #idle = Promise.withResolvers<void>()
  #file: OpenLogFile | undefined
  #nextNumber: number
  #numbers: number[]
  #failure: SyncError | undefined

  constructor(disk: FileSystem, options: WriteAheadLogOptions) {
    this.#disk = disk
    this.#options = options
    this.#numbers = [...options.numbers]
    this.#nextNumber = (options.numbers.at(-1) ?? 0) + 1
    this.#idle.resolve()
  }

  /** Numbers of its files, ascending. */
  get numbers(): readonly number[] {
    return this.#numbers
  }

  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** Why the log takes nothing any more; undefined while it does. */
  get failure(): SyncError | undefined {
    return this.#failure
  }

  /** Stops taking records: what the disk did with bytes cannot be known any more. */
  fail(error: SyncError): void {
    this.#failure ??= error
  }

  /** Adds a record; resolves when its bytes are safe. */
  append(record: LoggedRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waitingBytes += record.byteCount
      this.#waiting.push({ ...record, resolve, reject })
      if (!this.#isWriting) void this.#write()
    })
  }

  /**
   * Removes files whose records are not needed any more: those with numbers below this one. What a full disk does not
   * let go is removed the next time; on any other error the log fails.
   */
  async release(below: number): Promise<void> {
    const released = this.#numbers.filter((number) => number < below && number !== this.#file?.number)
    if (released.length === 0) return
    try {
      // The oldest first, so that what is left has no gap.
      for (const number of released) {
        await this.#disk.remove(getRecordFilePath(this.#options.folder, number))
        this.#numbers = this.#numbers.filter((left) => left !== number)
      }
      await this.#disk.syncFolder(this.#options.folder)
    } catch (error) {
      if (!isOutOfSpaceError(error)) this.fail(new SyncError(error))
    }
  }

  async close(): Promise<void> {
    await this.#idle.promise
    await this.#file?.file.close()
    this.#file = undefined
  }

  /** Writes group after group until none waits. */
  async #write(): Promise<void> {
    this.#isWriting = true
    this.#idle = Promise.withResolvers()
    // Records that are added in the same turn go together.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const group = this.#waiting
      const groupBytes = this.#waitingBytes
      this.#waiting = []
      const written = await this.#writeGroup(group)
      this.#waitingBytes -= groupBytes
      if (written instanceof Error) {
        for (const { onRefused } of group) onRefused?.()
        for (const { reject } of group) reject(written)
      } else {
        for (const [i, { onSafe, resolve }] of group.entries()) {
          onSafe(written[i]!)
          resolve()
        }
      }
    }
    this.#isWriting = false
    this.#idle.resolve()
  }

  /** Makes a group safe; says where its records are, or why it could not. */
  async #writeGroup(group: readonly PendingRecord[]): Promise<readonly RecordPosition[] | Error> {
    const { refusal } = this.#options
    if (this.#failure !== undefined) return refusal('FAILED', this.#failure)
    try {
      const open = await this.#getWritableFile()
      const places: RecordPosition[] = []
      const encoded: Buffer[] = []
      let end = open.size
      for (const { encode } of group) {
        const bytes = encode()
        encoded.push(bytes)
        places.push({ fileNumber: open.number, start: end, end: end + bytes.length })
        end += bytes.length
      }
      await this.#writeAt(open, Buffer.concat(encoded))
      open.size = end
      return places
    } catch (error) {
      if (isOutOfSpaceError(error)) return refusal('FULL', error)
      // Whatever else goes wrong leaves it open which bytes are safe: nothing is tried again as if it had not.
      this.#failure = error instanceof SyncError ? error : new SyncError(error)
      return refusal('FAILED', this.#failure)
    }
  }

  async #writeAt({ file, size }: { readonly file: RandomAccessFile; readonly size: number }, bytes: Buffer): Promise<void> {
    try {
      await writeFully(file, bytes, size)
    } catch (error) {
      // What was written of it must not be taken for records that were acknowledged.
      await file.truncate(size)
      throw error
    }
    await syncOrFail(file)
  }

  async #getWritableFile(): Promise<OpenLogFile> {
    const { folder, checkpoint, fileBytesMax } = this.#options
    if (this.#file !== undefined && this.#file.size < fileBytesMax) return this.#file
    const number = this.#nextNumber
    const file = await this.#disk.open(getRecordFilePath(folder, number), 'write')
    const beginning = checkpoint()
    try {
      await this.#writeAt({ file, size: 0 }, beginning)
      try {
        await this.#disk.syncFolder(folder)
      } catch (error) {
        throw new SyncError(error)
      }
    } catch (error) {
      await file.close()
      throw error
    }
    await this.#file?.file.close()
    this.#nextNumber++
    this.#numbers.push(number)
    this.#file = { number, file, size: beginning.length }
    return this.#file
  }
}
