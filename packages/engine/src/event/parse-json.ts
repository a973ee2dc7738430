/**
 * Parses a JSON text as `JSON.parse` is specified, and throws its SyntaxError. V8 takes some keys that are
 * written with an escape for another key that it met before, so a text with such a key is read once more, token
 * by token (docs/decisions/0013-json-key-decoding.md). Takes time linear in the text, some five times
 * that of `JSON.parse` then; how deep the text nests is for the caller to bound.
 */
export function parseJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text)
  return hasEscapedKey(text) ? readTokens(text) : parsed
}

/** Whether a key of a valid JSON text is written with an escape. */
function hasEscapedKey(text: string): boolean {
  // Backslashes are in strings only: the first one after the end of a string is the first one of another string.
  let at = text.indexOf('\\')
  while (at !== -1) {
    const end = findStringEnd(text, at)
    if (text.charCodeAt(skipBlanks(text, end)) === colon) return true
    at = text.indexOf('\\', end)
  }
  return false
}

type Fields = { [key: string]: unknown }

/**
 * Reads a valid JSON text: each key and each scalar is parsed by itself, since a string alone is taken for no
 * other. Does not recurse.
 */
export function readTokens(text: string): unknown {
  const top: unknown[] = []
  const open: (Fields | unknown[])[] = [top]
  let key: string | undefined
  let end = 0
  for (let start = 0; start < text.length; start = end) {
    const first = text[start]!
    end = findTokenEnd(text, start)
    if (separators.includes(first)) continue
    if (first === '}' || first === ']') {
      open.pop()
      continue
    }
    const holder = open.at(-1)!
    if (!Array.isArray(holder) && key === undefined) {
      key = String(JSON.parse(text.slice(start, end)))
      continue
    }
    const container = first === '{' ? {} : first === '[' ? [] : undefined
    const value: unknown = container ?? JSON.parse(text.slice(start, end))
    if (Array.isArray(holder)) holder.push(value)
    else setField(holder, key!, value)
    key = undefined
    if (container !== undefined) open.push(container)
  }
  return top[0]
}

/** Sets a field of the object's own, `__proto__` too; defining every one would double the time of a text. */
function setField(fields: Fields, key: string, value: unknown): void {
  if (key !== '__proto__') fields[key] = value
  else Object.defineProperty(fields, key, { value, writable: true, enumerable: true, configurable: true })
}

/** The offset after the token that begins at `start`: a string, another scalar, or a character of punctuation. */
function findTokenEnd(text: string, start: number): number {
  if (text[start] === '"') return findStringEnd(text, start + 1)
  let end = start + 1
  if (punctuation.includes(text[start]!)) return end
  while (end < text.length && !punctuation.includes(text[end]!)) end++
  return end
}

/** The offset after the string that goes on at `from`, where none of its escapes is cut in two. */
function findStringEnd(text: string, from: number): number {
  let quote = text.indexOf('"', from)
  while (isEscaped(text, quote, from)) quote = text.indexOf('"', quote + 1)
  return quote + 1
}

/** Whether an odd number of backslashes stands before an offset, down to `from`. */
function isEscaped(text: string, offset: number, from: number): boolean {
  let start = offset
  while (start > from && text.charCodeAt(start - 1) === backslash) start--
  return (offset - start) % 2 === 1
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) <= space) at++
  return at
}

const separators = ' \n\r\t,:'
const punctuation = `${separators}[]{}`
const space = 0x20
const colon = 0x3a
const backslash = 0x5c
