import type { Disk, DiskFile } from '../disk.ts'
import { isDiskFull, writeWhole } from '../disk.ts'
import type { Damage } from './event-store.ts'
import { EventStoreError } from './event-store.ts'
import { decodeRecord, encodeRecord, recordMagic } from './log-record.ts'
import type { LogRecord } from './log-record.ts'
import { SyncError, syncOrFail } from './segment.ts'

export const logFolder = 'log'

export type EventLogOptions = {
  /** Of the files that are there, ascending; they are never written to again. */
  readonly numbers: readonly number[]
  /** What each new file begins with. */
  readonly checkpoint: () => readonly LogRecord[]
  /** A file that has more gets no further group. */
  readonly fileBytesMax: number
}

type OpenLogFile = { readonly number: number; readonly file: DiskFile; size: number }

/** A record that waits to be written, and what is to happen then. */
type Waiting = {
  readonly bytes: Buffer
  /** Called when the bytes are safe, in the order of the records, with the number of the file they are in. */
  readonly onSafe: (fileNumber: number) => void
  readonly onRefused: (error: EventStoreError) => void
}

/**
 * The write-ahead log: files of records, one after the other. Records that arrive while others are synced are
 * written and synced together.
 */
export class EventLog {
  readonly #disk: Disk
  readonly #checkpoint: EventLogOptions['checkpoint']
  readonly #fileBytesMax: number
  #waiting: Waiting[] = []
  #waitingBytes = 0
  #isWriting = false
  #idle = Promise.withResolvers<void>()
  #file: OpenLogFile | undefined
  #nextNumber: number
  #numbers: number[]
  #failure: SyncError | undefined

  constructor(disk: Disk, { numbers, checkpoint, fileBytesMax }: EventLogOptions) {
    this.#disk = disk
    this.#numbers = [...numbers]
    this.#nextNumber = (numbers.at(-1) ?? 0) + 1
    this.#checkpoint = checkpoint
    this.#fileBytesMax = fileBytesMax
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

  /** Adds a record; `onSafe` is called before the promise resolves, in the order in which records were added. */
  append(record: LogRecord, onSafe: (fileNumber: number) => void): Promise<void> {
    const bytes = encodeRecord(record)
    return new Promise((resolve, reject) => {
      this.#waitingBytes += bytes.length
      this.#waiting.push({
        bytes,
        onSafe: (fileNumber) => {
          onSafe(fileNumber)
          resolve()
        },
        onRefused: reject,
      })
      if (!this.#isWriting) void this.#write()
    })
  }

  /** Removes files that only hold what is stored elsewhere: those with numbers below this one. */
  async release(below: number): Promise<void> {
    const released = this.#numbers.filter((number) => number < below && number !== this.#file?.number)
    if (released.length === 0) return
    // The oldest first, so that what is left has no gap.
    for (const number of released) {
      await this.#disk.remove(pathOf(number))
      this.#numbers = this.#numbers.filter((left) => left !== number)
    }
    await this.#disk.syncFolder(logFolder)
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
      const refusal = await this.#writeGroup(group)
      this.#waitingBytes -= groupBytes
      for (const { onSafe, onRefused } of group) {
        if (refusal === undefined) onSafe(this.#file!.number)
        else onRefused(refusal)
      }
    }
    this.#isWriting = false
    this.#idle.resolve()
  }

  /** Makes a group safe; says why where it could not. */
  async #writeGroup(group: readonly Waiting[]): Promise<EventStoreError | undefined> {
    if (this.#failure !== undefined) return failed(this.#failure)
    try {
      const open = await this.#fileWithRoom()
      const bytes = Buffer.concat(group.map((waiting) => waiting.bytes))
      await this.#writeAt(open, bytes)
      open.size += bytes.length
      return undefined
    } catch (error) {
      if (isDiskFull(error)) return new EventStoreError('FULL', 'the disk has no room for events', { cause: error })
      // Whatever else goes wrong leaves it open which bytes are safe: nothing is tried again as if it had not.
      this.#failure = error instanceof SyncError ? error : new SyncError(error)
      return failed(this.#failure)
    }
  }

  async #writeAt({ file, size }: { readonly file: DiskFile; readonly size: number }, bytes: Buffer): Promise<void> {
    try {
      await writeWhole(file, bytes, size)
    } catch (error) {
      // What was written of it must not be taken for records that were acknowledged.
      await file.truncate(size)
      throw error
    }
    await syncOrFail(file)
  }

  async #fileWithRoom(): Promise<OpenLogFile> {
    if (this.#file !== undefined && this.#file.size < this.#fileBytesMax) return this.#file
    const number = this.#nextNumber
    const file = await this.#disk.open(pathOf(number), 'write')
    const beginning = Buffer.concat(this.#checkpoint().map(encodeRecord))
    try {
      await this.#writeAt({ file, size: 0 }, beginning)
      try {
        await this.#disk.syncFolder(logFolder)
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

/** What a file of the log holds. */
export type LogContents = {
  readonly records: readonly LogRecord[]
  readonly damages: readonly Damage[]
}

/** Numbers of the files of a log, ascending. */
export async function logNumbers(disk: Disk): Promise<number[]> {
  const names = await disk.list(logFolder)
  return names.flatMap((name) => (/^\d{8,}\.log$/.test(name) ? [Number.parseInt(name, 10)] : [])).sort((a, b) => a - b)
}

/**
 * Reads a file of the log: whole records, also those behind damaged bytes. What broke off at the end was never
 * acknowledged and is passed over; so are bytes behind it that are no record.
 */
export async function readLogFile(disk: Disk, number: number): Promise<LogContents> {
  const path = pathOf(number)
  const file = await disk.open(path, 'read')
  const bytes = await file.read(0, await file.size())
  await file.close()
  const records: LogRecord[] = []
  const damages: Damage[] = []
  for (let at = 0; at < bytes.length;) {
    const found = decodeRecord(bytes, at)
    if (found === undefined) {
      const next = nextRecord(bytes, at + 1)
      if (next === undefined) break
      damages.push({ file: path, offset: at, problem: 'bytes that are no whole record' })
      at = next
    } else {
      records.push(found.record)
      at = found.end
    }
  }
  return { records, damages }
}

function nextRecord(bytes: Buffer, from: number): number | undefined {
  const magic = Buffer.alloc(4)
  magic.writeUInt32LE(recordMagic)
  for (let at = bytes.indexOf(magic, from); at !== -1; at = bytes.indexOf(magic, at + 1)) {
    if (decodeRecord(bytes, at) !== undefined) return at
  }
  return undefined
}

export function pathOf(number: number): string {
  return `${logFolder}/${String(number).padStart(8, '0')}.log`
}

function failed(failure: SyncError): EventStoreError {
  return new EventStoreError('FAILED', `no event is taken any more: ${failure.message}`, { cause: failure })
}
