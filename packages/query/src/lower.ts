import { anyRun, literal, normalizePattern, parseCidr } from '@tripline/engine/predicate'
import type { Predicate, Test, ValueTest } from '@tripline/engine/predicate'
import type { Bound, Order, Query, Term, TermValue } from './ast.ts'
import { listFieldNames, meansProgram } from './field-names.ts'
import { printBound, printField, printValue } from './print.ts'
import { isRelativeTime, readTimeSpan } from './read-time.ts'

export type LowerOptions = {
  /** Lists the names of a field, any of which may match; by default those of all schemas. */
  readonly resolveNames?: (field: string) => readonly string[]
  /** The present, in milliseconds since the epoch, for relative times; required for a query with such times. */
  readonly now?: number
}

/**
 * Lowers a query to a predicate, as rules are lowered: values compare as in Sigma. A field with several names matches if
 * it does under any of them.
 */
export function lowerQuery(query: Query, options: LowerOptions = {}): Predicate {
  switch (query.kind) {
    case 'all':
      return { kind: 'constant', value: true }
    case 'not':
      return { kind: 'not', of: lowerQuery(query.of, options) }
    case 'and':
    case 'or':
      return { kind: query.kind, of: query.of.map((part) => lowerQuery(part, options)) }
    case 'term':
      return lowerTerm(query, options)
  }
}

function lowerTerm({ field, value, isAnyField }: Term, options: LowerOptions): Predicate {
  if (isAnyField) return joinPredicates('and', listFieldTests(value, options).map((each) => toTest(undefined, each)))
  if (field === undefined) return value.kind === 'text' ? toKeyword(value) : toTest(undefined, listFieldTests(value, options)[0]!)
  const names = (options.resolveNames ?? listFieldNames)(field)
  const values = options.resolveNames === undefined && meansProgram(field) ? [value, ...listInFolders(value)] : [value]
  const tests = names.flatMap((name) =>
    values.map((each) => joinPredicates('and', listFieldTests(each, options).map((question) => toTest(name, question)))))
  // A field is absent only if it is absent under every name.
  return joinPredicates(value.kind === 'null' ? 'and' : 'or', tests)
}

/** A comparison, and how explanations show it: `bytes|gte` and `5`. */
type FieldTest = { readonly test: ValueTest; readonly operator: string; readonly text: string }

function toTest(field: string | undefined, { test, operator, text }: FieldTest): Test {
  const name = field === undefined ? 'keywords' : printField(field)
  const item = operator === 'eq' ? name : `${name}|${operator}`
  return { kind: 'test', field, value: test, written: { item, operator }, writtenValue: text }
}

/** A bare word or phrase, which is looked for in every text of an event. */
function toKeyword(value: Extract<TermValue, { kind: 'text' }>): Test {
  const pattern = normalizePattern([anyRun, ...value.pattern, anyRun])
  const written = { item: 'keywords', operator: 'contains' }
  return { kind: 'test', field: undefined, value: { kind: 'text', pattern, isCased: false }, written, writtenValue: printValue(value) }
}

/** The same name behind any folders: events keep the whole path of a program, people type its name. */
function listInFolders(value: TermValue): readonly TermValue[] {
  if (value.kind !== 'text' || value.pattern.some((part) => part.kind === 'text' && /[\\/]/.test(part.text))) return []
  return ['\\', '/'].map((separator) => ({ kind: 'text', pattern: normalizePattern([anyRun, literal(separator), ...value.pattern]) }))
}

/** Lists the tests of a value, all of which must pass. */
function listFieldTests(value: TermValue, options: LowerOptions): readonly FieldTest[] {
  const text = printValue(value)
  switch (value.kind) {
    case 'text':
      return [{ test: { kind: 'text', pattern: value.pattern, isCased: false }, operator: 'eq', text }]
    case 'number':
      return [{ test: { kind: 'number', ...toExactNumber(value.text) }, operator: 'eq', text }]
    case 'null':
      return [{ test: { kind: 'null' }, operator: 'eq', text }]
    case 'exists':
      return [{ test: { kind: 'exists', isPresent: true }, operator: 'exists', text: 'true' }]
    case 'network':
      return [{ test: networkTest(value.text), operator: 'cidr', text }]
    case 'regex': {
      const { source, ignoresCase } = value
      return [{ test: { kind: 'regex', source, ignoresCase, isMultiline: false, dotMatchesNewline: false }, operator: 're', text }]
    }
    case 'compare':
      return [toOrderTest(value.operator, value.bound, options)]
    case 'range': {
      const { low, high } = value
      const lowest = toOrderTest(low.isInclusive ? 'gte' : 'gt', low.bound, options)
      return [lowest, toOrderTest(high.isInclusive ? 'lte' : 'lt', high.bound, options)]
    }
  }
}

function toOrderTest(operator: Order, bound: Bound, options: LowerOptions): FieldTest {
  return { test: orderTest(operator, bound, options), operator, text: printBound(bound) }
}

/** An integer that a double cannot represent keeps its digits. */
function toExactNumber(text: string): { readonly value: number; readonly text?: string } {
  const value = Number(text)
  const isExact = Number.isSafeInteger(value) || !/^-?\d+$/.test(text)
  return isExact ? { value } : { value, text }
}

function networkTest(text: string): ValueTest {
  const network = parseCidr(text)
  if ('problem' in network) throw new Error(`${network.problem}, which the parser lets through`)
  return network
}

/** A time is a period, such as a day: `>` means after its end, and `<=` includes all of it. */
function orderTest(operator: Order, { kind, text }: Bound, { now }: LowerOptions): ValueTest {
  if (kind === 'number') return { kind: 'compare', operator, ...toExactNumber(text) }
  if (now === undefined && isRelativeTime(text)) throw new Error(`'${text}' is relative, and the option 'now' is missing`)
  const span = readTimeSpan(text, now ?? 0)
  if (span === undefined) throw new Error(`'${text}' is no time, which the parser lets through`)
  switch (operator) {
    case 'gte':
      return { kind: 'instant', operator: 'gte', at: span.startAt }
    case 'gt':
      return { kind: 'instant', operator: 'gte', at: span.endAt }
    case 'lt':
      return { kind: 'instant', operator: 'lt', at: span.startAt }
    case 'lte':
      return { kind: 'instant', operator: 'lt', at: span.endAt }
  }
}

function joinPredicates(kind: 'and' | 'or', of: readonly Predicate[]): Predicate {
  return of.length === 1 ? of[0]! : { kind, of }
}
