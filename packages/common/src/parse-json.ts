/**
 * Parses JSON as `JSON.parse` is specified, and throws its SyntaxError, except that an integer which a double would round
 * keeps its digits: it becomes a text, so that 64-bit ids differ that a double cannot tell apart. Works around a bug of V8,
 * which can confuse a key that has an escape with an earlier key: a text with such a key or number is parsed again, token
 * by token (docs/decisions/0013-json-key-decoding.md), in linear time, about five times slower than `JSON.parse`. The
 * caller bounds the nesting depth.
 */
export function parseJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text)
  return hasUnsafeNumber(parsed) || hasEscapedKey(text) ? readTokens(text) : parsed
}

/** Whether the source of a number is an integer that a double rounds. */
export function isRoundedInteger(source: string): boolean {
  return source.length > 15 && /^-?\d+$/.test(source) && String(Number(source)) !== source
}

/** Whether a parsed value has a number beyond those that doubles tell apart. Without recursion: texts may nest deeply. */
function hasUnsafeNumber(parsed: unknown): boolean {
  if (typeof parsed !== 'object' || parsed === null) return isUnsafeNumber(parsed)
  const open: object[] = [parsed]
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    const members = holder as Fields
    for (const key in members) {
      const member = members[key]
      if (typeof member === 'number') {
        if (isUnsafeNumber(member)) return true
      } else if (typeof member === 'object' && member !== null) open.push(member)
    }
  }
  return false
}

function isUnsafeNumber(value: unknown): boolean {
  return typeof value === 'number' && !(value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER)
}

const colon = 0x3a

/** Whether a key of a valid JSON text has an escape. */
function hasEscapedKey(text: string): boolean {
  // Backslashes occur only in strings, so the first one after a string belongs to another string.
  let at = text.indexOf('\\')
  while (at !== -1) {
    const end = findStringEnd(text, at)
    if (text.charCodeAt(skipBlanks(text, end)) === colon) return true
    at = text.indexOf('\\', end)
  }
  return false
}

type Fields = { [key: string]: unknown }

const separators = ' \n\r\t,:'

/** Parses a valid JSON text token by token without recursion; V8 parses a single string correctly. */
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
    const value: unknown = container ?? readScalar(text.slice(start, end))
    if (Array.isArray(holder)) holder.push(value)
    else setField(holder, key!, value)
    key = undefined
    if (container !== undefined) open.push(container)
  }
  return top[0]
}

function readScalar(token: string): unknown {
  return isRoundedInteger(token) ? token : JSON.parse(token)
}

/** Sets an own field, also `__proto__`; using `defineProperty` for all fields would double the time. */
function setField(fields: Fields, key: string, value: unknown): void {
  if (key !== '__proto__') fields[key] = value
  else Object.defineProperty(fields, key, { value, writable: true, enumerable: true, configurable: true })
}

const punctuation = `${separators}[]{}`

/** Finds the end of the token at `start`: a string, another scalar, or a punctuation character. */
function findTokenEnd(text: string, start: number): number {
  if (text[start] === '"') return findStringEnd(text, start + 1)
  let end = start + 1
  if (punctuation.includes(text[start]!)) return end
  while (end < text.length && !punctuation.includes(text[end]!)) end++
  return end
}

/** Finds the end of the string that contains `from`, which must not be inside an escape. */
function findStringEnd(text: string, from: number): number {
  let quote = text.indexOf('"', from)
  while (isEscaped(text, quote, from)) quote = text.indexOf('"', quote + 1)
  return quote + 1
}

const backslash = 0x5c

/** Whether an odd number of backslashes precedes an offset, down to `from`. */
function isEscaped(text: string, offset: number, from: number): boolean {
  let start = offset
  while (start > from && text.charCodeAt(start - 1) === backslash) start--
  return (offset - start) % 2 === 1
}

const space = 0x20

function skipBlanks(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) <= space) at++
  return at
}
