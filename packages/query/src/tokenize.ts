import { limits } from './limits.ts'
import { QueryError } from './query-error.ts'
import type { QueryProblem, TextSpan } from './query-error.ts'

/**
 * A token of a query: a parenthesis or a word. A word extends to a blank or a parenthesis, but includes quoted texts and
 * ranges and regular expressions: `Image:"a b"` and `bytes:[1 TO 5]` are one word each.
 */
export type QueryToken = TextSpan & { readonly kind: 'open' | 'close' | 'word' }

/** Splits a query into tokens, valid or not: in one pass, without recursion. */
export function* tokenize(text: string): Generator<QueryToken> {
  let at = 0
  while (at < text.length) {
    const start = at
    if (isBlank(text, at)) at++
    else if (isParenthesis(text, at)) yield { kind: text[at++] === '(' ? 'open' : 'close', start, end: at }
    else yield { kind: 'word', start, end: (at = findWordEnd(text, at)) }
  }
}

/** Whether a word is AND, OR or NOT, in any case. */
export function isOperator(word: string): boolean {
  return /^(?:and|or|not)$/i.test(word)
}

/** Throws a `QueryError` for a query that is too long, too deep or has too many terms, before any recursive code runs. */
export function checkLimits(text: string): void {
  if (countBytes(text) > limits.queryBytesMax) {
    const message = `a query has at most ${limits.queryBytesMax} bytes; this one has more`
    throw new QueryError({ code: 'ERR_QUERY_TOO_LONG', message, text: '', span: { start: 0, end: 0 } })
  }
  /** The levels of each open parenthesis: itself, and each NOT before it. */
  const opened: number[] = []
  let depth = 0
  let notCount = 0
  let termCount = 0
  for (const token of tokenize(text)) {
    if (token.kind === 'close') depth -= opened.pop() ?? 0
    else if (token.kind === 'open') {
      opened.push(notCount + 1)
      depth += notCount + 1
      notCount = 0
    } else {
      const word = text.slice(token.start, token.end)
      if (/^not$/i.test(word)) notCount++
      else if (!isOperator(word)) {
        notCount = 0
        if (!(word.endsWith(':') && text[token.end] === '(')) termCount++
      }
    }
    if (depth + notCount > limits.depthMax) {
      const message = `parentheses and NOT are nested at most ${limits.depthMax} deep`
      throw new QueryError({ code: 'ERR_QUERY_TOO_DEEP', message, text, span: token })
    }
    if (termCount > limits.termsMax) throw new QueryError(createTooManyTermsProblem(text, token))
  }
}

/** Describes the first term over the limit. */
export function createTooManyTermsProblem(text: string, span: TextSpan): QueryProblem {
  const message = `a query has at most ${limits.termsMax} terms; this is one more`
  return { code: 'ERR_QUERY_TOO_MANY_TERMS', message, text, span }
}

function isBlank(text: string, at: number): boolean {
  return /\s/.test(text[at] ?? '')
}

function isParenthesis(text: string, at: number): boolean {
  return text[at] === '(' || text[at] === ')'
}

function findWordEnd(text: string, start: number): number {
  let at = start
  /** Where a range may start: at the start of the word, or after the colon. */
  let valueAt = start
  let isInRange = false
  at = findRegexEnd(text, at) ?? at
  while (at < text.length && !isParenthesis(text, at) && (isInRange || !isBlank(text, at))) {
    const character = text[at]
    if (character === '"') at = findQuoteEnd(text, at)
    else if (character === '\\') at += 2
    else {
      if (at === valueAt && (character === '[' || character === '{')) isInRange = true
      else if (character === ']' || character === '}') isInRange = false
      else if (character === ':' && valueAt === start) valueAt = at + 1
      at++
      if (at === valueAt) at = findRegexEnd(text, at) ?? at
    }
  }
  return Math.min(at, text.length)
}

/** A text between slashes without blanks and slashes of its own, as in the grammar. */
const regexPattern = /\/(?:[^/\\\s]|\\[^\n\r])+\/i?(?=[\s()]|$)/y

/** The end of the regular expression that starts here; undefined if there is none. */
function findRegexEnd(text: string, start: number): number | undefined {
  if (text[start] !== '/') return undefined
  regexPattern.lastIndex = start
  return regexPattern.test(text) ? regexPattern.lastIndex : undefined
}

/** The end of the quoted text that starts here; the end of the query if the closing quote is missing. */
function findQuoteEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/** Counts the bytes of a text in UTF-8, up to the limit. */
function countBytes(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length && count <= limits.queryBytesMax; at++) {
    const unit = text.charCodeAt(at)
    // Each half of a surrogate pair is two of four bytes.
    count += unit < 0x80 ? 0 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return count
}
