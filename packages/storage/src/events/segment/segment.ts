import { getErrorMessage } from '@tripline/common/error-message'
import { crc32 } from 'node:zlib'
import type { FileSystem, RandomAccessFile } from '../../disk/file-system.ts'
import { isUnreadableError, writeFully } from '../../disk/file-system.ts'
import type { Corruption } from '../../log/corruption.ts'
import { SyncError, syncOrFail } from '../../log/sync-error.ts'
import { getBlockLength, decodeHeader, encodeHeader, headerLength } from '../block/block-header.ts'
import type { BlockHeader } from '../block/block-header.ts'
import type { FileReader } from './file-reader.ts'
import type { BlockCache } from './block-cache.ts'
import { findBlocks } from './find-blocks.ts'
import type { BlockEntry } from './find-blocks.ts'
import { StoredBlock } from './stored-block.ts'
import type { BlockCorruption, BlockSource } from './stored-block.ts'
import type { ReadBytes } from './stored-block-reader.ts'

/** Dependencies of a segment. */
export type SegmentDeps = {
  readonly disk: FileSystem
  readonly reader: FileReader
  readonly cache: BlockCache
  readonly filterCache: BlockCache
  readonly damage: SegmentDamage
}

/** What happens when the bytes of segments are corrupted. */
export type SegmentDamage = {
  /** Whether a block is known to be lost. */
  readonly isLost: (file: string, firstSequence: number) => boolean
  /** The highest sequence of a tenant's lost events. */
  readonly getLastSequence: (tenant: string) => number
  /** Called when a read meets corrupted bytes. */
  readonly onCorruption: (segment: Segment, block: StoredBlock, found: BlockCorruption) => void
  /** Called once for a block of which a filter cannot be read: searches read more of it instead. */
  readonly onFilterIgnored: (segment: Segment, block: StoredBlock, problem: string) => void
  /** Called before blocks that the file no longer holds are taken out of the index. */
  readonly onMissing: (file: string, blocks: readonly BlockHeader[], problem: string) => Promise<void>
}

/** An index entry: the block's offset, its header, and a checksum of both. */
const entryLength = 8 + headerLength + 4

/**
 * The stored events of one tenant and day: a file `.seg` of consecutive blocks, and a file `.idx` with the header and
 * offset of each. Blocks are appended and never changed. The index is a shortcut: an entry is written after its block
 * is durable, and missing ones are recovered from the segment.
 */
export class Segment {
  readonly day: string
  readonly corruptions: readonly Corruption[]
  readonly #path: string
  readonly #deps: SegmentDeps
  #blocks: StoredBlock[]
  #size: number
  #indexSize: number

  private constructor(path: string, room: SegmentDeps, { day, blocks, corruptions, size, indexSize }: OpenedSegment) {
    this.#path = path
    this.#deps = room
    this.day = day
    this.corruptions = corruptions
    this.#size = size
    this.#indexSize = indexSize
    this.#blocks = blocks.map((found) => this.#createBlock(found))
  }

  /**
   * Opens or creates the files of a day. Reads only the index, unless the segment has bytes that the index does not
   * cover: then whole blocks among them are added to the index, and a torn end is cut off.
   */
  static async open(folder: string, day: string, room: SegmentDeps): Promise<Segment> {
    const path = `${folder}/${day}`
    try {
      return await Segment.#openFiles(folder, day, room)
    } catch (error) {
      const problem = await findReadProblem(room.disk, `${path}.seg`)
      if (problem === undefined) throw error
      await setAside(room, { folder, path, problem })
      return await Segment.#openFiles(folder, day, room)
    }
  }

