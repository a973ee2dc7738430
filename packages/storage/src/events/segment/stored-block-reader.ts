import { readArrivals } from '../block/arrivals.ts'
import type { Block, BlockColumn, BlockReader, CodesByTemplate, NeededValues, RequiredTexts } from '../block/block.ts'
import { CachedValue } from './block-cache.ts'
import type { BlockCache, LoadedValue } from './block-cache.ts'
import type { DecodedDirectory, DictionaryChunk, WrittenColumn } from '../block/block-directory.ts'
import type { BlockHeader } from '../block/block-header.ts'
import { mayContainText, numberToToken } from '../block/column-kind.ts'
import { ChunkedDictionary, StoredDictionary, findChunk } from '../block/dictionary.ts'
import type { Dictionary } from '../block/dictionary.ts'
import { DictionaryFrame } from '../block/dictionary-frame.ts'
import type { DictionaryLocation } from '../block/dictionary-frame.ts'
import type { CatalogField } from '../event-store.ts'
import { readFrame } from '../block/frame.ts'
import type { FrameLocation, PartLocation } from '../block/frame.ts'
import { isKeywordPath, jsonPunctuation, toSearchableTexts } from '../block/json-literal.ts'
import { decodeCodes, decodeDeltas } from '../block/numbers-codec.ts'
import { ByteReader, CorruptionError } from '../../log/byte-reader.ts'

/** Reads bytes from an offset on. */
export type ReadBytes = (offset: number, length: number) => Promise<Buffer>

/** How the contents of a block are read: ranges of its body, and its frames with their checksums. */
type StoredBlockSource = Pick<BlockReader, 'filter' | 'textFilter'> & Pick<Block, 'frameFilters'> & {
  readonly cache: BlockCache
  readonly readBody: ReadBytes
  readonly readFrame: (place: FrameLocation) => Promise<Buffer>
}

/** The objects around the bytes of a cached value. */
export const cacheEntryOverheadBytes = 500

/** The contents of a block, by its directory. */
export class StoredBlockReader implements BlockReader {
  readonly rowCount: number
  readonly templates: BlockReader['templates']
  readonly times: BlockReader['times']
  readonly sequences: BlockReader['sequences']
  readonly severities: BlockReader['severities']
  readonly arrivals: BlockReader['arrivals']
  readonly filter: BlockReader['filter']
  readonly textFilter: BlockReader['textFilter']
  readonly #directory: DecodedDirectory
  readonly #readBody: ReadBytes
  readonly #readFrame: StoredBlockSource['readFrame']
  readonly #cache: BlockCache
  readonly #written: ReadonlyMap<string, WrittenColumn>
  readonly #columns = new Map<string, BlockColumn>()
  /** Frames shared by several parts. */
  readonly #shared = new Map<number, CachedValue<Buffer>>()
  readonly #dictionaries: CachedValue<readonly DictionaryFrame[]>
  readonly #frameFilters: StoredBlockSource['frameFilters']
  /** The frames with dictionaries that keywords are searched in. */
  #dictionaryPlaces: ReadonlyMap<number, readonly DictionaryLocation[]> | undefined
  readonly #dictionaryFrames = new Map<number, CachedValue<DictionaryFrame>>()

  constructor(header: BlockHeader, directory: DecodedDirectory, source: StoredBlockSource) {
    const { readBody, readFrame, filter, textFilter, frameFilters, cache } = source
    const { rowCount } = header
    this.rowCount = rowCount
    this.#directory = directory
    this.#readBody = readBody
    this.#readFrame = readFrame
    this.#cache = cache
    let start = 0
    this.templates = directory.templates.map(({ template, count }) => {
      start += count
      return { template, start: start - count, count }
    })
    if (start !== rowCount) throw new CorruptionError(`the templates have ${start} rows instead of ${rowCount}`)
    this.#written = new Map(directory.columns.map((column) => [column.pathKey, column]))
    this.times = this.#numbers(directory.times)
    this.sequences = this.#numbers(directory.sequences)
    this.severities = this.#cachePart(directory.severities, (raw) => raw)
    this.arrivals = directory.arrivals === undefined
      ? async () => () => undefined
      : this.#cachePart(directory.arrivals, (raw) => readArrivals(new ByteReader(raw), rowCount), 4)
    this.filter = filter
    this.textFilter = textFilter
    this.#frameFilters = frameFilters
    this.#dictionaries = new CachedValue(cache, () => this.#readDictionaries())
  }

  column(pathKey: string): BlockColumn | undefined {
    const known = this.#columns.get(pathKey)
    if (known !== undefined) return known
    const written = this.#written.get(pathKey)
    if (written === undefined) return undefined
    const column = this.#createColumn(written)
    this.#columns.set(pathKey, column)
    return column
  }

