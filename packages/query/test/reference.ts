import type { EventObject } from '@tripline/engine'
import type { Bound, Query, Term, TermValue } from '../src/index.ts'

export type ReferenceOptions = { readonly namesOf: (field: string) => readonly string[] }

/**
 * Whether a query holds on an event, worked out straight from its tree: the slow and obvious evaluator that
 * closures and SQL are compared with. Reads events that need no other shape.
 */
export function referenceMatches(query: Query, event: EventObject, options: ReferenceOptions): boolean {
  switch (query.kind) {
    case 'all':
      return true
    case 'not':
      return !referenceMatches(query.of, event, options)
    case 'and':
      return !query.of.some((part) => !referenceMatches(part, event, options))
    case 'or':
      return query.of.some((part) => referenceMatches(part, event, options))
    case 'term':
      return termHolds(query, event, options)
  }
}

function termHolds({ field, value, isAnyField }: Term, event: EventObject, { namesOf }: ReferenceOptions): boolean {
  if (field === undefined) return collectTexts(event).some((text) => valueHolds({ isPresent: true, elements: [text] }, value, isAnyField !== true))
  const found = namesOf(field).map((name) => findField(event, name))
  if (value.kind === 'null') return found.every(({ isPresent, elements }) => !isPresent || elements.includes(null))
  return found.some((one) => valueHolds(one, value, false) || inFolders(field, value).some((each) => valueHolds(one, each, false)))
}

/** A surrogate pair is one. */
const anyCharacter = String.raw`(?:[\ud800-\udbff][\udc00-\udfff]|(?![\ud800-\udbff][\udc00-\udfff])[^])`

