import { parseJson as parseOrThrow } from './parse-json.ts'

/** The extent of a JSON value, found by a linear scan before any recursive parser reads it. */
export type JsonExtent = {
  /** Offset after its last byte. */
  readonly end: number
  /** Levels of nesting: 0 for a scalar, 1 for `{}`. */
  readonly depth: number
  /** Number of fields of all objects in it. */
  readonly fieldCount: number
}

const quote = 0x22

const colon = 0x3a
const openBracket = 0x5b

const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Measures the JSON value at `start` without parsing it. Undefined if no value begins there or it does not end before `end`.
 * It treats both kinds of brackets alike and does not check scalars: `JSON.parse` decides what is valid.
 */
export function measureJson(bytes: Uint8Array, start: number, end: number): JsonExtent | undefined {
  let depth = 0
  let deepest = 0
  let fieldCount = 0
  for (let i = start; i < end; i++) {
    switch (bytes[i]) {
      case quote:
        i = findClosingQuote(bytes, i + 1, end)
        if (i === -1) return undefined
        if (depth === 0) return { end: i + 1, depth: 0, fieldCount: 0 }
        break
      case openBrace:
      case openBracket:
        depth++
        if (depth > deepest) deepest = depth
        break
      case closeBrace:
      case closeBracket:
        depth--
        if (depth < 0) return undefined
        if (depth === 0) return { end: i + 1, depth: deepest, fieldCount }
        break
      case colon:
        fieldCount++
        break
      default:
        if (depth === 0) return measureScalar(bytes, start, end)
    }
  }
  return undefined
}

/** The first non-blank offset from `start`, or `end`. */
export function skipBlanks(bytes: Uint8Array, start: number, end: number): number {
  let i = start
  while (i < end && isBlank(bytes[i])) i++
  return i
}

/** Parses JSON whose depth was measured; `problem` is truncated because it quotes the text. */
export function tryParseJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: parseOrThrow(text) }
  } catch (error) {
    return { problem: String(error).slice(0, 160) }
  }
}

/** Whether a parsed value is an object with fields, not an array and not null. */
export function isJsonObject(value: unknown): value is { readonly [field: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses a JSON object that nests at most `depthMax` levels. The depth is measured first, because parsing is recursive. */
export function parseShallowObject(bytes: Buffer, depthMax: number): { readonly [field: string]: unknown } | 'too deep' | 'no object' {
  const extent = measureJson(bytes, skipBlanks(bytes, 0, bytes.length), bytes.length)
  if (extent === undefined) return 'no object'
  if (extent.depth > depthMax) return 'too deep'
  const parsed = tryParseJson(bytes.toString('utf8'))
  return 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : 'no object'
}

function measureScalar(bytes: Uint8Array, start: number, end: number): JsonExtent | undefined {
  let i = start
  while (i < end && !isBlank(bytes[i]) && !endsScalar(bytes[i])) i++
  return i === start ? undefined : { end: i, depth: 0, fieldCount: 0 }
}

const newline = 0x0a

const backslash = 0x5c

/** Finds the closing quote, or -1; JSON strings never span lines. */
function findClosingQuote(bytes: Uint8Array, start: number, end: number): number {
  for (let i = start; i < end; i++) {
    const byte = bytes[i]
    if (byte === quote) return i
    if (byte === backslash) i++
    else if (byte === newline) return -1
  }
  return -1
}

const tab = 0x09

const carriageReturn = 0x0d
const space = 0x20

function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === newline || byte === carriageReturn || byte === tab
}

const comma = 0x2c

function endsScalar(byte: number | undefined): boolean {
  return byte === comma || byte === closeBracket || byte === closeBrace
}