  async findColumns(required: RequiredTexts): Promise<ReadonlySet<string> | undefined> {
    const [texts = []] = required
    const written = toSearchableTexts(texts)
    const filters = await this.#frameFilters()
    if (filters === undefined && written === undefined) return undefined
    const found = new Set<string>()
    for (const column of this.#directory.columns) {
      if (!('kind' in column) || !isKeywordPath(column.pathKey)) continue
      if (texts.some((text) => mayContainText(column.kind, text))) found.add(column.pathKey)
    }
    if (filters === undefined) {
      for (const frame of await this.#dictionaries.get()) frame.addMatchingColumns(written ?? [], found)
      return found
    }
    for (const [frame, places] of this.#listDictionaryPlaces()) {
      if (!required.every((some) => some.some((text) => filters.mayFrameContain(frame, text)))) continue
      // A dictionary with a frame of its own is searched once, value by value.
      if (places.length === 1 || written === undefined) for (const { pathKey } of places) found.add(pathKey)
      else (await this.#getDictionaryFrame(frame, places).get()).addMatchingColumns(written, found)
    }
    return found
  }

  /** The block's part of the field catalog. */
  async catalog(): Promise<readonly CatalogField[]> {
    return JSON.parse((await this.#readPart(this.#directory.catalog)).toString())
  }

  /** Reads and checks every frame of the body. */
  async verify(): Promise<void> {
    for (const place of this.#directory.frames) await this.#readFrame(place)
    for (const { pathKey } of this.#directory.columns) {
      const column = this.column(pathKey)
      if (column?.kind === 'dictionary') await Promise.all([column.dictionary(), column.codes()])
      else await column?.numbers()
    }
    await Promise.all([this.times(), this.sequences(), this.severities(), this.arrivals()])
  }

  #createColumn(written: WrittenColumn): BlockColumn {
    const range = written.range ?? undefined
    const { starts, count } = this.#getRowRanges(written.pathKey)
    if (!('kind' in written)) {
      const { size } = written
      const dictionary = this.#openChunks('chunks' in written ? written : { ...written, chunks: [{ first: 0, part: written.dictionary }] })
      const codes = this.#cachePart(written.codes, (raw): CodesByTemplate => {
        const all = decodeCodes(raw, count, size)
        return (shapeIndex) => all.subarray(...starts.get(shapeIndex)!)
      }, 2)
      const byteCount = listDictionaryParts(written).reduce((sum, part) => sum + (this.#directory.getPart(part)?.length ?? 0), 0)
      return { kind: 'dictionary', range, byteCount, dictionary, codes }
    }
    const numbers = this.#cachePart(written.numbers, (raw) => {
      const all = decodeDeltas(raw, count)
      return (shapeIndex: number) => all.subarray(...starts.get(shapeIndex)!)
    }, 4)
    const { kind } = written
    const tokenOf = (number: number) => numberToToken(kind, number)
    const valueOf = kind === 'integer' ? (number: number) => number : (number: number) => tokenOf(number).slice(1, -1)
    return { kind: 'numbers', range, tokenOf, valueOf, numbers }
  }

  #cacheDictionary(part: number): () => Promise<StoredDictionary> {
    return this.#cachePart(part, (raw) => new StoredDictionary(raw), 3)
  }

  /** Opens a dictionary, of which the chunks are read that may hold what is needed. */
  #openChunks({ pathKey, chunks, size }: Extract<WrittenColumn, { chunks: unknown }>): (needed?: NeededValues) => Promise<Dictionary> {
    const readers = chunks.map(({ part }) => this.#cacheDictionary(part))
    const [only] = readers
    return async (needed) => {
      const hasNoTexts = needed === undefined || 'codes' in needed
      if (hasNoTexts && readers.length === 1) return await only!()
      const isNeeded = await this.#compileNeeded({ pathKey, chunks }, needed)
      const read = await Promise.all(chunks.map(async ({ first }, i) => {
        return { first, dictionary: isNeeded(i) ? await readers[i]!() : undefined }
      }))
      return asCorruption(() => new ChunkedDictionary(size, read))
    }
  }

  async #compileNeeded(
    { pathKey, chunks }: { readonly pathKey: string; readonly chunks: readonly DictionaryChunk[] }, needed: NeededValues | undefined,
  ): Promise<(chunk: number) => boolean> {
    if (needed === undefined) return () => true
    if ('codes' in needed) {
      const numbers = new Set(Array.from(needed.codes, (code) => findChunk(chunks, code)))
      return (chunk) => numbers.has(chunk)
    }
    // The filters have no texts of annotations.
    const filters = isKeywordPath(pathKey) ? await this.#frameFilters() : undefined
    if (filters === undefined) return () => true
    // The JSON text of a list, which fields may be compared with, is covered value by value.
    const required = needed.texts.map((texts) => texts.map((text) => text.split(jsonPunctuation)))
    return (chunk) => {
      const { frame } = this.#getPart(chunks[chunk]!.part)
      return required.every((texts) => texts.some((parts) => parts.every((part) => filters.mayFrameContain(frame, part))))
    }
  }

