import { getErrorCode } from '@tripline/common/error-code'
import { getErrorMessage } from '@tripline/common/error-message'
import { isUnreadableError } from '../disk/file-system.ts'
import type { FileSystem, RandomAccessFile } from '../disk/file-system.ts'
import { CorruptionError } from '../log/byte-reader.ts'
import type { Corruption } from '../log/corruption.ts'
import { getBlockLength } from './block/block-header.ts'
import { getDay, getEndOfDay, listDays } from './day-partition.ts'
import { listLogNumbers, readLogFile } from './event-log.ts'
import type { LogContents } from './event-log.ts'
import type { DamagedBlock, EventStoreVerification } from './event-store.ts'
import { findBlocks } from './segment/find-blocks.ts'
import type { BlockEntry } from './segment/find-blocks.ts'
import { readIndex } from './segment/segment-index.ts'
import { checkBlock } from './segment/stored-block.ts'
import type { ReadBytes } from './segment/stored-block-reader.ts'
import { getTenantFolder, parseTenantFolder, tenantsFolder } from './tenant-folder.ts'

export type VerifyOptions = {
  /** Called before so many bytes are read; it may wait, so that others can use the disk. */
  readonly pace?: (byteCount: number) => Promise<void>
}

/**
 * Reads and checks every block of every segment, and the log. It reads files alone and changes nothing, so a server may run
 * on them: what it is writing looks like a torn end, and what it removes meanwhile is left out.
 */
export async function verifyStore(disk: FileSystem, { pace = async () => {} }: VerifyOptions = {}): Promise<EventStoreVerification> {
  const run = new VerifyRun(disk, pace)
  for (const name of await disk.list(tenantsFolder)) {
    const tenant = parseTenantFolder(name)
    if (tenant === undefined) continue
    for (const day of listDays(await disk.list(getTenantFolder(tenant)))) await run.verifySegment(tenant, day)
  }
  for (const number of await listLogNumbers(disk)) await run.verifyLog(number)
  return run.finish()
}

/** The most damaged blocks that a run lists. */
const damagedBlocksMax = 10_000

class VerifyRun {
  readonly #disk: FileSystem
  readonly #pace: NonNullable<VerifyOptions['pace']>
  readonly #corruptions: Corruption[] = []
  readonly #damagedBlocks: DamagedBlock[] = []
  /** The highest sequence of the segments of a tenant and day, and the rows of the log behind it. */
  readonly #stored = new Map<string, Map<string, { lastSequence: number; loggedCount: number }>>()
  #eventCount = 0
  #segmentCount = 0
  #blockCount = 0
  #logRecordCount = 0

  constructor(disk: FileSystem, pace: NonNullable<VerifyOptions['pace']>) {
    this.#disk = disk
    this.#pace = pace
  }

