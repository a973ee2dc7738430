import { limits } from '../limits.ts'

/** What stands where a secret stood. */
const redacted = '***'

/**
 * Masks the secrets in a text (D-36): what is of the form of a token or key of ours or of any JWT, and the values of
 * names such as `password`, in JSON, query strings, headers and prose. It takes time in proportion to the length of
 * the text, whatever that is. It is a net under those who write logs, who do not hand secrets to it knowingly.
 */
export function redactText(text: string): string {
  return redactNamed(redactTokens(text))
}

/**
 * Masks the secrets in plain data: values under the names of secrets, and texts as `redactText` does, those of keys
 * too. The answer is a copy; what lies deeper than `limits.redaction.depthMax` is masked whole.
 */
export function redactValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= limits.redaction.depthMax) return redacted
  if (Array.isArray(value)) return value.map((element) => redactValue(element, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([name, held]) =>
    [redactText(name), isSecret(name, held) ? redacted : redactValue(held, depth + 1)]))
}

/** Forms of several parts with dots between: where one begins, and how many parts it has at least. */
const dottedTokens: readonly { readonly mark: string; readonly partsMin: number }[] = [
  // A JSON object in base64url, as every header of a JWT is.
  { mark: 'eyJ', partsMin: 3 },
  // A refresh token of ours.
  { mark: 'rt_', partsMin: 2 },
]

/** The public id of a key, or of the token of a connector, may be seen: it tells which one to revoke. */
const apiKey = /(t[kc]_[0-9a-z]{8})_[\w-]+/gi

function redactTokens(text: string): string {
  // This pattern cannot fail once it has begun, so no letter is read twice; a pattern of the whole form could.
  return text.replaceAll(/[\w-]+(?:\.[\w-]+)*/g, redactDottedToken).replaceAll(apiKey, `$1_${redacted}`)
}

/** Masks from where a form begins to the end of what hangs together. */
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

/** Names whose values are secrets, also as the end of a longer name: `refresh_token`, `X-Api-Key`, `Set-Cookie`. */
const secretNames = 'token|api[_-]?key|secret|password|passphrase|authorization|cookie|totp'
/** Words of the OAuth code flow that also mean other things. */
const ambiguousNames = 'code|state'

/** A name, the quote that closes it, what stands between name and value, the quote that opens the value. */
const namedValue = new RegExp(
  `(${secretNames}|(?<![\\w-])(?:${ambiguousNames}))(\\\\{0,7}["'])?(\\s{0,8}[:=]\\s{0,8})(\\\\{0,7}["'])?`, 'gi')
const secretName = new RegExp(`(?:${secretNames})$`, 'i')
const ambiguousName = new RegExp(`^(?:${ambiguousNames})$`, 'i')

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
    // What was JSON stays JSON: where a number stood, a text stands now.
    const quote = valueQuote === undefined ? (nameQuote ?? '') : ''
    printed += text.slice(writtenTo, start) + quote + redacted + quote
    writtenTo = end
    namedValue.lastIndex = end
  }
  return printed + text.slice(writtenTo)
}

/** What ends a value without quotes: in JSON, after the colon of a header or a sentence, and elsewhere. */
const json = /[\s,"'}\]]/g
const line = /[\r\n]/g
const word = /[\s&"'<>}\]]/g

function findUnquotedEnd(text: string, start: number, end: RegExp): number {
  end.lastIndex = start
  return end.exec(text)?.index ?? text.length
}

/**
 * A value in quotes ends with the same quote under as many backslashes, since JSON may hold JSON as text: with `k`
 * of them before the quote that opens, those before one inside are `k` only modulo `2(k + 1)`.
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

/** Codes of errors and states of alerts are short or in capitals; those of OAuth are neither. */
function looksRandom(value: string): boolean {
  return value.length >= 16 && !/^[A-Z_]+$/.test(value)
}
