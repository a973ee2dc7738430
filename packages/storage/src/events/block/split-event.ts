/** An event's JSON text, split into its template and its values. */
type SplitEvent = {
  /** The text with a mark in place of each value; nested objects are part of it, lists are values. */
  readonly template: string
  /** The values as they stand in the text, in order. */
  readonly tokens: readonly string[]
}

/** Represents a value in a template. JSON never contains it unescaped. */
export const valueMark = '\u0000'

const quote = 0x22
const comma = 0x2c

const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Splits the JSON text of an object. `text` has one character per byte (latin1), so that no byte is lost, and must be
 * valid JSON. Returns undefined for objects with escapes in a key, or with more than `tokensMax` values. One pass, no
 * recursion.
 */
export function splitEvent(text: string, tokensMax: number): SplitEvent | undefined {
  const tokens: string[] = []
  let template = ''
  let copiedTo = 0
  let depth = 0
  let at = 0
  for (;;) {
    at = skipBlanks(text, at)
    const code = text.charCodeAt(at)
    if (code === openBrace) {
      depth++
      at++
    } else if (code === closeBrace) {
      depth--
      at++
      if (depth <= 0) break
    } else if (code === comma) at++
    else if (code === quote) {
      const keyEnd = text.indexOf('"', at + 1)
      if (keyEnd === -1 || hasBackslash(text, at + 1, keyEnd)) return undefined
      const start = skipBlanks(text, skipBlanks(text, keyEnd + 1) + 1)
      at = start
      if (text.charCodeAt(start) === openBrace) continue
      at = valueEnd(text, start)
      if (tokens.length === tokensMax) return undefined
      tokens.push(text.slice(start, at))
      template += text.slice(copiedTo, start) + valueMark
      copiedTo = at
    } else return undefined
  }
  return { template: template + text.slice(copiedTo), tokens }
}

/** Joins a template and its values. */
export function joinEvent(pieces: readonly string[], tokens: readonly string[]): string {
  let text = pieces[0] ?? ''
  for (let i = 0; i < tokens.length; i++) text += tokens[i]! + pieces[i + 1]!
  return text
}

const backslash = 0x5c

function hasBackslash(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === backslash) return true
  return false
}

const openBracket = 0x5b

/** The offset behind a value that is not an object. */
function valueEnd(text: string, start: number): number {
  const code = text.charCodeAt(start)
  if (code === quote) return stringEnd(text, start + 1)
  if (code === openBracket) return listEnd(text, start)
  let at = start
  while (at < text.length && !endsScalar(text.charCodeAt(at))) at++
  return at
}

const closeBracket = 0x5d

function listEnd(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = stringEnd(text, at + 1) - 1
    else if (code === openBracket || code === openBrace) depth++
    else if (code === closeBracket || code === closeBrace) {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return text.length
}

/** The offset behind the string that continues at `from`. */
function stringEnd(text: string, from: number): number {
  let end = text.indexOf('"', from)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end + 1
}

/** Whether an odd number of backslashes precedes an offset; they never reach beyond the string's quote. */
function isEscaped(text: string, at: number): boolean {
  let start = at
  while (text.charCodeAt(start - 1) === backslash) start--
  return (at - start) % 2 === 1
}

const space = 0x20

function skipBlanks(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) <= space) at++
  return at
}

function endsScalar(code: number): boolean {
  return code === comma || code === closeBrace || code === closeBracket || code <= space
}
