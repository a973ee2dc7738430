/** Digits of the shortest integer that a double may round. */
const longDigits = 16
const beforeNumber = ' \n\r\t,:['
const afterNumber = ',]}'
const separators = ' \n\r\t,:'
const punctuation = `${separators}[]{}`
const space = 0x20
const colon = 0x3a
const backslash = 0x5c

/**
 * Parses JSON as `JSON.parse` is specified, and throws its SyntaxError, except that an integer which a double would round
 * keeps its digits: it becomes a text, so that 64-bit ids differ that a double cannot tell apart. Works around a bug of V8,
 * which can confuse a key that has an escape with an earlier key: a text with such a key is parsed again, token by token
 * (docs/decisions/0013-json-key-decoding.md), in linear time, about five times slower than `JSON.parse`. The
 * caller bounds the nesting depth.
 */
export function parseJson(text: string): unknown {
  const exact = quoteLongIntegers(text)
  const parsed = parseExact(exact, text)
  return hasEscapedKey(exact) ? readTokens(exact) : parsed
}

/** Parses a text whose long integers are quoted; an error is that of the text as it came, whose characters it quotes. */
function parseExact(exact: string, text: string): unknown {
  try {
    return JSON.parse(exact)
  } catch (error) {
    if (exact !== text) JSON.parse(text)
    throw error
  }
}

/** Whether the source of a number is an integer that a double rounds. */
export function isRoundedInteger(source: string): boolean {
  return source.length > 15 && /^-?[1-9]\d*$/.test(source) && String(Number(source)) !== source
}

/** Quotes the integers of a JSON text that a double rounds; looks at every sixteenth character only, until digits stand there. */
function quoteLongIntegers(text: string): string {
  let quoted = ''
  let copied = 0
  /** An offset outside of strings, up to which strings were skipped. */
  let outside = 0
  for (let at = longDigits - 1; at < text.length; at += longDigits) {
    if (!isDigit(text.charCodeAt(at))) continue
    let start = at
    while (start > 0 && isDigit(text.charCodeAt(start - 1))) start--
    let end = at + 1
    while (end < text.length && isDigit(text.charCodeAt(end))) end++
    at = end
    if (end - start < longDigits) continue
    if (text[start - 1] === '-') start--
    if (start > 0 && !beforeNumber.includes(text[start - 1]!)) continue
    const next = skipBlanks(text, end)
    if (next < text.length && !afterNumber.includes(text[next]!)) continue
    const integer = text.slice(start, end)
    if (!isRoundedInteger(integer)) continue
    for (let quote = text.indexOf('"', outside); quote !== -1 && quote < start; quote = text.indexOf('"', outside)) {
      outside = findStringEnd(text, quote + 1)
      if (outside === 0) return text
    }
    if (outside > start) continue
    quoted += `${text.slice(copied, start)}"${integer}"`
    copied = end
  }
  return copied === 0 ? text : quoted + text.slice(copied)
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

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

/** Whether an odd number of backslashes precedes an offset, down to `from`. */
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
