import { setImmediate as turn } from 'node:timers/promises'
import { AppError } from '../domain/app-error.ts'
import { isJsonObject, measureJson, parseJson, skipBlanks } from '../domain/json.ts'
import { limits } from '../limits.ts'
import type { FileRow } from './file-row.ts'

/**
 * Reads rows that are JSON objects: one on each line, or all in an array.
 *
 * @throws AppError INVALID_BODY for an array in which it cannot be told where an element ends.
 */
export async function* readJson(bytes: Uint8Array): AsyncGenerator<FileRow> {
  const start = skipBlanks(bytes, hasByteOrderMark(bytes) ? 3 : 0, bytes.length)
  let turnAt = start + limits.imports.pieceBytesMax
  for (const row of bytes[start] === openBracket ? rowsOfArray(bytes, start) : rowsOfLines(bytes, start)) {
    yield readRow(bytes, row)
    if (row.end < turnAt) continue
    turnAt = row.end + limits.imports.pieceBytesMax
    await turn()
  }
}

/** Where a row stands. */
type RowPlace = { readonly line: number; readonly start: number; readonly end: number }

function* rowsOfLines(bytes: Uint8Array, bodyStart: number): Generator<RowPlace> {
  let line = 1 + newlinesIn(bytes, bodyStart)
  for (let start = bodyStart; start < bytes.length; line++) {
    const found = bytes.indexOf(newline, start)
    const end = found === -1 ? bytes.length : found
    const contentStart = skipBlanks(bytes, start, end)
    if (contentStart < end) yield { line, start: contentStart, end }
    start = end + 1
  }
}

function* rowsOfArray(bytes: Uint8Array, arrayStart: number): Generator<RowPlace> {
  let at = skipBlanks(bytes, arrayStart + 1, bytes.length)
  for (let line = 1; bytes[at] !== closeBracket || line > 1; line++) {
    const extent = measureJson(bytes, at, bytes.length)
    if (extent === undefined) throw invalidBody(`the array has no readable element ${line}, at byte ${at}`)
    yield { line, start: at, end: extent.end }
    at = skipBlanks(bytes, extent.end, bytes.length)
    if (bytes[at] === closeBracket) break
    if (bytes[at] !== comma) throw invalidBody(`the array does not go on after element ${line}, at byte ${at}`)
    at = skipBlanks(bytes, at + 1, bytes.length)
  }
  const rest = skipBlanks(bytes, at + 1, bytes.length)
  if (rest !== bytes.length) throw invalidBody(`the body goes on after its array, at byte ${rest}`)
}

/** What is too long, too deep or no object is no row; nothing of it is parsed before that is known. */
function readRow(bytes: Uint8Array, { line, start, end }: RowPlace): FileRow {
  const { rowBytesMax, rowDepthMax, columnsMax } = limits.imports
  if (end - start > rowBytesMax) return { line, problem: `the row has more than ${rowBytesMax} bytes` }
  const extent = measureJson(bytes, start, end)
  if (extent === undefined) return { line, problem: 'the row is not a JSON object' }
  if (extent.depth > rowDepthMax) return { line, problem: `the row nests deeper than ${rowDepthMax} levels` }
  if (extent.fieldCount > columnsMax) return { line, problem: `the row has more than ${columnsMax} fields` }
  const parsed = parseJson(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8'))
  if ('problem' in parsed) return { line, problem: 'the row is not valid JSON' }
  return isJsonObject(parsed.value) ? { line, fields: parsed.value } : { line, problem: 'the row is not a JSON object' }
}

function newlinesIn(bytes: Uint8Array, end: number): number {
  return bytes.subarray(0, end).reduce((count, byte) => count + Number(byte === newline), 0)
}

function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

function invalidBody(message: string): AppError {
  return new AppError('INVALID_BODY', message)
}

const newline = 0x0a
const comma = 0x2c
const openBracket = 0x5b
const closeBracket = 0x5d
