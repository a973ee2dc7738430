import { setImmediate as othersFirst } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { parseNumber, readEvent } from '@tripline/engine/evaluate'
import { ByteWriter } from '../../log/byte-writer.ts'
import { writeArrivals } from './arrivals.ts'
import type { NumberRange } from './block.ts'
import { blockVersion, encodeHeader } from './block-header.ts'
import { encodeParity } from './block-parity.ts'
import type { BlockDirectory, WrittenColumn } from './block-directory.ts'
import { catalogColumn } from './catalog.ts'
import { detectNumberColumn, tokenToNumber } from './column-kind.ts'
import { encodeDictionary } from './dictionary.ts'
import { FrameWriter, compressIfSmaller } from './frame.ts'
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

/** Encodes a full memtable as a block, column by column, and yields in between. */
export async function encodeBlock(block: Memtable): Promise<Buffer> {
  const { rows, bounds } = block
  const frames = new FrameWriter()
  const filter = new BloomFilterBuilder()
  const columns: WrittenColumn[] = []
  const catalog: object[] = []
  let tokenCount = tokensPerSlice
  const after = async (count: number): Promise<void> => {
    tokenCount += count
    if (tokenCount < tokensPerSlice) return
    tokenCount = 0
    await othersFirst()
  }
  await after(0)
  for (const [column, codes] of groupCodesByColumn(rows)) {
    const { path, tokens } = column
    const written = encodeColumn(column, codes, frames)
    columns.push(written)
    if (path === undefined) continue
    await after(tokens.length)
    for (let start = 0; start < tokens.length; start += tokensPerSlice) {
      const slice = tokens.slice(start, start + tokensPerSlice)
      filter.addColumn(path, slice, 'kind' in written ? written.kind : undefined)
      await after(slice.length)
    }
    catalog.push(catalogColumn(path, tokens, codes))
    await after(tokens.length)
  }
  await othersFirst()
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
  const { body, ...places } = await frames.finish()
  const directory: BlockDirectory = { rules: rulesNumbers.map(({ text }) => text), shapes, columns, ...numbers, ...places }
  const raw = Buffer.from(JSON.stringify(directory))
  const written = await compressIfSmaller(raw)
  const rawFilter = filter.encode()
  const writtenFilter = await compressIfSmaller(rawFilter)
  const header = encodeHeader({
    version: blockVersion, ...bounds,
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

function encodeColumn(column: MemtableColumn, codes: readonly number[], frames: FrameWriter): WrittenColumn {
  const { pathKey, path, tokens } = column
  const range = path === undefined ? null : computeRange(tokens)
  const kind = path !== undefined && tokens.length > listedNumbersMax ? detectNumberColumn(tokens) : undefined
  if (kind !== undefined) {
    const numbers = tokens.map((token) => tokenToNumber(kind, token))
    return { pathKey, range, kind, numbers: frames.add(encodeDeltas(codes.map((code) => numbers[code]!))) }
  }
  const dictionary = frames.add(encodeDictionary(tokens))
  return { pathKey, range, dictionary, size: tokens.length, codes: frames.add(encodeCodes(codes, tokens.length)) }
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
