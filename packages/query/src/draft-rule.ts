import { anyRun, normalizePattern, printPattern } from '@tripline/engine/predicate'
import type { Pattern } from '@tripline/engine/predicate'
import type { Query, Term, TermValue } from './ast.ts'
import { toSigmaName } from './field-names.ts'
import { getLiteralText } from './read-word.ts'
import type { Translation } from './translation.ts'

/** The attributes of a drafted rule besides its detection. */
export type RuleDraftHead = {
  readonly title: string
  readonly logsource: { readonly category?: string; readonly product?: string; readonly service?: string }
  readonly level?: 'informational' | 'low' | 'medium' | 'high' | 'critical'
}

export type RuleDraft = Translation<'yaml'>

/**
 * Drafts a Sigma detection rule that matches the same events as a query ("make a rule from this search"). Adjacent terms
 * become one selection, values of one field a list, and fields get their Sigma names. Returns the parts that Sigma cannot
 * express: comparisons with a time, and a query that matches every event or none.
 */
export function draftRule(query: Query, { title, logsource, level = 'medium' }: RuleDraftHead): RuleDraft {
  const draft = new RuleDrafter()
  const simple = simplifyAll(query)
  if (simple.kind === 'all' || (simple.kind === 'not' && simple.of.kind === 'all')) {
    return { unsaid: ['a query that is every event, or none'] }
  }
  const condition = draft.writeCondition(simple, 'selection')
  if (draft.unsaid.size > 0) return { unsaid: [...draft.unsaid] }
  const sources = Object.entries(logsource).map(([key, value]) => `  ${key}: ${printYamlText(value)}`)
  return {
    yaml: [
      `title: ${printYamlText(title)}`, 'status: experimental', `level: ${level}`,
      'logsource:', ...sources,
      'detection:', ...draft.lines, `  condition: ${condition}`, '',
    ].join('\n'),
  }
}

/** A detection item: a field with its modifiers, and its values as YAML. */
type Item = { readonly key: string; readonly values: readonly string[] }

/** Stands for the name of a field where there is none: keywords are a list, not a map. */
const keywordKey = ''

/** Characters of a field's name: YAML reads keys of at most 1,024, with quotes and escapes. */
const keyLengthMax = 160

/** Builds the selections of a rule, numbered in the order in which the condition refers to them. */
class RuleDrafter {
  readonly lines: string[] = []
  readonly unsaid = new Set<string>()
  readonly #counts = new Map<string, number>()

  /** Writes the selections of a query and answers the condition over them; `name` is what they are called. */
  writeCondition(query: Query, name: string): string {
    switch (query.kind) {
      case 'all':
        throw new Error('the query was not simplified: it still contains *')
      case 'term':
        return this.#writeSelection(name, this.#toItems(query))
      case 'not': {
        const of = this.writeCondition(query.of, name === 'filter' ? 'selection' : 'filter')
        return `not ${query.of.kind === 'not' ? of : parenthesize(of)}`
      }
      case 'and':
      case 'or':
        return this.#writeJoined(query.kind, query.of, name)
    }
  }

  #writeJoined(kind: 'and' | 'or', parts: readonly Query[], name: string): string {
    const terms = parts.filter((part) => part.kind === 'term')
    const selections = kind === 'and' ? this.#toMaps(terms) : this.#toLists(terms)
    const conditions = selections.map((items) => this.#writeSelection(name, items))
    for (const part of parts) {
      if (part.kind === 'term') continue
      const condition = this.writeCondition(part, name)
      conditions.push(part.kind === 'not' ? condition : parenthesize(condition))
    }
    return conditions.join(` ${kind} `)
  }

