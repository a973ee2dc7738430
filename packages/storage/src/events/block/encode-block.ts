import { setImmediate as othersFirst } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { parseNumber, readEvent } from '@tripline/engine/evaluate'
import { ByteWriter } from '../../log/byte-writer.ts'
import { writeArrivals } from './arrivals.ts'
import type { NumberRange } from './block.ts'
import { blockVersion, encodeHeader } from './block-header.ts'
import type { BlockVersion } from './block-header.ts'
import { encodeParity } from './block-parity.ts'
import { encodeDirectory } from './block-directory.ts'
import type { BlockDirectory, WrittenColumn } from './block-directory.ts'
import { catalogColumn } from './catalog.ts'
import { detectNumberColumn, tokenToNumber } from './column-kind.ts'
import { encodeDictionary } from './dictionary.ts'
import { FrameWriter, compressIfSmaller, formerOwnFrameLengthMin, ownFrameLengthMin } from './frame.ts'
import { FrameFiltersBuilder } from './frame-filters.ts'
import { getAliasRules } from './alias-rules.ts'
import { encodeCodes, encodeDeltas } from './numbers-codec.ts'
import type { Memtable, MemtableColumn, MemtableRows } from './memtable.ts'
import { writeTemplate } from './event-templates.ts'
import { readTokenValue } from './json-literal.ts'
import { BloomFilterBuilder } from './bloom-filter.ts'

/** A column of this many values or fewer always gets a dictionary; a numeric column with more stores numbers. */
const listedNumbersMax = 256

/**
 * Distinct values encoded between two yields: a millisecond or two. An event yields several times on its way to an
 * alert.
 */
const tokensPerSlice = 256

/** How a block is written: its version, and the bytes of a chunk of a long dictionary. */
export type BlockFormat = { readonly version: Exclude<BlockVersion, 2>; readonly chunkBytes: number }

/** Resolves when encoding may go on for a millisecond or two; default: after other work of the process. */
type EncodingTurns = { readonly takeTurn?: () => Promise<unknown> }

/** Dictionaries of at least two chunks are cut: a value, or the few values with a word, are read with one of these. */
const defaultFormat: BlockFormat = { version: blockVersion, chunkBytes: 131_072 }
/** Whole texts of events repeat each other, and are compressed better together. */
const wholeTextsChunkFactor = 4

/** Encodes a full memtable as a block, column by column, and takes a turn before each few values. */
export async function encodeBlock(
  block: Memtable, { takeTurn = othersFirst, ...format }: Partial<BlockFormat> & EncodingTurns = {},
): Promise<Buffer> {
  const { version, chunkBytes } = { ...defaultFormat, ...format }
  const { rows, bounds } = block
  const frames = new FrameWriter(version === 3 ? formerOwnFrameLengthMin : ownFrameLengthMin)
  const frameFilters = version === 3 ? undefined : new FrameFiltersBuilder({ hasLetterGrams: version >= 5 })
  const filter = new BloomFilterBuilder(frameFilters)
  const columns: WrittenColumn[] = []
  const catalog: object[] = []
  let tokenCount = tokensPerSlice
  const after = async (count: number): Promise<void> => {
    tokenCount += count
    if (tokenCount < tokensPerSlice) return
    tokenCount = 0
    await takeTurn()
  }
  await after(0)
  for (const [column, codes] of groupCodesByColumn(rows)) {
    const { path, tokens } = column
    const columnChunkBytes = path === undefined ? wholeTextsChunkFactor * chunkBytes : chunkBytes
    const ranges = cutDictionary(tokens, version === 3 ? Infinity : columnChunkBytes)
    const written = encodeColumn(column, { codes, ranges }, frames)
    columns.push(written)
    if (path === undefined) continue
    await after(tokens.length)
    for (const [i, [first, end]] of ranges.entries()) {
      const part = getDictionaryParts(written)[i]
      if (part === undefined) frameFilters?.beginOthers()
      else frameFilters?.beginPart(part, frames.getSharedFrame(part))
      for (let start = first; start < end; start += tokensPerSlice) {
        const slice = tokens.slice(start, Math.min(end, start + tokensPerSlice))
        filter.addColumn(path, slice, 'kind' in written ? written.kind : undefined)
        await after(slice.length)
      }
    }
    catalog.push(catalogColumn(path, tokens, codes))
    await after(tokens.length)
  }
  await takeTurn()
  frameFilters?.beginOthers()
  for (const { template, codes, columns: [column] } of rows) {
    for (const path of template.emptyPaths) filter.addNames(path)
    if (template.isOpaque) for (const code of new Set(codes[0])) filter.addEvent(readFields(column!.tokens[code]!))
  }
  const rules = rows.map(({ template }) => getAliasRules(template.rules))
  const rulesNumbers = [...new Set(rules)]
  const shapes = rows.map(({ template, times }, i) => {
    return { ...writeTemplate(template, rulesNumbers.indexOf(rules[i]!)), count: times.length }
  })
  const numbers = {
    times: frames.add(encodeDeltas(rows.flatMap(({ times }) => times))),
    sequences: frames.add(encodeDeltas(rows.flatMap(({ sequences }) => sequences))),
    severities: frames.add(Buffer.from(rows.flatMap(({ severities }) => severities))),
    ...addArrivals(rows, frames),
    catalog: frames.add(Buffer.from(JSON.stringify(catalog))),
  }
  const framesParts = frames.closeParts()
  const encodedFilters = frameFilters?.encode((part) => framesParts[part]!.frame)
  const { body: framesBody, ...places } = await frames.finish(encodedFilters?.length ?? 0)
  const body = encodedFilters === undefined ? framesBody : Buffer.concat([encodedFilters, framesBody])
  const directory: BlockDirectory = { rules: rulesNumbers.map(({ text }) => text), shapes, columns, ...numbers, ...places }
  const raw = version < 5 ? Buffer.from(JSON.stringify(directory)) : encodeDirectory(directory)
  const written = await compressIfSmaller(raw)
  const rawFilter = filter.encode(encodedFilters && { length: encodedFilters.length, crc: crc32(encodedFilters) })
  const writtenFilter = await compressIfSmaller(rawFilter)
  const header = encodeHeader({
    version, ...bounds,
    filterLength: writtenFilter.length, filterRawLength: rawFilter.length, filterCrc: crc32(writtenFilter),
    directoryLength: written.length, directoryRawLength: raw.length, directoryCrc: crc32(written), bodyLength: body.length,
  })
  const content = Buffer.concat([header, writtenFilter, written, body])
  return Buffer.concat([content, encodeParity(content)])
}