  static async #openFiles(folder: string, day: string, room: SegmentDeps): Promise<Segment> {
    const path = `${folder}/${day}`
    const file = await room.disk.open(`${path}.seg`, 'write')
    const index = await room.disk.open(`${path}.idx`, 'write')
    try {
      const size = await file.size()
      const entries = await readIndex(index)
      const isThere = ({ offset, header }: BlockEntry): boolean => offset + getBlockLength(header) <= size
      const listed = entries.filter(isThere)
      const missing = entries.filter((entry) => !isThere(entry))
      const found: BlockEntry[] = []
      const corruptions: Corruption[] = []
      let end = 0
      for (const block of [...listed, undefined]) {
        const gapEnd = block?.offset ?? size
        if (end < gapEnd) {
          const gap = await findBlocks(file, { file: `${path}.seg`, start: end, end: gapEnd, isLast: block === undefined })
          found.push(...gap.blocks)
          corruptions.push(...gap.corruptions)
          end = gap.end
        }
        if (block !== undefined) {
          found.push(block)
          end = block.offset + getBlockLength(block.header)
        }
      }
      if (end < size) await truncateAndSync(file, end)
      // The names of new files must be durable before their content counts.
      if (size === 0) await room.disk.syncFolder(folder)
      if (missing.length > 0) {
        await room.damage.onMissing(`${path}.seg`, missing.map(({ header }) => header), `the file ends at ${size}, before the block`)
      }
      // An index with exactly these blocks is left alone.
      const indexSize = found.length * entryLength
      if (found.length !== listed.length || await index.size() !== indexSize) await writeIndex(index, found)
      return new Segment(path, room, { day, blocks: found, corruptions, size: end, indexSize })
    } finally {
      await file.close()
      await index.close()
    }
  }

  get blocks(): readonly StoredBlock[] {
    return this.#blocks
  }

  get path(): string {
    return `${this.#path}.seg`
  }

  get byteCount(): number {
    return this.#size + this.#indexSize
  }

  /** The highest stored sequence: the log's events of this day up to it are stored. */
  get lastSequence(): number {
    return this.#blocks.reduce((last, { bounds }) => Math.max(last, bounds.lastSequence), -1)
  }

  /**
   * Appends a block; resolves when it and its index entry are durable, with a function that adds it to `blocks`. After
   * an error nothing counts as written.
   */
  async add(bytes: Buffer): Promise<() => void> {
    const header = decodeHeader(bytes)
    if (header === undefined) throw new Error('the bytes of a block do not begin with its header')
    const { disk } = this.#deps
    const offset = this.#size
    await appendAndCheck(disk, { path: `${this.#path}.seg`, bytes, offset })
    // The index entry follows the block.
    await appendSafely(disk, { path: `${this.#path}.idx`, bytes: encodeEntry({ offset, header }), offset: this.#indexSize })
    this.#size += bytes.length
    this.#indexSize += entryLength
    return () => {
      this.#blocks = [...this.#blocks, this.#createBlock({ offset, header })]
    }
  }

  /** Moves the segment into another folder, which exists; the index is removed, because it can be recovered. */
  async moveTo(folder: string): Promise<void> {
    const { disk, reader } = this.#deps
    this.#blocks = []
    reader.evict(this.path)
    const own = this.#path.slice(0, this.#path.lastIndexOf('/'))
    // The index first: one without its segment means that the segment was lost.
    await disk.remove(`${this.#path}.idx`)
    await disk.syncFolder(own)
    await disk.rename(this.path, `${folder}/${this.day}.seg`)
    // The new name first: a power cut in between leaves both names or the new one.
    await disk.syncFolder(folder)
    await disk.syncFolder(own)
  }

  /** Writes a block again, as it was written first. */
  async rewrite(block: StoredBlock, bytes: Buffer): Promise<void> {
    if (!this.#blocks.includes(block)) return
    const file = await this.#deps.disk.open(this.path, 'write')
    try {
      await writeFully(file, bytes, block.offset)
      await file.sync()
    } finally {
      await file.close()
    }
    block.endRepair()
  }

  #createBlock({ offset, header }: BlockEntry): StoredBlock {
    const { reader, cache, filterCache, damage } = this.#deps
    const read: ReadBytes = (at, length) => reader.read(`${this.#path}.seg`, at, length)
    const onCorruption: BlockSource['onCorruption'] = (block, found) => damage.onCorruption(this, block, found)
    const onFilterIgnored: BlockSource['onFilterIgnored'] = (block, problem) => damage.onFilterIgnored(this, block, problem)
    const block = new StoredBlock(header, { offset, read, cache, filterCache, onCorruption, onFilterIgnored })
    if (damage.isLost(this.path, header.firstSequence)) block.markLost('the block is known to be corrupted')
    return block
  }
}

type OpenedSegment = {
  readonly day: string
  readonly blocks: readonly BlockEntry[]
  readonly corruptions: readonly Corruption[]
  readonly size: number
  readonly indexSize: number
}

function encodeEntry({ offset, header }: BlockEntry): Buffer {
  const entry = Buffer.alloc(entryLength)
  entry.writeDoubleLE(offset, 0)
  entry.set(encodeHeader(header), 8)
  entry.writeUInt32LE(crc32(entry.subarray(0, entryLength - 4)), entryLength - 4)
  return entry
}

/** Why the file of a segment cannot be read; undefined where it can, or is missing. */
async function findReadProblem(disk: FileSystem, path: string): Promise<string | undefined> {
  try {
    const file = await disk.open(path, 'read')
    try {
      await file.read(0, headerLength)
    } finally {
      await file.close()
    }
    return undefined
  } catch (error) {
    return isUnreadableError(error) ? getErrorMessage(error) : undefined
  }
}

/** Renames the files of a segment that cannot be read, so that the day can take events again. */
async function setAside(
  { disk, damage }: SegmentDeps, { folder, path, problem }: { readonly folder: string; readonly path: string; readonly problem: string },
): Promise<void> {
  const index = await disk.open(`${path}.idx`, 'write')
  let entries: readonly BlockEntry[]
  try {
    entries = await readIndex(index)
  } finally {
    await index.close()
  }
  await damage.onMissing(`${path}.seg`, entries.map(({ header }) => header), problem)
  for (const name of [`${path}.idx`, `${path}.seg`]) await disk.rename(name, `${name}.unreadable`)
  await disk.syncFolder(folder)
}

/** The whole entries, by offset; the others are recovered from the segment. */
export async function readIndex(index: RandomAccessFile): Promise<BlockEntry[]> {
  const bytes = await index.read(0, await index.size())
  const found: BlockEntry[] = []
  let end = 0
  for (let at = 0; at + entryLength <= bytes.length; at += entryLength) {
    const entry = bytes.subarray(at, at + entryLength)
    const header = decodeHeader(entry.subarray(8))
    const offset = entry.readDoubleLE(0)
    if (header === undefined || offset < end) continue
    if (crc32(entry.subarray(0, entryLength - 4)) !== entry.readUInt32LE(entryLength - 4)) continue
    found.push({ offset, header })
    end = offset + getBlockLength(header)
  }
  return found
}

async function writeIndex(index: RandomAccessFile, blocks: readonly BlockEntry[]): Promise<void> {
  const bytes = Buffer.concat(blocks.map(encodeEntry))
  await writeFully(index, bytes, 0)
  await index.truncate(bytes.length)
  await index.sync()
}

async function truncateAndSync(file: RandomAccessFile, size: number): Promise<void> {
  await file.truncate(size)
  await file.sync()
}

type FileAppend = { readonly path: string; readonly bytes: Buffer; readonly offset: number }

const writeAttemptsMax = 3

/** Appends a block and reads it back: the log, which still holds its events, is dropped only after this. */
async function appendAndCheck(disk: FileSystem, append: FileAppend): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await appendSafely(disk, append)
    const file = await disk.open(append.path, 'read')
    try {
      if (append.bytes.equals(await file.read(append.offset, append.bytes.length))) return
    } finally {
      await file.close()
    }
    if (attempt === writeAttemptsMax) throw new SyncError(new Error(`${append.path} does not hold what was written to it`))
  }
}

/** Appends and syncs; first cuts off what a failed attempt left. */
async function appendSafely(disk: FileSystem, { path, bytes, offset }: FileAppend): Promise<void> {
  const file = await disk.open(path, 'write')
  try {
    if (await file.size() > offset) await file.truncate(offset)
    await writeFully(file, bytes, offset)
    await syncOrFail(file)
  } finally {
    await file.close()
  }
}