  /** Converts a conjunction of terms to maps: one, and another for each repetition of a field. */
  #toMaps(terms: readonly Term[]): Item[][] {
    const maps: Item[][] = []
    for (const item of mergeWithAll(terms.flatMap((term) => this.#toItems(term)))) {
      const map = maps.find((other) => other.every(({ key }) => key !== item.key && key !== keywordKey))
      if (map === undefined || item.key === keywordKey) maps.push([item])
      else map.push(item)
    }
    return maps
  }

  /** Converts a disjunction of terms to maps: one for each field, with a list of its values. */
  #toLists(terms: readonly Term[]): Item[][] {
    const alone: Item[][] = []
    const lists = new Map<string, string[]>()
    for (const term of terms) {
      const items = this.#toItems(term)
      const [item] = items
      // The two ends of a range belong together, and the specification has no null in a list.
      if (item === undefined || items.length > 1 || term.value.kind === 'null') alone.push(items)
      else lists.set(item.key, [...(lists.get(item.key) ?? []), ...item.values])
    }
    return [...Array.from(lists, ([key, values]) => [{ key, values }]), ...alone]
  }

  /** Writes one selection, a map of items, and returns its name. */
  #writeSelection(base: string, items: readonly Item[]): string {
    const count = (this.#counts.get(base) ?? 0) + 1
    this.#counts.set(base, count)
    const name = count === 1 ? base : `${base}_${count}`
    this.lines.push(`  ${name}:`)
    for (const { key, values } of items) {
      if (key === keywordKey) this.lines.push(...values.map((value) => `    - ${value}`))
      else if (values.length === 1) this.lines.push(`    ${printYamlKey(key)}: ${values.join('')}`)
      else this.lines.push(`    ${printYamlKey(key)}:`, ...values.map((value) => `      - ${value}`))
    }
    return name
  }

  #toItems({ field, value, isAnyField }: Term): Item[] {
    if (isAnyField || (field === undefined && value.kind === 'regex')) this.unsaid.add('a comparison with every field')
    if (field === undefined) return toKeywords(value, (part) => this.unsaid.add(part))
    const name = toSigmaName(field)
    const isSayable = name !== '' && name.length <= keyLengthMax && !name.includes('|') && name.isWellFormed()
    if (!isSayable) this.unsaid.add(`a field that is called '${name.slice(0, 64).toWellFormed()}'`)
    return toModifiedValues(value, (part) => this.unsaid.add(part))
      .map(({ modifier, value: text }) => ({ key: modifier === '' ? name : `${name}|${modifier}`, values: [text] }))
  }
}

/** Merges required items of the same field and modifier into one with `all`: `CommandLine|contains|all`. */
function mergeWithAll(items: readonly Item[]): Item[] {
  const joined: Item[] = []
  for (const item of items) {
    const isAnchored = /\|(?:contains|startswith|endswith)$/.test(item.key)
    const at = isAnchored ? joined.findIndex(({ key }) => key === item.key) : -1
    if (at === -1) joined.push(item)
    else joined[at] = { key: item.key, values: [...joined[at]!.values, ...item.values] }
  }
  return joined.map(({ key, values }) => ({ key: values.length === 1 ? key : `${key}|all`, values }))
}

/** Names of selections, in parentheses where there are several. */
function parenthesize(condition: string): string {
  return condition.includes(' ') ? `(${condition})` : condition
}

/** A bare word is a keyword, which Sigma looks for in every text as well. */
function toKeywords(value: TermValue, refuse: (part: string) => void): Item[] {
  // Other values are only compared with every field, which the caller has refused.
  if (value.kind !== 'text') return []
  if (!value.pattern.every((part) => part.kind !== 'text' || part.text.isWellFormed())) refuse('half of a surrogate pair')
  const inner = normalizePattern([anyRun, ...value.pattern, anyRun]).slice(1, -1)
  return [{ key: keywordKey, values: [printYamlText(inner.length === 0 ? '*' : printPattern(inner))] }]
}

/** One comparison: a modifier, or none, and a value as YAML. */
type ModifiedValue = { readonly modifier: string; readonly value: string }

