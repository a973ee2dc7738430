import { QueryError } from './query-error.ts'
import { SyntaxError as GrammarError, parse } from './query-parser.ts'
import type { SyntaxNode } from './syntax-tree.ts'
import { isOperator } from './tokenize.ts'

/** An expectation in an error of the generated parser. */
type Expectation = { readonly type: string; readonly description?: string; readonly text?: string }
type GrammarProblem = Error & {
  readonly expected: readonly Expectation[] | null
  readonly location: { readonly start: { readonly offset: number } }
}

/**
 * Parses a text, whose limits are checked, with the generated parser, and types its result. Undefined for a blank text.
 * Throws a `QueryError` that lists what the parser expected where it stopped.
 */
export function parseSyntax(text: string): SyntaxNode | undefined {
  try {
    const tree: SyntaxNode | null = parse(text, {})
    return tree ?? undefined
  } catch (error) {
    if (!isGrammarProblem(error)) throw error
    throw toQueryError(text, error)
  }
}

function isGrammarProblem(error: unknown): error is GrammarProblem {
  return error instanceof GrammarError
}

function toQueryError(text: string, { expected, location }: GrammarProblem): QueryError {
  const start = location.start.offset
  const isFirst = text.slice(0, start).trim() === ''
  const names = [...new Set((expected ?? []).filter(({ type }) => !(isFirst && type === 'end')).flatMap(listExpected))].sort()
  const [word] = /^(?:[()]|[^\s()]{1,20})/u.exec(text.slice(start)) ?? ['a blank']
  const found = start < text.length ? `but found ${describeWord(word)}` : 'but the text ends there'
  const isBlankAfterColon = start < text.length && word === 'a blank' && text[start - 1] === ':'
  const remedy = isBlankAfterColon ? '; write the value with no blank after the colon' : ''
  const message = names.length === 0 ? 'the query cannot be read from here on' : `expected ${joinNames(names)}, ${found}${remedy}`
  return new QueryError({ code: 'ERR_QUERY_SYNTAX', message, text, span: { start, end: start + 1 }, expected: names })
}

function describeWord(word: string): string {
  if (word === 'a blank') return word
  return isOperator(word) ? `the operator '${word}', which is a word in quotes` : `'${word}'`
}

/** Converts an expectation to words for users; skips those inside of words. */
function listExpected({ type, description, text }: Expectation): string[] {
  if (type === 'other' && description !== undefined) return [description]
  if (type === 'literal' && text !== undefined) return [`'${text}'`]
  return type === 'end' ? ['the end of the query'] : []
}

function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
