import { measureJson, skipBlanks } from '@tripline/common/json'
import type { JsonExtent } from '@tripline/common/json'
import { AppError } from '@tripline/contract/app-error'
import { findJsonElements, findBodyStart } from './json-elements.ts'
import { limits } from '../limits.ts'

/** The position of one event in a body. */
export type EventSpan = {
  readonly start: number
  readonly end: number
  /** Its measured extent; undefined if it is incomplete. */
  readonly extent: JsonExtent | undefined
}

/**
 * Splits a body into events without parsing them. The first non-blank byte decides: `[` starts an array of events; otherwise
 * there is one event per line, or, if the first line is incomplete and the body splits into whole values, values over
 * several lines (such as a pretty-printed object).
 *
 * @throws AppError INVALID_BODY for a body without events or a truncated array; PAYLOAD_TOO_LARGE for too many events.
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

/** Splits consecutive values; undefined if one is incomplete. */
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

/** A line is one event: text after its first value belongs to it and is refused by the parser. */
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
