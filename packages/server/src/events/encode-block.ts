import { crc32 } from 'node:zlib'
import { numberOf } from '@tripline/engine/evaluate'
import type { NumberRange } from './block.ts'
import { encodeHeader } from './block-header.ts'
import type { BlockDirectory, WrittenColumn } from './block-directory.ts'
import { catalogColumn } from './catalog.ts'
import { numberColumnKind, numberOfToken } from './column-kind.ts'
import { encodeDictionary } from './dictionary.ts'
import { FrameWriter, compressed } from './frame.ts'
import { rulesOf } from './name-rules.ts'
import { encodeCodes, encodeDeltas } from './numbers-codec.ts'
import type { OpenBlock, OpenColumn, OpenRows } from './open-block.ts'
import { writeShape } from './shape-table.ts'
import { valueOfToken } from './token.ts'
import { FilterBuilder } from './value-filter.ts'

/** A column has numbers instead of a dictionary when it has more values than this, and each is a number's. */
const listedNumbersMax = 256

/**
 * Makes the bytes of a block that takes no more rows. Goes column by column and lets others have their turn in
 * between.
 */
export async function encodeBlock(block: OpenBlock): Promise<Buffer> {
  const { rows, columns: openColumns, bounds } = block
  const frames = new FrameWriter()
  const filter = new FilterBuilder()
  const columns: WrittenColumn[] = []
  const catalog: object[] = []
  for (const column of openColumns.values()) {
    const codes = codesOf(rows, column)
    const written = await encodeColumn(column, codes, frames)
    columns.push(written)
    if (column.path === undefined) continue
    filter.addColumn(column.path, column.tokens, 'dictionary' in written)
    catalog.push(catalogColumn(column.path, column.tokens, codes))
  }
  const rules = rows.map(({ shape }) => rulesOf(shape.rules))
  const rulesNumbers = [...new Set(rules)]
  const directory: BlockDirectory = {
    rules: rulesNumbers.map(({ text }) => text),
    shapes: rows.map(({ shape, times }, i) => ({
      ...writeShape(shape, rulesNumbers.indexOf(rules[i]!)), count: times.length,
    })),
    columns,
    times: await frames.add(encodeDeltas(rows.flatMap(({ times }) => times))),
    sequences: await frames.add(encodeDeltas(rows.flatMap(({ sequences }) => sequences))),
    severities: await frames.add(Buffer.from(rows.flatMap(({ severities }) => severities))),
    filter: await frames.add(filter.encode()),
    catalog: await frames.add(Buffer.from(JSON.stringify(catalog))),
    frames: frames.places,
  }
  const raw = Buffer.from(JSON.stringify(directory))
  const written = await compressed(raw)
  const body = frames.body()
  const header = encodeHeader({
    ...bounds, directoryLength: written.length, directoryRawLength: raw.length, directoryCrc: crc32(written),
    bodyLength: body.length,
  })
  return Buffer.concat([header, written, body])
}

/** The codes of a column, shape by shape. */
function codesOf(rows: readonly OpenRows[], { pathKey }: OpenColumn): number[] {
  return rows.flatMap(({ shape, codes }) => codes[shape.slotOf(pathKey)] ?? [])
}

async function encodeColumn(column: OpenColumn, codes: readonly number[], frames: FrameWriter): Promise<WrittenColumn> {
  const { pathKey, path, tokens } = column
  const range = path === undefined ? null : rangeOf(tokens)
  const kind = path !== undefined && tokens.length > listedNumbersMax ? numberColumnKind(tokens) : undefined
  if (kind !== undefined) {
    const numbers = tokens.map((token) => numberOfToken(kind, token))
    return { pathKey, range, kind, numbers: await frames.add(encodeDeltas(codes.map((code) => numbers[code]!))) }
  }
  const dictionary = await frames.add(encodeDictionary(tokens))
  return { pathKey, range, dictionary, size: tokens.length, codes: await frames.add(encodeCodes(codes, tokens.length)) }
}

/** The least and the largest number that values state; lists may state others at the end of a path. */
function rangeOf(tokens: readonly string[]): NumberRange | null {
  let min = Infinity
  let max = -Infinity
  for (const token of tokens) {
    // A range that JSON cannot print would not come back.
    if (token.startsWith('[')) return [-Number.MAX_VALUE, Number.MAX_VALUE]
    const value = valueOfToken(token, [])
    const number = value === undefined || typeof value === 'object' ? NaN : numberOf(value)
    if (Number.isNaN(number)) continue
    min = Math.min(min, number)
    max = Math.max(max, number)
  }
  return min > max ? null : [Math.max(min, -Number.MAX_VALUE), Math.min(max, Number.MAX_VALUE)]
}
