import { limits } from '../limits.ts'

/** Replacement of a secret. */
const redacted = '***'

/**
 * Masks secrets in a text: our tokens and keys, any JWT, and values of names such as `password` in JSON, query strings,
 * headers and prose. Runs in linear time. It is a safety net; callers must not log secrets knowingly.
 */
export function redactText(text: string): string {
  return redactNamed(redactTokens(text))
}

/**
 * Masks secrets in plain data: values of secret names, and texts including keys as `redactText` does. Returns a copy; values
 * nested deeper than `limits.redaction.depthMax` are masked whole.
 */
export function redactValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= limits.redaction.depthMax) return redacted
  if (Array.isArray(value)) return value.map((element) => redactValue(element, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([name, held]) =>
    [redactText(name), isSecret(name, held) ? redacted : redactValue(held, depth + 1)]))
}

/** Token formats of several dotted parts: prefix and minimum number of parts. */
const dottedTokens: readonly { readonly mark: string; readonly partsMin: number }[] = [
  // `{"` in base64url, the start of every JWT header.
  { mark: 'eyJ', partsMin: 3 },
  // `["` in base64url, with which our refresh tokens begin; words such as `cert_` end like their prefix.
  { mark: 'rt_Wy', partsMin: 2 },
]

/** The public id of a key, token or credential stays visible: it tells which one to revoke. */
const apiKey = /(t[cklep]_[0-9a-z]{8})_[\w-]+/gi

function redactTokens(text: string): string {
  // This pattern never backtracks, so every letter is read once; a pattern of the whole format could.
  return text.replaceAll(/[\w-]+(?:\.[\w-]+)*/g, redactDottedToken).replaceAll(apiKey, `$1_${redacted}`)
}

/** Masks from the start of a token to the end of the dotted run. */
function redactDottedToken(run: string): string {
  const parts = run.split('.')
  let offset = 0
  for (const [index, part] of parts.entries()) {
    for (const { mark, partsMin } of dottedTokens) {
      const at = part.indexOf(mark)
      const hasBegun = at >= 0 && at + mark.length < part.length
      if (hasBegun && index + partsMin <= parts.length) return run.slice(0, offset + at) + redacted
    }
    offset += part.length + 1
  }
  return run
}

/** Names of secrets, also as a suffix: `refresh_token`, `X-Api-Key`, `Set-Cookie`. */
const secretNames = 'token|api[_-]?key|secret|password|passphrase|authorization|cookie|totp'
/** Parameters of the OAuth code flow whose names also mean other things. */
const ambiguousNames = 'code|state'

/** A name, its closing quote, the separator, the opening quote of the value. */
const namedValue = new RegExp(
  `(${secretNames}|(?<![\\w-])(?:${ambiguousNames}))(\\\\{0,7}["'])?(\\s{0,8}[:=]\\s{0,8})(\\\\{0,7}["'])?`, 'gi')
const secretName = new RegExp(`(?:${secretNames})$`, 'i')
const ambiguousName = new RegExp(`^(?:${ambiguousNames})$`, 'i')

/** End of an unquoted value: in JSON, in a header or sentence, elsewhere. */
const json = /[\s,"'}\]]/g

const line = /[\r\n]/g
const word = /[\s&"'<>}\]]/g

function redactNamed(text: string): string {
  let printed = ''
  let writtenTo = 0
  namedValue.lastIndex = 0
  for (let found = namedValue.exec(text); found !== null; found = namedValue.exec(text)) {
    const [whole, name = '', nameQuote, between = '', valueQuote] = found
    const start = found.index + whole.length
    const isSure = !ambiguousName.test(name) || /[?&]/.test(text.charAt(found.index - 1))
    const end = valueQuote === undefined
      ? findUnquotedEnd(text, start, nameQuote !== undefined ? json : between.includes(':') && isSure ? line : word)
      : findQuotedEnd(text, start, valueQuote)
    const value = text.slice(start, end)
    namedValue.lastIndex = isSure ? end : start
    if (value === '' || !(isSure || looksRandom(value))) continue
    // JSON stays valid: a masked number becomes a string.
    const quote = valueQuote === undefined ? (nameQuote ?? '') : ''
    printed += text.slice(writtenTo, start) + quote + redacted + quote
    writtenTo = end
    namedValue.lastIndex = end
  }
  return printed + text.slice(writtenTo)
}

function findUnquotedEnd(text: string, start: number, end: RegExp): number {
  end.lastIndex = start
  return end.exec(text)?.index ?? text.length
}

/**
 * A quoted value ends with the same quote and number of backslashes, since JSON may contain JSON as text: with `k`
 * backslashes before the opening quote, an inner quote has `k` only modulo `2(k + 1)`.
 */
function findQuotedEnd(text: string, start: number, quote: string): number {
  const backslashesMin = quote.length - 1
  let backslashes = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') backslashes++
    else if (text[at] === quote.at(-1) && backslashes % (2 * quote.length) === backslashesMin) return at - backslashesMin
    else backslashes = 0
  }
  return text.length
}

function isSecret(name: string, held: unknown): boolean {
  if (held === undefined || held === null || held === '') return false
  return secretName.test(name) || (ambiguousName.test(name) && typeof held === 'string' && looksRandom(held))
}

/** Error codes and alert states are short or upper-case; OAuth values are neither. */
function looksRandom(value: string): boolean {
  return value.length >= 16 && !/^[A-Z_]+$/.test(value)
}
