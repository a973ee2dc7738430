import type { FileSystem, RandomAccessFile } from '../disk/file-system.ts'
import { isTransientDiskError, writeFully } from '../disk/file-system.ts'
import { getRecordFilePath } from './record-files.ts'
import { SyncError, syncFolderOrFail, syncOrFail } from './sync-error.ts'

export type WriteAheadLogOptions = {
  /** The folder of its files. */
  readonly folder: string
  /** The numbers of the existing files, ascending; they are never written to again. */
  readonly numbers: readonly number[]
  /** What each new file begins with. */
  readonly checkpoint: () => Buffer
  /** A file of this size takes no further group. */
  readonly fileBytesMax: number
  /** Creates the error for rejected records. */
  readonly createError: (code: RejectionCode, cause: unknown) => Error
}

/**
 * Why records are rejected: the disk is full, which may recover; it failed before they were written; or it failed while they
 * were written, so a restart may find them or not.
 */
export type RejectionCode = 'FULL' | 'FAILED' | 'UNKNOWN'

/** A record to append. */
type LoggedRecord = {
  /** Its cost while it waits. */
  readonly byteCount: number
  /** Returns its bytes; called in the order of the records, behind the checkpoint of their file. */
  readonly encode: () => Buffer
  /** Called when the bytes are durable, before the promise resolves and in the order of the records. */
  readonly onDurable: (place: RecordPosition) => void
  /** Called when they are rejected; then all records of the group are. */
  readonly onRefused?: () => void
  /** Whether it is the first of its file. */
  readonly beginsFile?: boolean
}

/** The file of a record, and where the record begins and ends in it. */
export type RecordPosition = { readonly fileNumber: number; readonly start: number; readonly end: number }

type OpenLogFile = { readonly number: number; readonly file: RandomAccessFile; size: number; hasRest: boolean }
type PendingRecord = LoggedRecord & { readonly resolve: () => void; readonly reject: (error: Error) => void }

