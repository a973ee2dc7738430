import { setImmediate as othersFirst } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { parseNumber, readEvent } from '@tripline/engine/evaluate'
import { ByteWriter } from '../../log/byte-writer.ts'
import { writeArrivals } from './arrivals.ts'
import type { NumberRange } from './block.ts'
import { blockVersion, encodeHeader } from './block-header.ts'
import type { BlockVersion } from './block-header.ts'
import { appendParity } from './block-parity.ts'
import { encodeDirectory } from './block-directory.ts'
import type { BlockDirectory, DictionaryChunk, WrittenColumn } from './block-directory.ts'
import { catalogColumn } from './catalog.ts'
import { detectNumberColumn, tokenToNumber } from './column-kind.ts'
import { encodeDictionary } from './dictionary.ts'
import { EncodingTurns, unitsPerTurn, encodingUnits } from './encoding-turns.ts'
import { FrameWriter, compressIfSmaller, formerOwnFrameLengthMin, ownFrameLengthMin } from './frame.ts'
import { FrameFiltersBuilder } from './frame-filters.ts'
import { getAliasRules } from './alias-rules.ts'
import { encodeCodes, encodeDeltas } from './numbers-codec.ts'
import type { Memtable, MemtableColumn, MemtableRows } from './memtable.ts'
import { writeTemplate } from './event-templates.ts'
import { readTokenValue } from './json-literal.ts'
import { BloomFilterBuilder } from './bloom-filter.ts'

/** Values of a column between two looks at the turn. */
const valuesPerCheck = 512

/** A column of this many values or fewer always gets a dictionary; a numeric column with more stores numbers. */
const listedNumbersMax = 256

/** How a block is written: its version, and the bytes of a chunk of a long dictionary. */
export type BlockFormat = { readonly version: Exclude<BlockVersion, 2>; readonly chunkBytes: number }

/**
 * Resolves when encoding may go on for a millisecond or two; default: after other work of the process. `doneUnits` is the work
 * since the turn before.
 */
type EncodingOptions = { readonly takeTurn?: (doneUnits: number) => Promise<unknown> }

/** Dictionaries of at least two chunks are cut: a value, or the few values with a word, are read with one of these. */
const defaultFormat: BlockFormat = { version: blockVersion, chunkBytes: 131_072 }
/** Whole texts of events repeat each other, and are compressed better together. */
const wholeTextsChunkFactor = 4

