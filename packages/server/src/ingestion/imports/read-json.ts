import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { isJsonObject, measureJson, skipBlanks, tryParseJson } from '@tripline/common/json'
import { findJsonElements, findBodyStart } from '@tripline/formats/json/json-elements'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { limits } from '../limits.ts'
import type { FileRow } from './file-row.ts'

const openBracket = 0x5b

/**
 * Reads rows that are JSON objects: one per line, or in an array.
 *
 * @throws AppError INVALID_BODY for an array in which the bounds of elements are ambiguous.
 */
export async function* readJsonRows(bytes: Uint8Array): AsyncGenerator<FileRow> {
  const start = findBodyStart(bytes)
  let turnAt = start + limits.imports.pieceBytesMax
  for (const row of bytes[start] === openBracket ? findArrayRows(bytes, start) : findLineRows(bytes, start)) {
    yield readRow(bytes, row)
    if (row.end < turnAt) continue
    turnAt = row.end + limits.imports.pieceBytesMax
    await othersFirst()
  }
}

/** The position of a row. */
type RowSpan = { readonly line: number; readonly start: number; readonly end: number }

const newline = 0x0a

function* findLineRows(bytes: Uint8Array, bodyStart: number): Generator<RowSpan> {
  let line = 1 + countNewlines(bytes, bodyStart)
  for (let start = bodyStart; start < bytes.length; line++) {
    const found = bytes.indexOf(newline, start)
    const end = found === -1 ? bytes.length : found
    const contentStart = skipBlanks(bytes, start, end)
    if (contentStart < end) yield { line, start: contentStart, end }
    start = end + 1
  }
}

function* findArrayRows(bytes: Uint8Array, arrayStart: number): Generator<RowSpan> {
  let line = 0
  for (const { start, end } of findJsonElements(bytes, arrayStart)) yield { line: ++line, start, end }
}

/** A row that is too long, too deep or not an object is refused before it is parsed. */
function readRow(bytes: Uint8Array, { line, start, end }: RowSpan): FileRow {
  const { rowBytesMax, rowDepthMax, columnsMax } = limits.imports
  if (end - start > rowBytesMax) return { line, problem: `the row has more than ${rowBytesMax} bytes` }
  const extent = measureJson(bytes, start, end)
  if (extent === undefined) return { line, problem: 'the row is not a JSON object' }
  if (extent.depth > rowDepthMax) return { line, problem: `the row nests deeper than ${rowDepthMax} levels` }
  if (extent.fieldCount > columnsMax) return { line, problem: `the row has more than ${columnsMax} fields` }
  const parsed = tryParseJson(decodeUtf8(bytes.subarray(start, end)))
  if ('problem' in parsed) return { line, problem: 'the row is not valid JSON' }
  return isJsonObject(parsed.value) ? { line, fields: parsed.value } : { line, problem: 'the row is not a JSON object' }
}

function countNewlines(bytes: Uint8Array, end: number): number {
  return bytes.subarray(0, end).reduce((count, byte) => count + Number(byte === newline), 0)
}