/** The fields that rules see of an event of which only the whole text is stored. */
function readFields(text: string): Record<string, unknown> {
  return readEvent(Buffer.from(text, 'latin1').toString('utf8')).event.fields
}

function addArrivals(rows: readonly MemtableRows[], frames: FrameWriter): Pick<BlockDirectory, 'arrivals'> {
  const arrivals = rows.flatMap((one) => one.arrivals)
  if (arrivals.every((arrival) => arrival === undefined)) return {}
  const writer = new ByteWriter()
  writeArrivals(writer, arrivals)
  return { arrivals: frames.add(writer.done()) }
}

/** The codes of each column, template by template. */
function groupCodesByColumn(rows: readonly MemtableRows[]): Map<MemtableColumn, number[]> {
  const byColumn = new Map<MemtableColumn, number[]>()
  for (const { columns, codes } of rows) {
    for (const [slot, column] of columns.entries()) {
      const known = byColumn.get(column)
      if (known === undefined) byColumn.set(column, [...codes[slot]!])
      else for (const code of codes[slot]!) known.push(code)
    }
  }
  return byColumn
}

/** Cuts a dictionary into ranges of codes with about as many bytes of values each; one where it is shorter than two. */
function cutDictionary(tokens: readonly string[], bytesPerChunk: number): (readonly [first: number, end: number])[] {
  const total = tokens.reduce((sum, token) => sum + token.length, 0)
  if (total < 2 * bytesPerChunk) return [[0, tokens.length]]
  const ranges: (readonly [number, number])[] = []
  let first = 0
  let byteCount = 0
  for (let code = 0; code < tokens.length; code++) {
    byteCount += tokens[code]!.length
    if (byteCount < bytesPerChunk) continue
    ranges.push([first, code + 1])
    first = code + 1
    byteCount = 0
  }
  if (first < tokens.length) ranges.push([first, tokens.length])
  return ranges
}

type ColumnContent = { readonly codes: readonly number[]; readonly ranges: readonly (readonly [first: number, end: number])[] }

function encodeColumn(column: MemtableColumn, { codes, ranges }: ColumnContent, frames: FrameWriter): WrittenColumn {
  const { pathKey, path, tokens } = column
  const range = path === undefined ? null : computeRange(tokens)
  const kind = path !== undefined && tokens.length > listedNumbersMax ? detectNumberColumn(tokens) : undefined
  if (kind !== undefined) {
    const numbers = tokens.map((token) => tokenToNumber(kind, token))
    return { pathKey, range, kind, numbers: frames.add(encodeDeltas(codes.map((code) => numbers[code]!))) }
  }
  const size = tokens.length
  if (ranges.length === 1) {
    return { pathKey, range, dictionary: frames.add(encodeDictionary(tokens)), size, codes: frames.add(encodeCodes(codes, size)) }
  }
  const chunks = ranges.map(([first, end]) => ({ first, part: frames.add(encodeDictionary(tokens.slice(first, end))) }))
  return { pathKey, range, chunks, size, codes: frames.add(encodeCodes(codes, size)) }
}

/** The parts with the values of a column, in the order of their codes; none where it has no dictionary. */
function getDictionaryParts(written: WrittenColumn): readonly number[] {
  if ('dictionary' in written) return [written.dictionary]
  return 'chunks' in written ? written.chunks.map(({ part }) => part) : []
}

/** The least and the largest numeric value; lists may hold others at the end of a path. */
function computeRange(tokens: readonly string[]): NumberRange | null {
  let min = Infinity
  let max = -Infinity
  for (const token of tokens) {
    // JSON cannot print infinity.
    if (token.startsWith('[')) return [-Number.MAX_VALUE, Number.MAX_VALUE]
    const value = readTokenValue(token, [])
    const number = value === undefined || typeof value === 'object' ? NaN : parseNumber(value)
    if (Number.isNaN(number)) continue
    min = Math.min(min, number)
    max = Math.max(max, number)
  }
  return min > max ? null : [Math.max(min, -Number.MAX_VALUE), Math.min(max, Number.MAX_VALUE)]
}
