import { checkRegex, parseCidr } from '@tripline/engine/predicate'
import type { Pattern } from '@tripline/engine/predicate'
import type { Bound, Query, RangeEnd, TermValue } from './ast.ts'
import { limits } from './limits.ts'
import { QueryError } from './query-error.ts'
import type { TextSpan } from './query-error.ts'
import { SyntaxError as GrammarError, parse } from './query-parser.ts'
import { isRelativeTime, readTimeSpan } from './read-time.ts'
import { isNumberWord, classifyWord, getLiteralText, readQuoted, readRegex, parseWordPattern } from './read-word.ts'
import { orders } from './syntax-tree.ts'
import type { SyntaxNode, SyntaxRange, SyntaxRegex, SyntaxText, SyntaxValue } from './syntax-tree.ts'
import { checkLimits, createTooManyTermsProblem, isOperator } from './tokenize.ts'

/**
 * Parses a query. Throws a `QueryError` if the text is over a limit, does not follow the grammar or has an invalid value.
 * An empty text matches every event.
 *
 * @throws TypeError for what is no text.
 */
export function parseQuery(text: string): Query {
  if (typeof text !== 'string') throw new TypeError('a query is a text')
  checkLimits(text)
  const tree = parseSyntax(text)
  return tree === undefined ? { kind: 'all', span: { start: 0, end: text.length } } : new QueryReader(text).read(tree, undefined)
}

/** The field before the values of a list; `anyField` for `*`. */
type Scope = { readonly field: string } | 'anyField' | undefined

/** Converts the syntax tree of one query; keeps its text for errors. */
class QueryReader {
  readonly #text: string
  #termCount = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Converts a node; in a list of values, `scope` is the field of the list. */
  read(node: SyntaxNode, scope: Scope): Query {
    switch (node.kind) {
      case 'and':
      case 'or': {
        const parts = node.of.map((part) => this.read(part, scope))
        return { kind: node.kind, of: parts.flatMap((part) => (part.kind === node.kind ? part.of : [part])), span: node.span }
      }
      case 'not':
        return { kind: 'not', of: this.read(node.of, scope), span: node.span }
      case 'field': {
        const read = this.read(node.value, node.name.kind === 'anyField' ? 'anyField' : { field: readName(node.name) })
        return read.kind === 'term' || read.kind === 'all' ? { ...read, span: node.span } : read
      }
      default:
        this.#countTerm(node.span)
        if (scope === undefined) return this.#readBare(node)
        if (scope === 'anyField') return this.#readAnyField(node)
        return { kind: 'term', field: scope.field, value: this.#readValue(node), span: node.span }
    }
  }

  /** Counts terms exactly: the tokenizer counts some texts that only look like ranges as one term. */
  #countTerm(span: TextSpan): void {
    this.#termCount++
    if (this.#termCount > limits.termsMax) throw new QueryError(createTooManyTermsProblem(this.#text, span))
  }

  #readBare(node: SyntaxValue): Query {
    if (node.kind === 'regex') return { kind: 'term', field: undefined, value: this.#readRegex(node), span: node.span }
    if (node.kind !== 'word' && node.kind !== 'quoted') return this.#refuse(node.span, 'a range needs a field before it')
    const pattern = this.#readPattern(node)
    if (pattern.length === 1 && pattern[0]?.kind === 'any') return { kind: 'all', span: node.span }
    return { kind: 'term', field: undefined, value: { kind: 'text', pattern }, span: node.span }
  }

  /** Reads the value of `*:value`, which some field has to have as a whole; `*:*` is every event. */
  #readAnyField(node: SyntaxValue): Query {
    if (node.kind === 'regex') return this.#readBare(node)
    const value = this.#readValue(node)
    if (value.kind === 'exists') return { kind: 'all', span: node.span }
    if (value.kind === 'null') return this.#refuse(node.span, "'null' needs a field before it")
    if (value.kind === 'range') return this.#refuse(node.span, 'a range needs a field before it')
    return { kind: 'term', field: undefined, isAnyField: true, value, span: node.span }
  }

