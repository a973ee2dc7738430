import type { Block } from '../block/block.ts'
import { BlockCache, CachedValue } from './block-cache.ts'
import { decodeDirectory } from '../block/block-directory.ts'
import { encodeHeader, getBlockLength, getContentLength, headerLength } from '../block/block-header.ts'
import type { BlockHeader } from '../block/block-header.ts'
import { repairBlock } from '../block/block-parity.ts'
import { decodeBloomFilter, decodeTextFilter } from '../block/bloom-filter.ts'
import type { BlockFilter, DecodedFilter } from '../block/bloom-filter.ts'
import { decodeFrameFilters } from '../block/frame-filters.ts'
import type { FrameFilters } from '../block/frame-filters.ts'
import { readFrame } from '../block/frame.ts'
import type { FrameLocation } from '../block/frame.ts'
import { createReadBatch } from './read-batch.ts'
import { StoredBlockReader, asCorruption, cacheEntryOverheadBytes } from './stored-block-reader.ts'
import type { ReadBytes } from './stored-block-reader.ts'
import { CorruptionError } from '../../log/byte-reader.ts'

/** Where to read a block from, and the caches to use. */
export type BlockSource = {
  readonly offset: number
  readonly read: ReadBytes
  readonly cache: BlockCache
  /**
   * Filters have a cache of their own: every search checks the filters of all blocks, and what it then reads would
   * evict them.
   */
  readonly filterCache: BlockCache
  /** Called once when a read meets corrupted bytes. */
  readonly onCorruption?: (block: StoredBlock, found: BlockCorruption) => void
  /** Called once when a filter cannot be read, and searches read more of the block instead. */
  readonly onFilterIgnored?: (block: StoredBlock, problem: string) => void
}

/** Corrupted bytes of a block, and the whole block as it was written; undefined where too much is corrupted. */
export type BlockCorruption = { readonly problem: string; readonly repaired: Buffer | undefined }

/** A block of a segment. Its parts are checked when read, and cached; corrupted ones are repaired from the parity. */
export class StoredBlock implements Block {
  readonly bounds: BlockHeader
  /** Its offset in the file. */
  readonly offset: number
  readonly #source: BlockSource
  readonly #readBatch: ReadBytes
  #repairing: Promise<Buffer | undefined> | undefined
  /** Whether a filter of it failed its checksum and could not be repaired. */
  #hasIgnoredFilter = false
  /** Why it is lost; undefined while it can be read. */
  #lostBy: string | undefined
  readonly #filter: CachedValue<DecodedFilter>
  readonly #textFilter: CachedValue<DecodedFilter>
  readonly #frameFilters: CachedValue<FrameFilters | undefined>
  readonly #opened: CachedValue<StoredBlockReader>