/**
 * A write-ahead log in numbered files, with group commit: records that arrive during a sync are written and synced
 * together.
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

  /** The numbers of its files, ascending. */
  get numbers(): readonly number[] {
    return this.#numbers
  }

  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** Why the log stopped; undefined while it works. */
  get failure(): SyncError | undefined {
    return this.#failure
  }

  /** Stops the log: it is unknown what the disk did with the bytes. */
  fail(error: SyncError): void {
    this.#failure ??= error
  }

  /** Appends a record; resolves when its bytes are durable. */
  append(record: LoggedRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waitingBytes += record.byteCount
      this.#waiting.push({ ...record, resolve, reject })
      if (!this.#isWriting) void this.#write()
    })
  }

  /** Begins a new file: records appended before are in files below it. `onDurable` learns its place, in the order of the records. */
  async rotate(onDurable: LoggedRecord['onDurable'] = () => {}): Promise<void> {
    await this.append({ byteCount: 0, encode: () => Buffer.alloc(0), onDurable, beginsFile: true })
  }

  /**
   * Removes files that are no longer needed: those with numbers below this one. A removal that fails on a full disk is
   * retried later; any other error stops the log.
   */
  async release(below: number): Promise<void> {
    const released = this.#numbers.filter((number) => number < below && number !== this.#file?.number)
    if (released.length === 0) return
    try {
      // The oldest first, so that the rest has no gap.
      for (const number of released) {
        await this.#disk.remove(getRecordFilePath(this.#options.folder, number))
        this.#numbers = this.#numbers.filter((left) => left !== number)
      }
      await this.#disk.syncFolder(this.#options.folder)
    } catch (error) {
      if (!isTransientDiskError(error)) this.fail(new SyncError(error))
    }
  }

  async close(): Promise<void> {
    await this.#idle.promise
    await this.#file?.file.close()
    this.#file = undefined
  }

  /** Writes group after group until no record waits. */
  async #write(): Promise<void> {
    this.#isWriting = true
    this.#idle = Promise.withResolvers()
    // Records appended in the same tick form one group.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const { group, rest } = splitBeforeFile(this.#waiting)
      const groupBytes = this.#waitingBytes - rest.reduce((sum, { byteCount }) => sum + byteCount, 0)
      this.#waiting = rest
      const written = await this.#writeGroup(group)
      this.#waitingBytes -= groupBytes
      if (written instanceof Error) {
        for (const { onRefused } of group) onRefused?.()
        for (const { reject } of group) reject(written)
      } else {
        for (const [i, { onDurable, resolve }] of group.entries()) {
          onDurable(written[i]!)
          resolve()
        }
      }
    }
    this.#isWriting = false
    this.#idle.resolve()
  }

  /** Makes a group durable; returns the positions of its records, or the error. */
  async #writeGroup(group: readonly PendingRecord[]): Promise<readonly RecordPosition[] | Error> {
    const { createError } = this.#options
    if (this.#failure !== undefined) return createError('FAILED', this.#failure)
    try {
      const open = await this.#getWritableFile(group[0]?.beginsFile === true)
      const places: RecordPosition[] = []
      const encoded: Buffer[] = []
      let end = open.size
      for (const { encode } of group) {
        const bytes = encode()
        encoded.push(bytes)
        places.push({ fileNumber: open.number, start: end, end: end + bytes.length })
        end += bytes.length
      }
      const [first = Buffer.alloc(0), ...others] = encoded
      await this.#writeAt(open, others.length === 0 ? first : Buffer.concat(encoded))
      open.size = end
      return places
    } catch (error) {
      if (isTransientDiskError(error)) return createError('FULL', error)
      // After any other error it is unknown which bytes are durable, so nothing is retried.
      this.#failure = error instanceof SyncError ? error : new SyncError(error)
      return createError('UNKNOWN', this.#failure)
    }
  }

  /** Appends bytes behind the records of a file. After an error the bytes count as unwritten and are cut off. */
  async #writeAt(open: OpenLogFile, bytes: Buffer): Promise<void> {
    await truncateRest(open)
    open.hasRest = true
    try {
      await writeFully(open.file, bytes, open.size)
      await syncOrFail(open.file)
      open.hasRest = false
    } catch (error) {
      // Rejected records must not be read as acknowledged ones. If this fails, the next write does it.
      if (!(error instanceof SyncError)) await truncateRest(open)
      throw error
    }
  }

  async #getWritableFile(isNew: boolean): Promise<OpenLogFile> {
    const { folder, checkpoint, fileBytesMax } = this.#options
    if (this.#file !== undefined && this.#file.size < fileBytesMax && !isNew) return this.#file
    const number = this.#nextNumber
    const file = await this.#disk.open(getRecordFilePath(folder, number), 'write')
    // An earlier attempt may have left bytes.
    const open: OpenLogFile = { number, file, size: 0, hasRest: true }
    try {
      const beginning = checkpoint()
      await this.#writeAt(open, beginning)
      await syncFolderOrFail(this.#disk, folder)
      open.size = beginning.length
    } catch (error) {
      await file.close()
      throw error
    }
    const previous = this.#file
    this.#nextNumber++
    this.#numbers.push(number)
    this.#file = open
    await previous?.file.close()
    return open
  }
}

/** The records of the next group: up to one that begins a file. */
function splitBeforeFile(waiting: PendingRecord[]): { readonly group: readonly PendingRecord[]; readonly rest: PendingRecord[] } {
  const end = waiting.findIndex(({ beginsFile = false }, i) => beginsFile && i > 0)
  return end === -1 ? { group: waiting, rest: [] } : { group: waiting.slice(0, end), rest: waiting.slice(end) }
}

/** Cuts off what a failed write left behind the records of a file. */
async function truncateRest(open: OpenLogFile): Promise<void> {
  if (!open.hasRest) return
  if (await open.file.size() > open.size) await open.file.truncate(open.size)
  open.hasRest = false
}
