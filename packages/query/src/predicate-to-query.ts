import { normalizePattern } from '@tripline/engine/predicate'
import type { ComparisonOperator, Pattern, Predicate, RegexTest, Test } from '@tripline/engine/predicate'
import type { Query, TermValue } from './ast.ts'
import { limits } from './limits.ts'
import { parseQuery } from './parse.ts'
import { printQuery } from './print.ts'
import { QueryError } from './query-error.ts'
import type { Translation } from './translation.ts'

/**
 * Prints a predicate, such as that of a detection rule, as a query that matches the same events if field names are exact
 * (`exactName`). Returns the parts that the language cannot express, or the error if the query is over a limit.
 */
export function printPredicateAsQuery(predicate: Predicate): Translation {
  const unsaid = new Set<string>()
  const query = toQuery(predicate, { unsaid, depth: 0 })
  if (unsaid.size > 0) return { unsaid: [...unsaid] }
  const text = printQuery(query)
  try {
    parseQuery(text)
    return { text }
  } catch (error) {
    if (error instanceof QueryError) return { unsaid: [error.message] }
    throw error
  }
}

type Context = { readonly unsaid: Set<string>; readonly depth: number }

const span = { start: 0, end: 0 }
const everything: Query = { kind: 'all', span }
const nothing: Query = { kind: 'not', of: everything, span }

function toQuery(predicate: Predicate, context: Context): Query {
  const inner = { ...context, depth: context.depth + 1 }
  if (context.depth > limits.predicateDepthMax) {
    context.unsaid.add(`conditions nested deeper than ${limits.predicateDepthMax}`)
    return everything
  }
  switch (predicate.kind) {
    case 'constant':
      return predicate.value ? everything : nothing
    case 'group':
      return toQuery(predicate.of, inner)
    case 'not':
      return negateQuery(toQuery(predicate.of, inner))
    case 'and':
    case 'or':
      return joinQueries(predicate.kind, predicate.of.map((part) => toQuery(part, inner)))
    case 'elements':
      context.unsaid.add(`a condition on elements of the list '${predicate.field}'`)
      return everything
    case 'test':
      return testToQuery(predicate, context)
  }
}

function negateQuery(query: Query): Query {
  return query.kind === 'not' ? query.of : { kind: 'not', of: query, span }
}

/** Joins queries, flattened as parsed trees are; an empty `and` matches everything, an empty `or` nothing. */
function joinQueries(kind: 'and' | 'or', parts: readonly Query[]): Query {
  const of = parts.flatMap((part) => (part.kind === kind ? part.of : [part]))
  const [first] = of
  if (first === undefined) return kind === 'and' ? everything : nothing
  return of.length === 1 ? first : { kind, of, span }
}

function testToQuery({ field, value }: Test, { unsaid }: Context): Query {
  const refuse = (part: string): Query => {
    unsaid.add(part)
    return everything
  }
  if (value.kind === 'regex' && !isPrintableRegex(value)) return refuse('a regular expression that is empty or quotes text')
  if (field === undefined) return keywordToQuery(value, refuse)
  const term = (termValue: TermValue): Query => ({ kind: 'term', field, value: termValue, span })
  switch (value.kind) {
    case 'text': {
      if (value.isCased) return refuse('a case-sensitive comparison')
      const patterns = expandAlternatives(value.pattern)
      if (patterns === undefined) return refuse(`a pattern with more than ${limits.alternativesMax} alternatives`)
      return joinQueries('or', patterns.map((pattern) => term({ kind: 'text', pattern })))
    }
    case 'number':
      return term({ kind: 'number', text: value.text ?? String(value.value) })
    case 'boolean':
      return term({ kind: 'text', pattern: [{ kind: 'text', text: String(value.value) }] })
    case 'null':
      return term({ kind: 'null' })
    case 'exists':
      return value.isPresent ? term({ kind: 'exists' }) : negateQuery(term({ kind: 'exists' }))
    case 'compare':
      return term(toOrderValue(value.operator, value.text ?? String(value.value)))
    case 'instant':
      return term(toInstantValue(value.operator, value.at))
    case 'cidr':
      return term({ kind: 'network', text: value.text })
    case 'timePart':
      return refuse(`a comparison of the ${value.part} of a time`)
    case 'regex':
      return term(toRegexValue(value))
    case 'fieldRef':
      return refuse(`a comparison with the field '${value.field}'`)
  }
}

/** An empty expression would be two slashes, and quoted text has blanks that cannot be written otherwise. */
function isPrintableRegex({ source }: RegexTest): boolean {
  return source !== '' && !/\\Q|\\\s/.test(source)
}

/** Flags that a query has no letter for stand inside of the expression. */
function toRegexValue({ source, ignoresCase, isMultiline, dotMatchesNewline }: RegexTest): TermValue {
  const flags = `${isMultiline ? 'm' : ''}${dotMatchesNewline ? 's' : ''}`
  // A query has no blanks in an expression.
  const written = source.replaceAll(/\\[^]|\s/g, (found) => (found.length > 1 ? found : `\\x{${found.codePointAt(0)!.toString(16)}}`))
  return { kind: 'regex', source: flags === '' ? written : `(?${flags})${written}`, ignoresCase }
}

/** A keyword that may stand anywhere in a text is a bare word. */
function keywordToQuery(value: Test['value'], refuse: (part: string) => Query): Query {
  if (value.kind === 'regex') return { kind: 'term', field: undefined, value: toRegexValue(value), span }
  const pattern = value.kind === 'text' && !value.isCased ? normalizePattern(value.pattern) : []
  const isWord = pattern[0]?.kind === 'any' && pattern.at(-1)?.kind === 'any'
  if (!isWord) return refuse('a keyword that is more than a text to look for')
  const patterns = expandAlternatives(pattern.slice(1, -1))
  if (patterns === undefined) return refuse(`a pattern that stands for more than ${limits.alternativesMax} texts`)
  return joinQueries('or', patterns.map((pattern): Query => ({ kind: 'term', field: undefined, value: { kind: 'text', pattern }, span })))
}

function toOrderValue(operator: ComparisonOperator, text: string): TermValue {
  const number = { kind: 'number', text } as const
  return operator === 'eq' ? number : { kind: 'compare', operator, bound: number }
}

/** A time is printed to the millisecond; `>` means from the next millisecond on. */
function toInstantValue(operator: ComparisonOperator, at: number): TermValue {
  const bound = { kind: 'time', text: new Date(at).toISOString() } as const
  if (operator !== 'eq') return { kind: 'compare', operator, bound }
  const end = { bound, isInclusive: true }
  return { kind: 'range', low: end, high: end }
}

/** Expands the character alternatives of a pattern; undefined if there are too many. */
function expandAlternatives(pattern: Pattern): readonly Pattern[] | undefined {
  let patterns: Pattern[] = [[]]
  for (const part of pattern) {
    const choices: Pattern = part.kind === 'oneOf' ? Array.from(part.characters, (text) => ({ kind: 'text', text })) : [part]
    if (patterns.length * choices.length > limits.alternativesMax) return undefined
    patterns = patterns.flatMap((start) => choices.map((choice) => [...start, choice]))
  }
  return patterns.map(normalizePattern)
}
