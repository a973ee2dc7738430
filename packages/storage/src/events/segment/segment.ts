import { crc32 } from 'node:zlib'
import type { FileSystem, RandomAccessFile } from '../../disk/file-system.ts'
import { writeFully } from '../../disk/file-system.ts'
import type { Corruption } from '../../log/corruption.ts'
import { syncOrFail } from '../../log/sync-error.ts'
import { blockLength, decodeHeader, encodeHeader, headerLength } from '../block/block-header.ts'
import type { FileReader } from './file-reader.ts'
import type { BlockCache } from './block-cache.ts'
import { findBlocks } from './find-blocks.ts'
import type { BlockEntry } from './find-blocks.ts'
import { StoredBlock } from './stored-block.ts'
import type { ReadBytes } from './stored-block.ts'

/** Dependencies of a segment. */
export type SegmentDeps = {
  readonly disk: FileSystem
  readonly reader: FileReader
  readonly cache: BlockCache
  readonly filterCache: BlockCache
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
    const file = await room.disk.open(`${path}.seg`, 'write')
    const index = await room.disk.open(`${path}.idx`, 'write')
    try {
      const size = await file.size()
      const listed = (await readIndex(index)).filter(({ offset, header }) => offset + blockLength(header) <= size)
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
          end = block.offset + blockLength(block.header)
        }
      }
      if (end < size) await truncateAndSync(file, end)
      // The names of new files must be durable before their content counts.
      if (size === 0) await room.disk.syncFolder(folder)
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
    await appendSafely(disk, { path: `${this.#path}.seg`, bytes, offset })
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
    await disk.rename(this.path, `${folder}/${this.day}.seg`)
    await disk.remove(`${this.#path}.idx`)
    // The new name first: a power cut in between leaves both names or the new one.
    await disk.syncFolder(folder)
    await disk.syncFolder(this.#path.slice(0, this.#path.lastIndexOf('/')))
  }

  #createBlock({ offset, header }: BlockEntry): StoredBlock {
    const { reader, cache, filterCache } = this.#deps
    const read: ReadBytes = (at, length) => reader.read(`${this.#path}.seg`, at, length)
    return new StoredBlock(header, { offset, read, cache, filterCache })
  }
}

type OpenedSegment = {
  readonly day: string
  readonly blocks: readonly BlockEntry[]
  readonly corruptions: readonly Corruption[]
  readonly size: number
  readonly indexSize: number
}

/** An index entry: the block's offset, its header, and a checksum of both. */
const entryLength = 8 + headerLength + 4

function encodeEntry({ offset, header }: BlockEntry): Buffer {
  const entry = Buffer.alloc(entryLength)
  entry.writeDoubleLE(offset, 0)
  entry.set(encodeHeader(header), 8)
  entry.writeUInt32LE(crc32(entry.subarray(0, entryLength - 4)), entryLength - 4)
  return entry
}

/** The whole entries, by offset; the others are recovered from the segment. */
async function readIndex(index: RandomAccessFile): Promise<BlockEntry[]> {
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
    end = offset + blockLength(header)
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