  constructor(header: BlockHeader, source: BlockSource) {
    const { offset, cache, filterCache } = source
    this.#source = source
    this.#readBatch = createReadBatch(source.read)
    this.bounds = header
    this.offset = offset
    const { filterLength, filterRawLength, filterCrc } = header
    const filterPlace = { offset: headerLength, length: filterLength, rawLength: filterRawLength, crc: filterCrc }
    this.#filter = new CachedValue(filterCache, async () => {
      const raw = await this.#readFrame(filterPlace)
      const value = asCorruption(() => decodeBloomFilter(raw))
      return { value, bytes: value.byteCount + cacheEntryOverheadBytes }
    })
    this.#textFilter = new CachedValue(filterCache, async () => {
      const raw = await this.#readFrame(filterPlace)
      const value = asCorruption(() => decodeTextFilter(raw))
      return { value, bytes: value.byteCount + cacheEntryOverheadBytes }
    })
    this.#frameFilters = new CachedValue(cache, async () => {
      const { frameFilters } = await this.#textFilter.get()
      if (frameFilters === undefined) return { value: undefined, bytes: cacheEntryOverheadBytes }
      const { length } = frameFilters
      const bodyOffset = headerLength + filterLength + header.directoryLength
      const bytes = await this.#readFrame({ ...frameFilters, offset: bodyOffset, rawLength: length })
      const value = asCorruption(() => decodeFrameFilters(bytes, { hasLetterGrams: header.version >= 5 }))
      return { value, bytes: length + cacheEntryOverheadBytes }
    })
    this.#opened = new CachedValue(cache, async () => {
      const { directoryLength: length, directoryRawLength: rawLength, directoryCrc: crc } = header
      const directoryOffset = headerLength + filterLength
      return await this.#orLose(async () => {
        const raw = await this.#readFrame({ offset: directoryOffset, length, rawLength, crc })
        const directory = asCorruption(() => decodeDirectory(raw, header.version))
        const bodyOffset = directoryOffset + length
        const reader = new StoredBlockReader(header, directory, {
          readBody: (at, count) => source.read(offset + bodyOffset + at, count),
          readFrame: (place) => this.#orLose(() => this.#readFrame({ ...place, offset: bodyOffset + place.offset })),
          filter: () => this.filter(),
          textFilter: () => this.textFilter(),
          frameFilters: () => this.frameFilters(),
          cache,
        })
        return { value: reader, bytes: directory.byteCount }
      })
    })
  }

  get byteCount(): number {
    return getBlockLength(this.bounds)
  }

  /** A stored block never changes, but what was found in it counts no more once it is lost. */
  get isCacheable(): boolean {
    return !this.isLost
  }

  get isLost(): boolean {
    return this.#lostBy !== undefined
  }

  /** Records that its bytes are corrupted beyond repair: it can no longer be opened. */
  markLost(problem: string): void {
    this.#lostBy ??= problem
  }

  /** Forgets the damage: the whole block has been written again. */
  endRepair(): void {
    this.#repairing = undefined
    this.#lostBy = undefined
    this.#hasIgnoredFilter = false
  }

  /** Also undefined where the filter is corrupted: then the block is searched without it, and its source learns of it once. */
  async filter(): Promise<BlockFilter | undefined> {
    return (await this.#getUnlessCorrupted(this.#filter))?.filter
  }

  async textFilter(): Promise<BlockFilter | undefined> {
    return (await this.#getUnlessCorrupted(this.#textFilter))?.filter
  }

  frameFilters(): Promise<FrameFilters | undefined> {
    return this.#getUnlessCorrupted(this.#frameFilters)
  }

  /** @throws CorruptionError for a lost block. */
  async open(): Promise<StoredBlockReader> {
    if (this.#lostBy !== undefined) throw new CorruptionError(this.#lostBy)
    return await this.#opened.get()
  }

  /** Reads and checks every frame. */
  async verify(): Promise<void> {
    await this.#filter.get()
    await this.#frameFilters.get()
    await (await this.open()).verify()
  }

  /** Whether all of it can be read, possibly after a repair; reports nothing. */
  async isIntact(): Promise<boolean> {
    return (await checkBlock(this.bounds, this.offset, this.#source.read)).kind !== 'lost'
  }

  /** Reads all of it, and reports what is corrupted. */
  async inspect(): Promise<void> {
    const check = await checkBlock(this.bounds, this.offset, this.#source.read)
    if (check.kind === 'repairable') this.#source.onCorruption?.(this, check)
    if (check.kind === 'lost') this.#lose(check.problem)
  }

  /** Reads a frame at an offset of the block; from the repaired block where it is corrupted. */
  async #readFrame(place: FrameLocation): Promise<Buffer> {
    const { offset, length } = place
    try {
      const bytes = await this.#readBatch(this.offset + offset, length)
      const raw = readFrame(bytes, place)
      // What is not compressed may lie among bytes that were read along, which a cache must not keep.
      return raw === bytes && bytes.buffer.byteLength > 2 * bytes.length ? Buffer.from(bytes) : raw
    } catch (error) {
      if (!(error instanceof CorruptionError)) throw error
      const whole = await (this.#repairing ??= this.#repair(error.message))
      if (whole === undefined) throw error
      return readFrame(whole.subarray(offset, offset + length), place)
    }
  }

  async #repair(problem: string): Promise<Buffer | undefined> {
    const repaired = await readRepaired(this.bounds, this.offset, this.#source.read)
    if (repaired !== undefined) this.#source.onCorruption?.(this, { problem, repaired })
    return repaired
  }

  /** Runs work that the block cannot be read without. */
  async #orLose<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof CorruptionError) this.#lose(error.message)
      throw error
    }
  }

  /** A filter that fails its checksum is ignored: it only saves reading. */
  async #getUnlessCorrupted<Value>(cached: CachedValue<Value>): Promise<Value | undefined> {
    try {
      return await cached.get()
    } catch (error) {
      if (!(error instanceof CorruptionError)) throw error
      if (!this.#hasIgnoredFilter) this.#source.onFilterIgnored?.(this, error.message)
      this.#hasIgnoredFilter = true
      return undefined
    }
  }

  #lose(problem: string): void {
    if (this.isLost) return
    this.markLost(problem)
    this.#source.onCorruption?.(this, { problem, repaired: undefined })
  }
}

/** The result of reading a whole block. */
type BlockCheck =
  | { readonly kind: 'intact' }
  | { readonly kind: 'repairable'; readonly problem: string; readonly repaired: Buffer }
  /** What a search can do without is corrupted: the filter, or the header, which the index has too. */
  | { readonly kind: 'unneeded'; readonly problem: string }
  | { readonly kind: 'lost'; readonly problem: string }

/** Reads and checks all bytes of a block, whose header is known. */
export async function checkBlock(header: BlockHeader, offset: number, read: ReadBytes): Promise<BlockCheck> {
  const contentLength = getContentLength(header)
  const bytes = await readWhatIsThere(read, offset, getBlockLength(header))
  const isHeaderGood = (block: Buffer): boolean => encodeHeader(header).equals(block.subarray(0, headerLength))
  const repaired = header.version === 2 ? undefined : repairBlock(bytes, contentLength)
  if (repaired !== undefined) {
    if (!isHeaderGood(repaired)) return { kind: 'lost', problem: 'the header differs from the index' }
    if (repaired === bytes) return { kind: 'intact' }
    return { kind: 'repairable', problem: 'some bytes of the block are corrupted, and can be repaired', repaired }
  }
  if (header.version === 2 && !isHeaderGood(bytes)) return { kind: 'unneeded', problem: 'the header differs from the index' }
  const cache = new BlockCache(0)
  const block = new StoredBlock(header, {
    offset, cache, filterCache: cache, read: async (at, length) => bytes.subarray(at - offset, at - offset + length),
  })
  const verify = async (): Promise<BlockCheck> => {
    await (await block.open()).verify()
    await block.verify()
    return { kind: 'intact' }
  }
  return await verify().catch((error: unknown): BlockCheck => {
    if (!(error instanceof CorruptionError)) throw error
    return { kind: block.isLost ? 'lost' : 'unneeded', problem: error.message }
  })
}

/** Reads a whole block and repairs it; undefined where it has no parity or too much is corrupted. */
async function readRepaired(header: BlockHeader, offset: number, read: ReadBytes): Promise<Buffer | undefined> {
  if (header.version === 2) return undefined
  const contentLength = getContentLength(header)
  return repairBlock(await readWhatIsThere(read, offset, getBlockLength(header)), contentLength)
}

/** What a disk fails to read at once. */
const sectorBytes = 4_096

/** Reads bytes, with zeros for those that the disk cannot read. */
export async function readWhatIsThere(read: ReadBytes, offset: number, length: number): Promise<Buffer> {
  try {
    return await read(offset, length)
  } catch (error) {
    if (!(error instanceof CorruptionError)) throw error
    const end = offset + length
    const parts: Buffer[] = []
    for (let at = offset; at < end;) {
      const sectorEnd = Math.min(end, (Math.floor(at / sectorBytes) + 1) * sectorBytes)
      if (at === offset && sectorEnd === end) return Buffer.alloc(length)
      parts.push(await readWhatIsThere(read, at, sectorEnd - at))
      at = sectorEnd
    }
    return Buffer.concat(parts)
  }
}