  async verifySegment(tenant: string, day: string): Promise<void> {
    const path = `${getTenantFolder(tenant)}/${day}`
    const entries = await this.#readFile(`${path}.idx`, readIndex) ?? []
    const whole = { tenant, day, path: `${path}.seg` }
    try {
      const isThere = await this.#readFile(whole.path, async (file) => {
        await this.#verifyBlocks(file, entries, whole)
        return true
      })
      if (isThere !== undefined) this.#segmentCount++
      // Without the index, too, retention has removed it meanwhile.
      else if (await this.#readFile(`${path}.idx`, async () => true)) this.#reportLost(entries, whole, 'the file is missing')
    } catch (error) {
      if (!isUnreadableError(error)) throw error
      this.#reportLost(entries, whole, `the file cannot be read: ${getErrorMessage(error)}`)
    }
  }

  async verifyLog(number: number): Promise<void> {
    let log: LogContents
    try {
      log = await readLogFile(this.#disk, number)
    } catch (error) {
      // Its events have been stored in segments meanwhile.
      if (getErrorCode(error) === 'ENOENT') return
      throw error
    }
    this.#logRecordCount += log.records.length
    this.#corruptions.push(...log.corruptions)
    for (const { record } of log.records) {
      if (record.kind === 'sequence') continue
      if (record.kind === 'retain') {
        for (const [day, stored] of this.#stored.get(record.tenant) ?? []) if (getEndOfDay(day) <= record.before) stored.loggedCount = 0
        continue
      }
      await this.#pace(record.rows.reduce((sum, { bytes }) => sum + bytes.length, 0))
      for (const { occurredAt, sequence } of record.rows) {
        const stored = this.#getStored(record.tenant, getDay(occurredAt))
        if (sequence > stored.lastSequence) stored.loggedCount++
      }
    }
  }

  finish(): EventStoreVerification {
    const logged = [...this.#stored.values()].flatMap((days) => [...days.values()])
    const [firstCorruption] = this.#corruptions
    return {
      eventCount: logged.reduce((sum, { loggedCount }) => sum + loggedCount, this.#eventCount),
      segmentCount: this.#segmentCount,
      blockCount: this.#blockCount,
      logRecordCount: this.#logRecordCount,
      corruptedCount: this.#corruptions.length,
      firstCorruption,
      damagedBlocks: this.#damagedBlocks,
    }
  }

  async #verifyBlocks(file: RandomAccessFile, entries: readonly BlockEntry[], segment: SegmentPlace): Promise<void> {
    const size = await file.size()
    let end = 0
    for (const entry of [...entries, undefined]) {
      if (entry !== undefined && entry.offset + getBlockLength(entry.header) > size) {
        this.#reportLost([entry], segment, `the file ends at ${size}, before the block`)
        continue
      }
      const gapEnd = entry?.offset ?? size
      if (end < gapEnd) {
        const gap = await findBlocks(file, { file: segment.path, start: end, end: gapEnd, isLast: entry === undefined })
        this.#corruptions.push(...gap.corruptions)
        for (const block of gap.blocks) await this.#verifyBlock(file, block, segment)
      }
      if (entry === undefined) break
      await this.#verifyBlock(file, entry, segment)
      end = entry.offset + getBlockLength(entry.header)
    }
  }

  async #verifyBlock(file: RandomAccessFile, { offset, header }: BlockEntry, { tenant, day, path }: SegmentPlace): Promise<void> {
    this.#blockCount++
    const stored = this.#getStored(tenant, day)
    stored.lastSequence = Math.max(stored.lastSequence, header.lastSequence)
    await this.#pace(getBlockLength(header))
    const read: ReadBytes = async (at, length) => {
      try {
        return await file.read(at, length)
      } catch (error) {
        throw isUnreadableError(error) ? new CorruptionError(getErrorMessage(error)) : error
      }
    }
    let check = await checkBlock(header, offset, read)
    // Read again: a server may have been writing the repaired block.
    if (check.kind !== 'intact') check = await checkBlock(header, offset, read)
    if (check.kind !== 'lost') this.#eventCount += header.rowCount
    if (check.kind === 'intact') return
    this.#corruptions.push({ file: path, offset, problem: check.problem })
    this.#addDamagedBlock({ tenant, file: path, offset, eventCount: header.rowCount, isLost: check.kind === 'lost' })
  }

  #reportLost(entries: readonly BlockEntry[], { tenant, path }: SegmentPlace, problem: string): void {
    for (const { offset, header } of entries) {
      this.#corruptions.push({ file: path, offset, problem })
      this.#addDamagedBlock({ tenant, file: path, offset, eventCount: header.rowCount, isLost: true })
    }
  }

  #addDamagedBlock(block: DamagedBlock): void {
    if (this.#damagedBlocks.length < damagedBlocksMax) this.#damagedBlocks.push(block)
  }

  #getStored(tenant: string, day: string): { lastSequence: number; loggedCount: number } {
    const days = this.#stored.get(tenant) ?? new Map<string, { lastSequence: number; loggedCount: number }>()
    this.#stored.set(tenant, days)
    const stored = days.get(day) ?? { lastSequence: -1, loggedCount: 0 }
    days.set(day, stored)
    return stored
  }

  /** Reads a file; undefined where it is missing. */
  async #readFile<Value>(path: string, read: (file: RandomAccessFile) => Promise<Value>): Promise<Value | undefined> {
    let file: RandomAccessFile
    try {
      file = await this.#disk.open(path, 'read')
    } catch (error) {
      if (getErrorCode(error) === 'ENOENT') return undefined
      throw error
    }
    try {
      return await read(file)
    } finally {
      await file.close()
    }
  }
}

type SegmentPlace = { readonly tenant: string; readonly day: string; readonly path: string }
