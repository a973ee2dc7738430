import { limits } from './limits.ts'
import { QueryError } from './query-error.ts'
import type { QueryProblem, Span } from './query-error.ts'

/**
 * A piece of a query's text: a parenthesis, or a word. A word goes on until a blank or a parenthesis, over
 * quoted texts and ranges: `Image:"a b"` and `bytes:[1 TO 5]` are one each.
 */
export type QueryToken = Span & { readonly kind: 'open' | 'close' | 'word' }

/** Splits a query's text into tokens, whether it is valid or not: in one pass, without recursion. */
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

/** Refuses what is too long, too deep or has too many terms (D-70), before anything recursive sees it. */
export function checkLimits(text: string): void {
  if (countBytes(text) > limits.queryBytesMax) {
    const message = `a query has at most ${limits.queryBytesMax} bytes; this one has more`
    throw new QueryError({ code: 'ERR_QUERY_TOO_LONG', message, text: '', span: { start: 0, end: 0 } })
  }
  /** The levels that each open parenthesis added: itself, and each NOT before it. */
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

/** Refuses the first term that is one too many. */
export function createTooManyTermsProblem(text: string, span: Span): QueryProblem {
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
  /** Where a range may begin: first in a list of values, or after the colon. */
  let valueAt = start
  let isInRange = false
  while (at < text.length && !isParenthesis(text, at) && (isInRange || !isBlank(text, at))) {
    const character = text[at]
    if (character === '"') at = findQuoteEnd(text, at)
    else if (character === '\\') at += 2
    else {
      if (at === valueAt && (character === '[' || character === '{')) isInRange = true
      else if (character === ']' || character === '}') isInRange = false
      else if (character === ':' && valueAt === start) valueAt = at + 1
      at++
    }
  }
  return Math.min(at, text.length)
}

/** Where a quoted text ends that begins here; without a closing quote it is all the rest. */
function findQuoteEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/** Bytes of a text in UTF-8; stops counting where it is too many. */
function countBytes(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length && count <= limits.queryBytesMax; at++) {
    const unit = text.charCodeAt(at)
    // Each half of a surrogate pair is two of four bytes.
    count += unit < 0x80 ? 0 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return count
}
