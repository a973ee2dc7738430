import { getErrorMessage } from '@tripline/common/error-message'
import type { FileSystem, RandomAccessFile } from '../../disk/file-system.ts'
import { isUnreadableError, writeFully } from '../../disk/file-system.ts'
import { CorruptionError } from '../../log/byte-reader.ts'
import type { Corruption } from '../../log/corruption.ts'
import { getBlockLength, decodeHeader, headerLength } from '../block/block-header.ts'
import type { BlockHeader } from '../block/block-header.ts'
import { appendAndCheck, appendSafely } from './append-block.ts'
import type { FileReader } from './file-reader.ts'
import type { BlockCache } from './block-cache.ts'
import { findBlocks } from './find-blocks.ts'
import type { BlockEntry } from './find-blocks.ts'
import { encodeEntry, entryLength, readIndex, writeIndex } from './segment-index.ts'
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
  /** The file that the blocks are read from, once another one replaced it under its name. */
  #source: { replaced?: RandomAccessFile } = {}
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

  /**
   * Writes the segment again, with each block kept (`keep`), encoded anew, or left out. Searches under way go on with the blocks
   * that they began with; the result closes the file of these, and then none of its bytes is on the disk. An interrupted call
   * leaves the segment as it was.
   */
  async replaceBlocks(replace: (block: StoredBlock) => Promise<Buffer | 'keep' | undefined>): Promise<() => Promise<void>> {
    const { disk, reader } = this.#deps
    const old = await disk.open(this.path, 'read')
    const before = this.#source
    before.replaced = old
    const entries = await this.#writeReplacement(old, replace).catch(async (error: unknown) => {
      delete before.replaced
      await old.close()
      throw error
    })
    // A read that began to open the file by its name has it open after this one; where that fails, so does the read itself.
    await reader.read(this.path, 0, 0).catch(() => {})
    reader.evict(this.path)
    const folder = this.#path.slice(0, this.#path.lastIndexOf('/'))
    // The index first: one that names blocks of another file would report them as lost.
    await disk.remove(`${this.#path}.idx`)
    await disk.syncFolder(folder)
    await (entries.length === 0 ? disk.remove(this.path) : disk.rename(this.#replacementPath, this.path))
    await disk.syncFolder(folder)
    this.#source = {}
    this.#blocks = entries.map((entry) => this.#createBlock(entry))
    this.#size = entries.reduce((end, { offset, header }) => Math.max(end, offset + getBlockLength(header)), 0)
    this.#indexSize = 0
    if (entries.length > 0) this.#indexSize = await this.#writeIndexAgain(entries)
    return () => old.close()
  }

  get #replacementPath(): string {
    return `${this.#path}.new`
  }

  async #writeReplacement(
    old: RandomAccessFile, replace: (block: StoredBlock) => Promise<Buffer | 'keep' | undefined>,
  ): Promise<readonly BlockEntry[]> {
    const { disk } = this.#deps
    // What an interrupted attempt left.
    await disk.remove(this.#replacementPath)
    const entries: BlockEntry[] = []
    let offset = 0
    for (const block of this.#blocks) {
      const replaced = await replace(block)
      const bytes = replaced === 'keep' ? await old.read(block.offset, getBlockLength(block.bounds)) : replaced
      if (bytes === undefined) continue
      const header = replaced === 'keep' ? block.bounds : decodeHeader(bytes)
      if (header === undefined) throw new Error('the bytes of a block do not begin with its header')
      await appendAndCheck(disk, { path: this.#replacementPath, bytes, offset })
      entries.push({ offset, header })
      offset += bytes.length
    }
    return entries
  }

  async #writeIndexAgain(entries: readonly BlockEntry[]): Promise<number> {
    const index = await this.#deps.disk.open(`${this.#path}.idx`, 'write')
    try {
      await writeIndex(index, entries)
    } finally {
      await index.close()
    }
    return entries.length * entryLength
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
    const source = this.#source
    const read: ReadBytes = (at, length) =>
      source.replaced === undefined ? reader.read(`${this.#path}.seg`, at, length) : readReplaced(source.replaced, at, length)
    // A block that was moved or replaced is no longer there to be read; a search that began before may still try.
    const isCurrent = (block: StoredBlock): boolean => this.#blocks.includes(block)
    const onCorruption: BlockSource['onCorruption'] = (block, found) => {
      if (isCurrent(block)) damage.onCorruption(this, block, found)
    }
    const onFilterIgnored: BlockSource['onFilterIgnored'] = (block, problem) => {
      if (isCurrent(block)) damage.onFilterIgnored(this, block, problem)
    }
    const block = new StoredBlock(header, { offset, read, cache, filterCache, onCorruption, onFilterIgnored })
    if (damage.isLost(this.path, header.firstSequence)) block.markLost('the block is known to be corrupted')
    return block
  }
}

/** Reads a file that was replaced under its name; a closed one reads as corrupted. */
async function readReplaced(file: RandomAccessFile, offset: number, length: number): Promise<Buffer> {
  try {
    const bytes = await file.read(offset, length)
    if (bytes.length === length) return bytes
  } catch (error) {
    throw new CorruptionError(`the replaced file cannot be read: ${getErrorMessage(error)}`)
  }
  throw new CorruptionError('the replaced file ends early')
}

type OpenedSegment = {
  readonly day: string
  readonly blocks: readonly BlockEntry[]
  readonly corruptions: readonly Corruption[]
  readonly size: number
  readonly indexSize: number
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

async function truncateAndSync(file: RandomAccessFile, size: number): Promise<void> {
  await file.truncate(size)
  await file.sync()
}