  #readRegex({ text, span }: SyntaxRegex): TermValue {
    const { source, ignoresCase } = readRegex(text)
    const problem = checkRegex({ kind: 'regex', source, ignoresCase, isMultiline: false, dotMatchesNewline: false })
    if (problem !== undefined) return this.#refuse(span, `${problem.message}; in quotes it is compared as text`)
    return { kind: 'regex', source, ignoresCase }
  }

  #readValue(node: SyntaxValue): TermValue {
    switch (node.kind) {
      case 'regex':
        return this.#readRegex(node)
      case 'range':
        return this.#readRange(node)
      case 'comparison': {
        const bound = this.#readBound(node.bound)
        if (bound === undefined) return this.#refuse(node.bound.span, 'a comparison takes a number or a time')
        return { kind: 'compare', operator: orders[node.operator], bound }
      }
      case 'quoted':
        return { kind: 'text', pattern: this.#readPattern(node) }
      case 'word':
        return this.#readWordValue(node)
    }
  }

  #readWordValue(node: SyntaxText): TermValue {
    const kind = classifyWord(node.text)
    switch (kind) {
      case 'exists':
      case 'null':
        return { kind }
      case 'number':
        return { kind, text: node.text }
      case 'text':
        return { kind, pattern: this.#readPattern(node) }
      case 'network':
      case 'misprinted network': {
        const network = parseCidr(node.text)
        if ('problem' in network) return this.#refuse(node.span, `${network.problem}; in quotes it is compared as text`)
        return { kind: 'network', text: network.text }
      }
    }
  }

  #readPattern({ kind, text, span }: SyntaxText): Pattern {
    const pattern = kind === 'word' ? parseWordPattern(text) : toLiteralPattern(readQuoted(text))
    const wildcardCount = pattern.filter((part) => part.kind !== 'text').length
    if (wildcardCount > limits.wildcardsMax) {
      const message = `a value has at most ${limits.wildcardsMax} wildcards; this one has ${wildcardCount}`
      throw new QueryError({ code: 'ERR_QUERY_TOO_MANY_WILDCARDS', message, text: this.#text, span })
    }
    return pattern
  }

  /** Converts a range: with one open end it is a comparison, with two it tests that the field is present. */
  #readRange({ low, high, isLowInclusive, isHighInclusive, span }: SyntaxRange): TermValue {
    const lowBound = this.#readBound(low)
    const highBound = this.#readBound(high)
    if (lowBound === undefined) {
      if (highBound === undefined) return { kind: 'exists' }
      return { kind: 'compare', operator: isHighInclusive ? 'lte' : 'lt', bound: highBound }
    }
    if (highBound === undefined) return { kind: 'compare', operator: isLowInclusive ? 'gte' : 'gt', bound: lowBound }
    if (lowBound.kind !== highBound.kind) {
      return this.#refuse(span, 'a range goes from a number to a number, or from a time to a time')
    }
    const [first, last] = [
      { bound: lowBound, isInclusive: isLowInclusive },
      { bound: highBound, isInclusive: isHighInclusive },
    ]
    return isEmptyRange(first, last) ? this.#refuse(span, 'this range is empty') : { kind: 'range', low: first, high: last }
  }

  /** Undefined for `*`, an open end. */
  #readBound({ kind, text, span }: SyntaxText): Bound | undefined {
    const written = kind === 'quoted' ? readQuoted(text) : text
    if (written === '*') return undefined
    if (isNumberWord(written)) return { kind: 'number', text: written }
    if (readTimeSpan(written, 0) !== undefined) return { kind: 'time', text: written }
    return this.#refuse(span, `'${written.slice(0, 64)}' is neither a number nor a time such as now-1h or 2026-05-06T07:08:09Z`)
  }

  #refuse(span: TextSpan, message: string): never {
    throw new QueryError({ code: 'ERR_QUERY_VALUE', message, text: this.#text, span })
  }
}

function readName({ kind, text }: SyntaxText): string {
  return kind === 'quoted' ? readQuoted(text) : (getLiteralText(parseWordPattern(text)) ?? text)
}

function toLiteralPattern(text: string): Pattern {
  return text === '' ? [] : [{ kind: 'text', text }]
}

function isEmptyRange(low: RangeEnd, high: RangeEnd): boolean {
  const isClosed = low.isInclusive && high.isInclusive
  if (low.bound.kind === 'number') {
    const [lowest, highest] = [Number(low.bound.text), Number(high.bound.text)]
    return isClosed ? lowest > highest : lowest >= highest
  }
  // A relative and an absolute time are compared when the query runs.
  if (isRelativeTime(low.bound.text) !== isRelativeTime(high.bound.text)) return false
  const [first, last] = [readTimeSpan(low.bound.text, 0), readTimeSpan(high.bound.text, 0)]
  if (first === undefined || last === undefined) return true
  return (low.isInclusive ? first.startAt : first.endAt) >= (high.isInclusive ? last.endAt : last.startAt)
}

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
function parseSyntax(text: string): SyntaxNode | undefined {
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
