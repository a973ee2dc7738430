/** The error codes and their meaning. Programs branch on the code; messages are for users. */
export const queryErrorCodes = {
  ERR_QUERY_SYNTAX: 'The text does not follow the grammar of the search language.',
  ERR_QUERY_TOO_LONG: 'The text has more bytes than a query may have.',
  ERR_QUERY_TOO_DEEP: 'Parentheses and NOT are nested deeper than a query may be.',
  ERR_QUERY_TOO_MANY_TERMS: 'The query has more terms than it may have.',
  ERR_QUERY_TOO_MANY_WILDCARDS: 'A value has more wildcards than it may have.',
  ERR_QUERY_VALUE: 'A value does not fit where it stands.',
} as const

export type QueryErrorCode = keyof typeof queryErrorCodes

/** A range of a query's text, as UTF-16 offsets; the end is exclusive. */
export type TextSpan = { readonly start: number; readonly end: number }

/** The content of a `QueryError`. */
export type QueryProblem = {
  readonly code: QueryErrorCode
  readonly message: string
  readonly text: string
  readonly span: TextSpan
  /** What the parser expected there, in words for users; empty for other errors. */
  readonly expected?: readonly string[]
}

/** An error in a query, for its author: one sentence, and the place in the text. */
export class QueryError extends Error {
  readonly code: QueryErrorCode
  readonly expected: readonly string[]
  /** UTF-16 units before the place. */
  readonly position: number
  /** UTF-16 units that the problem spans, at least 1. */
  readonly length: number
  /** Counted from 1. */
  readonly line: number
  /** Counted from 1, in UTF-16 units. */
  readonly column: number

  constructor({ code, message, text, span, expected = [] }: QueryProblem) {
    super(message)
    this.name = 'QueryError'
    this.code = code
    this.expected = expected
    this.position = span.start
    this.length = Math.max(1, span.end - span.start)
    const before = text.slice(0, span.start)
    this.line = before.split('\n').length
    this.column = span.start - before.lastIndexOf('\n')
  }
}