  /** The range of each template's rows within a column, and the number of all. */
  #getRowRanges(pathKey: string): { readonly starts: ReadonlyMap<number, [start: number, end: number]>; readonly count: number } {
    const starts = new Map<number, [number, number]>()
    let start = 0
    for (const [index, { template, count }] of this.templates.entries()) {
      if (template.getSlot(pathKey) === -1) continue
      starts.set(index, [start, start + count])
      start += count
    }
    return { starts, count: start }
  }

  #numbers(part: number): () => Promise<Float64Array> {
    return this.#cachePart(part, (raw) => decodeDeltas(raw, this.rowCount), 4)
  }

  /** A part that is decoded on demand; in memory it takes a multiple of its raw bytes. */
  #cachePart<Value>(part: number, decode: (raw: Buffer) => Value, times = 1): () => Promise<Value> {
    const piece = new CachedValue(this.#cache, async () => {
      const raw = await this.#readPart(part)
      return { value: asCorruption(() => decode(raw)), bytes: times * raw.length + cacheEntryOverheadBytes }
    })
    return () => piece.get()
  }

  async #readPart(number: number): Promise<Buffer> {
    const { frame, offset, length } = this.#getPart(number)
    const place = this.#directory.frames[frame]!
    if (length === place.rawLength) return await this.#readFrame(place)
    return (await this.#sharedFrame(frame, place).get()).subarray(offset, offset + length)
  }

  /** The location of a part whose frame exists. */
  #getPart(number: number): PartLocation {
    const { getPart, frames } = this.#directory
    const part = getPart(number)
    if (part === undefined || frames[part.frame] === undefined) throw new CorruptionError(`there is no part ${number}`)
    return part
  }

  #listDictionaryPlaces(): ReadonlyMap<number, readonly DictionaryLocation[]> {
    if (this.#dictionaryPlaces !== undefined) return this.#dictionaryPlaces
    const places = new Map<number, DictionaryLocation[]>()
    for (const column of this.#directory.columns) {
      if ('kind' in column || !isKeywordPath(column.pathKey)) continue
      for (const part of listDictionaryParts(column)) {
        const { frame, offset, length } = this.#getPart(part)
        const known = places.get(frame)
        if (known === undefined) places.set(frame, [{ pathKey: column.pathKey, offset, length }])
        else known.push({ pathKey: column.pathKey, offset, length })
      }
    }
    for (const inFrame of places.values()) inFrame.sort((one, other) => one.offset - other.offset)
    this.#dictionaryPlaces = places
    return places
  }

  #getDictionaryFrame(frame: number, places: readonly DictionaryLocation[]): CachedValue<DictionaryFrame> {
    const known = this.#dictionaryFrames.get(frame)
    if (known !== undefined) return known
    const place = this.#directory.frames[frame]!
    const piece = new CachedValue(this.#cache, async () => {
      const raw = await this.#sharedFrame(frame, place).get()
      return { value: asCorruption(() => new DictionaryFrame(raw, places)), bytes: raw.length + cacheEntryOverheadBytes }
    })
    this.#dictionaryFrames.set(frame, piece)
    return piece
  }

  /** Reads the frames with the dictionaries that keywords are searched in, in one read. */
  async #readDictionaries(): Promise<LoadedValue<readonly DictionaryFrame[]>> {
    const { frames } = this.#directory
    const places = this.#listDictionaryPlaces()
    const read = [...places].map(([number, inFrame]) => ({ place: frames[number]!, inFrame }))
    const raws = await this.#readFrames(read.map(({ place }) => place))
    const value = read.map(({ inFrame }, i) => asCorruption(() => {
      return new DictionaryFrame(raws[i]!, inFrame)
    }))
    return { value, bytes: read.reduce((sum, { place }) => sum + place.rawLength, cacheEntryOverheadBytes) }
  }

  /** Reads frames in one read, or one by one where some are corrupted. */
  async #readFrames(places: readonly FrameLocation[]): Promise<readonly Buffer[]> {
    if (places.length === 0) return []
    const start = Math.min(...places.map(({ offset }) => offset))
    const end = Math.max(...places.map(({ offset, length }) => offset + length))
    try {
      const bytes = await this.#readBody(start, end - start)
      return places.map((place) => readFrame(bytes.subarray(place.offset - start, place.offset - start + place.length), place))
    } catch (error) {
      if (!(error instanceof CorruptionError)) throw error
      return await Promise.all(places.map((place) => this.#readFrame(place)))
    }
  }

  #sharedFrame(number: number, place: FrameLocation): CachedValue<Buffer> {
    const known = this.#shared.get(number)
    if (known !== undefined) return known
    const piece = new CachedValue(this.#cache, async () => ({ value: await this.#readFrame(place),
      bytes: place.rawLength + cacheEntryOverheadBytes }))
    this.#shared.set(number, piece)
    return piece
  }
}

/** The parts with the values of a column, in the order of their codes. */
function listDictionaryParts(written: Exclude<WrittenColumn, { kind: unknown }>): readonly number[] {
  return 'chunks' in written ? written.chunks.map(({ part }) => part) : [written.dictionary]
}

/** Any failure to decode is corruption: the bytes are not those that were written. */
export function asCorruption<Value>(decode: () => Value): Value {
  try {
    return decode()
  } catch (error) {
    throw error instanceof CorruptionError ? error : new CorruptionError(String(error))
  }
}