/** Modifiers and values that ask what a value of a query asks. */
function toModifiedValues(value: TermValue, refuse: (part: string) => void): ModifiedValue[] {
  switch (value.kind) {
    case 'text': {
      if (!value.pattern.every((part) => part.kind !== 'text' || part.text.isWellFormed())) refuse('half of a surrogate pair')
      return [toTextValue(value.pattern)]
    }
    case 'number':
      return [{ modifier: '', value: value.text }]
    case 'null':
      return [{ modifier: '', value: 'null' }]
    case 'exists':
      return [{ modifier: 'exists', value: 'true' }]
    case 'network':
      return [{ modifier: 'cidr', value: printYamlText(value.text) }]
    case 'regex':
      return [{ modifier: value.ignoresCase ? 're|i' : 're', value: printYamlText(value.source) }]
    case 'compare':
      if (value.bound.kind === 'time') refuse('a comparison with a time')
      return [{ modifier: value.operator, value: value.bound.text }]
    case 'range':
      if (value.low.bound.kind === 'time') refuse('a comparison with a time')
      return [
        { modifier: value.low.isInclusive ? 'gte' : 'gt', value: value.low.bound.text },
        { modifier: value.high.isInclusive ? 'lte' : 'lt', value: value.high.bound.text },
      ]
  }
}

/** Converts a pattern to the usual notation of rules: with a modifier if the wildcards are only at the ends. */
function toTextValue(open: Pattern): ModifiedValue {
  const pattern = normalizePattern(open)
  const startsOpen = pattern[0]?.kind === 'any'
  const endsOpen = pattern.at(-1)?.kind === 'any'
  const inner = pattern.slice(startsOpen ? 1 : 0, endsOpen ? -1 : undefined)
  const text = getLiteralText(inner)
  if (text === undefined || text === '') return { modifier: '', value: printYamlText(printPattern(pattern)) }
  const modifier = startsOpen ? (endsOpen ? 'contains' : 'endswith') : endsOpen ? 'startswith' : ''
  return { modifier, value: printYamlText(printPattern(inner)) }
}

/** Prints a key, without quotes if YAML reads it as itself. */
function printYamlKey(key: string): string {
  return /^[A-Za-z_][\w.|-]*$/.test(key) && !/^(?:null|true|false|yes|no|on|off|y|n)$/i.test(key) ? key : printYamlText(key)
}

/** Simplifies a query by constant folding, so `*` remains only as the whole query or its negation. */
function simplifyAll(query: Query): Query {
  if (query.kind === 'all' || query.kind === 'term') return query
  const { span } = query
  const everything: Query = { kind: 'all', span }
  const nothing: Query = { kind: 'not', of: everything, span }
  if (query.kind === 'not') {
    const of = simplifyAll(query.of)
    return of.kind === 'not' && of.of.kind === 'all' ? everything : { kind: 'not', of, span }
  }
  const [neutral, decisive] = query.kind === 'and' ? [everything, nothing] : [nothing, everything]
  const isLike = (part: Query, other: Query): boolean =>
    part.kind === other.kind && (part.kind === 'all' || (part.kind === 'not' && part.of.kind === 'all'))
  const parts = query.of.map(simplifyAll)
  if (parts.some((part) => isLike(part, decisive))) return decisive
  const of = parts.filter((part) => !isLike(part, neutral))
  const [first] = of
  if (first === undefined) return neutral
  return of.length === 1 ? first : { kind: query.kind, of, span }
}

/** Texts that YAML allows between single quotes. */
const printable = /^[\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u

/**
 * Prints a text as a quoted YAML scalar: in single quotes, where a backslash needs no escape, or in double quotes if it
 * contains characters that single quotes do not allow.
 */
function printYamlText(text: string): string {
  if (printable.test(text)) return `'${text.replaceAll("'", "''")}'`
  const unitText = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(text).replaceAll(/[^\x20-\x7e]/g, unitText)
}