function valueHolds({ isPresent, elements }: Found, value: TermValue, isBare: boolean): boolean {
  switch (value.kind) {
    case 'exists':
      return isPresent
    case 'null':
      return false
    case 'text': {
      const inner = value.pattern.map((part) =>
        part.kind === 'text' ? fold(part.text).replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`) : part.kind === 'any' ? '[^]*' : anyCharacter)
      const any = isBare ? '[^]*' : ''
      const expression = new RegExp(`^${any}${inner.join('')}${any}$`)
      return elements.some((element) => element !== null && expression.test(fold(textOf(element))))
    }
    case 'number':
      return elements.some((element) => equalsNumber(element, value.text))
    case 'regex': {
      const expression = new RegExp(value.source.replaceAll('$', String.raw`(?=\n?$)`), value.ignoresCase ? 'ui' : 'u')
      return elements.some((element) => element !== null && expression.test(textOf(element)))
    }
    case 'network':
      return elements.some((element) => element !== null && isInNetwork(textOf(element), value.text))
    case 'compare':
      return elements.some((element) => isOrdered(element, value.operator, value.bound))
    case 'range': {
      const { low, high } = value
      return elements.some((element) => isOrdered(element, low.isInclusive ? 'gte' : 'gt', low.bound))
        && elements.some((element) => isOrdered(element, high.isInclusive ? 'lte' : 'lt', high.bound))
    }
  }
}

/** Every value of an event that is not an object or a list, but annotations and null. */
function collectTexts(value: unknown, isTop = true): unknown[] {
  if (Array.isArray(value)) return value.flatMap((element: unknown) => collectTexts(element, false))
  if (typeof value !== 'object') return [value]
  if (value === null) return []
  const entries = Object.entries(value).filter(([key]) => !isTop || !/^_[a-z]/.test(key))
  return entries.flatMap(([, inner]) => collectTexts(inner, false))
}

/** Words for programs find them by name behind any folders. */
function inFolders(field: string, value: TermValue): TermValue[] {
  const isProgram = ['process', 'process_name', 'process.name', 'process_path', 'parent_process', 'parent_process_name', 'process.parent.name'].includes(field)
  if (!isProgram || value.kind !== 'text' || value.pattern.some((part) => part.kind === 'text' && /[/\\]/.test(part.text))) return []
  return ['/', '\\'].map((text) => ({ kind: 'text', pattern: [{ kind: 'any' }, { kind: 'text', text }, ...value.pattern] }))
}

type Found = { readonly isPresent: boolean; readonly elements: readonly unknown[] }

/** A key that is the whole name wins over the walk along its dots; lists are all of their elements. */
function findField(event: EventObject, name: string): Found {
  if (Object.hasOwn(event, name) && event[name] !== undefined) return { isPresent: true, elements: flatten(event[name]) }
  let values: unknown[] = [event]
  for (const step of name.split('.')) {
    values = values.flatMap(flatten).flatMap((value) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? [(value as { [key: string]: unknown })[step]] : [])
  }
  return { isPresent: name.includes('.') && values.length > 0, elements: name.includes('.') ? values.flatMap(flatten) : [] }
}

function flatten(value: unknown): unknown[] {
  return Array.isArray(value) ? value.flatMap(flatten) : [value]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Lower case of each character, where that keeps its length. */
function fold(text: string): string {
  return Array.from(text, (character) => (character.toLowerCase().length === character.length ? character.toLowerCase() : character)).join('')
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value
  const isDecimal = typeof value === 'string' && /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/.test(value)
  return isDecimal ? Number(value) : Number.NaN
}

/** Two numbers to compare: as digits where the bound is an integer that a double cannot hold and the value an integer too. */
function toComparable(element: unknown, text: string): readonly [number, number] | readonly [bigint, bigint] {
  const isLarge = /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text))
  if (isLarge && Number.isInteger(element)) return [BigInt(Number(element)), BigInt(text)]
  if (isLarge && typeof element === 'string' && /^\s*[+-]?\d+\s*$/.test(element)) return [BigInt(element.trim()), BigInt(text)]
  return [numberOf(element), Number(text)]
}

function equalsNumber(element: unknown, text: string): boolean {
  const [found, bound] = toComparable(element, text)
  return found === bound
}

function isOrdered(element: unknown, operator: 'gt' | 'gte' | 'lt' | 'lte', { kind, text }: Bound): boolean {
  if (kind === 'number') {
    const [found, bound] = toComparable(element, text)
    return { gt: found > bound, gte: found >= bound, lt: found < bound, lte: found <= bound }[operator]
  }
  const found = instantOf(element)
  const start = Date.parse(isoText(text))
  const end = start + (text.includes('.') ? 1 : /:\d\d:\d\d/.test(text.replace(/[+-]\d\d:\d\d$/, '')) ? 1_000 : text.includes(':') ? 60_000 : 86_400_000)
  return { gt: found >= end, gte: found >= start, lt: found < start, lte: found < end }[operator]
}

/** NaN where the value states no instant. */
function instantOf(value: unknown): number {
  const number = numberOf(value)
  // A date holds no more than 100 million days.
  if (!Number.isNaN(number)) return new Date(number * millisecondsPer(number)).getTime()
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(isoText(value)) : Number.NaN
}

/** The size of a number tells its unit: seconds, or their thousandths, millionths, billionths. */
function millisecondsPer(count: number): number {
  const bounds = [1e11, 1e14, 1e17, 1e20].filter((bound) => Math.abs(count) >= bound)
  return [1_000, 1, 1e-3, 1e-6, Number.NaN][bounds.length]!
}

/** With a zone, UTC where none is written: without one, JavaScript reads some texts in the zone of the machine. */
function isoText(text: string): string {
  const iso = text.replace(' ', 'T')
  return iso.includes('T') && !/(Z|[+-]\d\d:\d\d)$/.test(iso) ? `${iso}Z` : iso
}

/** Networks of IPv4 only. */
function isInNetwork(text: string, network: string): boolean {
  const [base = '', length = '32'] = network.split('/')
  const bits = (address: string): string => address.split('.').map((part) => Number(part).toString(2).padStart(8, '0')).join('')
  const isAddress = /^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(text.trim()) && text.split('.').every((part) => Number(part) < 256)
  return isAddress && bits(text.trim()).startsWith(bits(base).slice(0, Number(length)))
}
