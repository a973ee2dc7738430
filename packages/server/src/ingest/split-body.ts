import { AppError } from '../domain/app-error.ts'
import { measureJson, skipBlanks } from '../domain/json.ts'
import type { JsonExtent } from '../domain/json.ts'
import { findJsonElements, findBodyStart } from '../domain/json-elements.ts'
import { limits } from '../limits.ts'

/** Where one event of a body stands. */
export type EventSpan = {
  readonly start: number
  readonly end: number
  /** What a linear look told of it; undefined when it does not close. */
  readonly extent: JsonExtent | undefined
}

/**
 * Splits a body into its events without parsing any of them. The first byte that is no blank decides:
 * `[` begins an array of events; anything else is one event per line, or, where the first line does not close
 * and taking the body value by value does, values over several lines (one pretty-printed object).
 *
 * @throws AppError INVALID_BODY for a body that holds no event or an array that breaks off;
 *   PAYLOAD_TOO_LARGE for more events than one request may bring.
 */
export function splitBody(bytes: Uint8Array): EventSpan[] {
  const start = findBodyStart(bytes)
  if (start === bytes.length) throw invalidBody('the body contains no events')
  if (bytes[start] === openBracket) return splitArray(bytes, start)
  const firstLine = measureLine(bytes, start, findLineEnd(bytes, start))
  if (firstLine.extent !== undefined) return splitLines(bytes, start)
  return splitValues(bytes, start) ?? splitLines(bytes, start)
}

function splitArray(bytes: Uint8Array, arrayStart: number): EventSpan[] {
  const pieces: EventSpan[] = []
  for (const element of findJsonElements(bytes, arrayStart)) addSpan(pieces, element)
  if (pieces.length === 0) throw invalidBody('the body contains no events')
  return pieces
}

function splitLines(bytes: Uint8Array, bodyStart: number): EventSpan[] {
  const pieces: EventSpan[] = []
  for (let start = bodyStart; start < bytes.length; ) {
    const end = findLineEnd(bytes, start)
    const contentStart = skipBlanks(bytes, start, end)
    if (contentStart < end) addSpan(pieces, measureLine(bytes, contentStart, end))
    start = end + 1
  }
  return pieces
}

/** Values one after the other, with blanks between; undefined when one of them does not close. */
function splitValues(bytes: Uint8Array, bodyStart: number): EventSpan[] | undefined {
  const pieces: EventSpan[] = []
  for (let start = bodyStart; start < bytes.length; ) {
    const extent = measureJson(bytes, start, bytes.length)
    if (extent === undefined) return undefined
    addSpan(pieces, { start, end: extent.end, extent })
    start = skipBlanks(bytes, extent.end, bytes.length)
  }
  return pieces
}

/** A line is one event: whatever follows its first value is part of it, for the parser to refuse. */
function measureLine(bytes: Uint8Array, start: number, end: number): EventSpan {
  return { start, end, extent: measureJson(bytes, start, end) }
}

function addSpan(pieces: EventSpan[], piece: EventSpan): void {
  const limit = limits.ingest.requestEventsMax
  if (pieces.length === limit) {
    throw new AppError('PAYLOAD_TOO_LARGE', `the body contains more than ${limit} events; split it`, { limit_events: limit })
  }
  pieces.push(piece)
}

function findLineEnd(bytes: Uint8Array, start: number): number {
  const end = bytes.indexOf(newline, start)
  return end === -1 ? bytes.length : end
}

function invalidBody(message: string): AppError {
  return new AppError('INVALID_BODY', message)
}

const newline = 0x0a
const openBracket = 0x5b