/** Encodes a full memtable as a block, column by column, and takes a turn before each little work. */
export async function encodeBlock(
  block: Memtable, { takeTurn = othersFirst, ...format }: Partial<BlockFormat> & EncodingOptions = {},
): Promise<Buffer> {
  const { version, chunkBytes } = { ...defaultFormat, ...format }
  const { rows, bounds } = block
  const turns = new EncodingTurns((doneUnits) => takeTurn(doneUnits))
  const frames = new FrameWriter(version === 3 ? formerOwnFrameLengthMin : ownFrameLengthMin)
  const frameFilters = version === 3 ? undefined : new FrameFiltersBuilder({ hasLetterGrams: version >= 5 })
  const filter = new BloomFilterBuilder(frameFilters)
  const columns: WrittenColumn[] = []
  const catalog: object[] = []
  await turns.begin()
  for (const [column, codes] of await groupCodesByColumn(rows, turns)) {
    const { path, tokens } = column
    const columnChunkBytes = path === undefined ? wholeTextsChunkFactor * chunkBytes : chunkBytes
    const ranges = cutDictionary(tokens, version === 3 ? Infinity : columnChunkBytes)
    await turns.add(tokens.length)
    const written = await encodeColumn(column, { codes, ranges, turns }, frames)
    columns.push(written)
    if (path === undefined) continue
    for (const [i, range] of ranges.entries()) {
      const part = getDictionaryParts(written)[i]
      if (part === undefined) frameFilters?.beginOthers()
      else frameFilters?.beginPart(part, frames.getSharedFrame(part))
      for (const { slice, units } of sliceTokens(tokens, range)) {
        await turns.add(units)
        filter.addColumn(path, slice, 'kind' in written ? written.kind : undefined)
      }
    }
    await turns.add(encodingUnits.token * tokens.length)
    catalog.push(catalogColumn(path, tokens, codes))
  }
  frameFilters?.beginOthers()
  for (const { template, codes, columns: [column] } of rows) {
    for (const path of template.emptyPaths) filter.addNames(path)
    if (!template.isOpaque) continue
    for (const code of new Set(codes[0])) {
      const text = column!.tokens[code]!
      await turns.add(encodingUnits.value + text.length)
      filter.addEvent(readFields(text))
    }
  }
  const rules = rows.map(({ template }) => getAliasRules(template.rules))
  const rulesNumbers = [...new Set(rules)]
  const shapes = rows.map(({ template, times }, i) => {
    return { ...writeTemplate(template, rulesNumbers.indexOf(rules[i]!)), count: times.length }
  })
  const addNumbers = async (numbers: number[]): Promise<number> => {
    await turns.add(numbers.length)
    return frames.add(encodeDeltas(numbers))
  }
  const numbers = {
    times: await addNumbers(rows.flatMap(({ times }) => times)),
    sequences: await addNumbers(rows.flatMap(({ sequences }) => sequences)),
    severities: frames.add(Buffer.from(rows.flatMap(({ severities }) => severities))),
    ...addArrivals(rows, frames),
    catalog: frames.add(Buffer.from(JSON.stringify(catalog))),
  }
  const framesParts = frames.closeParts()
  await turns.add(columns.length * encodingUnits.value)
  const encodedFilters = frameFilters?.encode((part) => framesParts[part]!.frame)
  const { bodyParts, ...places } = await frames.finish(encodedFilters?.length ?? 0)
  const directory: BlockDirectory = { rules: rulesNumbers.map(({ text }) => text), shapes, columns, ...numbers, ...places }
  await turns.add((rows.length + columns.length) * encodingUnits.value)
  const raw = version < 5 ? Buffer.from(JSON.stringify(directory)) : encodeDirectory(directory)
  const written = await compressIfSmaller(raw)
  const rawFilter = filter.encode(encodedFilters && { length: encodedFilters.length, crc: crc32(encodedFilters) })
  const writtenFilter = await compressIfSmaller(rawFilter)
  const body = encodedFilters === undefined ? bodyParts : [encodedFilters, ...bodyParts]
  const header = encodeHeader({
    version, ...bounds,
    filterLength: writtenFilter.length, filterRawLength: rawFilter.length, filterCrc: crc32(writtenFilter),
    directoryLength: written.length, directoryRawLength: raw.length, directoryCrc: crc32(written),
    bodyLength: body.reduce((sum, { length }) => sum + length, 0),
  })
  return await appendParity([header, writtenFilter, written, ...body], (byteCount) => turns.add(encodingUnits.byte * byteCount))
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
async function groupCodesByColumn(rows: readonly MemtableRows[], turns: EncodingTurns): Promise<Map<MemtableColumn, number[]>> {
  const byColumn = new Map<MemtableColumn, number[]>()
  for (const { columns, codes } of rows) {
    for (const [slot, column] of columns.entries()) {
      const ofSlot = codes[slot]!
      await turns.add(encodingUnits.code * ofSlot.length)
      const known = byColumn.get(column)
      if (known === undefined) byColumn.set(column, [...ofSlot])
      else for (const code of ofSlot) known.push(code)
    }
  }
  return byColumn
}

/** Slices of values for a little work each, with its units. */
function* sliceTokens(
  tokens: readonly string[], [first, end]: readonly [first: number, end: number],
): Generator<{ readonly slice: readonly string[]; readonly units: number }> {
  let start = first
  let units = 0
  for (let code = first; code < end; code++) {
    units += encodingUnits.value + tokens[code]!.length
    if (units < unitsPerTurn / 2 && code < end - 1) continue
    yield { slice: tokens.slice(start, code + 1), units }
    start = code + 1
    units = 0
  }
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

type ColumnContent = {
  readonly codes: readonly number[]
  readonly ranges: readonly (readonly [first: number, end: number])[]
  readonly turns: EncodingTurns
}

async function encodeColumn(column: MemtableColumn, { codes, ranges, turns }: ColumnContent, frames: FrameWriter): Promise<WrittenColumn> {
  const { pathKey, path, tokens } = column
  const range = path === undefined ? null : await computeRange(tokens, turns)
  await turns.add(encodingUnits.code * codes.length)
  const kind = path !== undefined && tokens.length > listedNumbersMax ? detectNumberColumn(tokens) : undefined
  if (kind !== undefined) {
    await turns.add(encodingUnits.token * tokens.length)
    const numbers = tokens.map((token) => tokenToNumber(kind, token))
    return { pathKey, range, kind, numbers: frames.add(encodeDeltas(codes.map((code) => numbers[code]!))) }
  }
  const size = tokens.length
  const parts: DictionaryChunk[] = []
  for (const [first, end] of ranges) {
    const chunk = tokens.slice(first, end)
    await turns.add(encodingUnits.byte * chunk.reduce((sum, token) => sum + token.length, 0) + chunk.length)
    parts.push({ first, part: frames.add(encodeDictionary(chunk)) })
  }
  const encodedCodes = frames.add(encodeCodes(codes, size))
  if (parts.length === 1) return { pathKey, range, dictionary: parts[0]!.part, size, codes: encodedCodes }
  return { pathKey, range, chunks: parts, size, codes: encodedCodes }
}

/** The parts with the values of a column, in the order of their codes; none where it has no dictionary. */
function getDictionaryParts(written: WrittenColumn): readonly number[] {
  if ('dictionary' in written) return [written.dictionary]
  return 'chunks' in written ? written.chunks.map(({ part }) => part) : []
}

/** The least and the largest numeric value; lists may hold others at the end of a path. */
async function computeRange(tokens: readonly string[], turns: EncodingTurns): Promise<NumberRange | null> {
  let min = Infinity
  let max = -Infinity
  for (const [i, token] of tokens.entries()) {
    if (i % valuesPerCheck === 0) await turns.add(encodingUnits.token * Math.min(valuesPerCheck, tokens.length - i))
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
