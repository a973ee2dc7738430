import { anyRun, normalizePattern, printPattern } from '@tripline/engine/predicate'
import type { Pattern } from '@tripline/engine/predicate'
import type { Query, Term, TermValue } from './ast.ts'
import { sigmaNameOf } from './field-names.ts'
import { literalText } from './read-word.ts'
import type { Said } from './said.ts'
import { yamlText } from './yaml-text.ts'

/** What a rule says besides its detection. */
export type RuleHead = {
  readonly title: string
  readonly logsource: { readonly category?: string; readonly product?: string; readonly service?: string }
  readonly level?: 'informational' | 'low' | 'medium' | 'high' | 'critical'
}

export type RuleDraft = Said<'yaml'>

/**
 * Drafts a Sigma detection rule that holds where a query does ("make a rule from this search"). Terms that
 * stand together become one selection, values of one field a list, and fields get the names that rules have
 * for them. Lists what Sigma has no words for: a comparison with a time, and a query that is every event or none.
 */
export function draftRule(query: Query, { title, logsource, level = 'medium' }: RuleHead, messageField = 'message'): RuleDraft {
  const draft = new Draft(messageField)
  const simple = withoutAll(query)
  if (simple.kind === 'all' || (simple.kind === 'not' && simple.of.kind === 'all')) {
    return { unsaid: ['a query that is every event, or none'] }
  }
  const condition = draft.conditionOf(simple, 'selection')
  if (draft.unsaid.size > 0) return { unsaid: [...draft.unsaid] }
  const sources = Object.entries(logsource).map(([key, value]) => `  ${key}: ${yamlText(value)}`)
  return {
    yaml: [
      `title: ${yamlText(title)}`, 'status: experimental', `level: ${level}`,
      'logsource:', ...sources,
      'detection:', ...draft.lines, `  condition: ${condition}`, '',
    ].join('\n'),
  }
}

/** A detection item: a field with its modifiers, and a value as YAML. */
type Item = { readonly key: string; readonly value: string }

/** Characters of a field's name: YAML reads keys of at most 1,024, with quotes and escapes. */
const keyLengthMax = 160

/** Selections in the making, named in the order in which the condition names them. */
class Draft {
  readonly lines: string[] = []
  readonly unsaid = new Set<string>()
  readonly #messageField: string
  readonly #counts = new Map<string, number>()

  constructor(messageField: string) {
    this.#messageField = messageField
  }

  /** Writes the selections of a query and answers the condition over them; `name` is what they are called. */
  conditionOf(query: Query, name: string): string {
    switch (query.kind) {
      case 'all':
        throw new Error('every event was to be taken out before')
      case 'term':
        return this.#selection(name, this.#itemsOf(query).map((item) => [item]))
      case 'not': {
        const of = this.conditionOf(query.of, name === 'filter' ? 'selection' : 'filter')
        return `not ${query.of.kind === 'not' ? of : grouped(of)}`
      }
      case 'and':
      case 'or':
        return this.#joined(query.kind, query.of, name)
    }
  }

  #joined(kind: 'and' | 'or', parts: readonly Query[], name: string): string {
    const terms = parts.filter((part) => part.kind === 'term')
    const items = terms.flatMap((term) => this.#itemsOf(term))
    const conditions = kind === 'and' ? this.#mapsOf(items, name) : this.#listsOf(terms, name)
    for (const part of parts) {
      if (part.kind === 'term') continue
      const condition = this.conditionOf(part, name)
      conditions.push(part.kind === 'not' ? condition : grouped(condition))
    }
    return conditions.join(` ${kind} `)
  }

  /** Items that all have to hold: one selection, and another one for each time that a field comes again. */
  #mapsOf(items: readonly Item[], name: string): string[] {
    const maps: Item[][] = []
    for (const item of items) {
      const map = maps.find((other) => other.every(({ key }) => key !== item.key))
      if (map === undefined) maps.push([item])
      else map.push(item)
    }
    return maps.map((map) => this.#selection(name, map.map((item) => [item])))
  }

  /** Terms of which one has to hold: a list of values for each field, and a selection for each list. */
  #listsOf(terms: readonly Term[], name: string): string[] {
    const lists = new Map<string, Item[]>()
    const conditions: string[] = []
    for (const term of terms) {
      const items = this.#itemsOf(term)
      const [item] = items
      if (items.length > 1) conditions.push(this.#selection(name, items.map((one) => [one])))
      else if (item !== undefined) lists.set(item.key, [...(lists.get(item.key) ?? []), item])
    }
    for (const items of lists.values()) conditions.push(this.#selection(name, [items]))
    return conditions
  }

  /** Writes one selection, a map of items with their values, and answers its name. */
  #selection(base: string, lists: readonly (readonly Item[])[]): string {
    const count = (this.#counts.get(base) ?? 0) + 1
    this.#counts.set(base, count)
    const name = count === 1 ? base : `${base}_${count}`
    this.lines.push(`  ${name}:`)
    for (const items of lists) {
      const [first, ...others] = items
      if (first === undefined) continue
      if (others.length === 0) this.lines.push(`    ${first.key}: ${first.value}`)
      else this.lines.push(`    ${first.key}:`, ...items.map(({ value }) => `      - ${value}`))
    }
    return name
  }

  #itemsOf({ field, value }: Term): Item[] {
    const name = field === undefined ? this.#messageField : sigmaNameOf(field)
    const isSayable = name !== '' && name.length <= keyLengthMax && !name.includes('|') && name.isWellFormed()
    if (!isSayable) this.unsaid.add(`a field that is called '${name.slice(0, 64).toWellFormed()}'`)
    return itemsOf(value, field === undefined, (part) => this.unsaid.add(part))
      .map(({ key, value: text }) => ({ key: yamlKey(key === '' ? name : `${name}|${key}`), value: text }))
  }
}

/** Names of selections, in parentheses where there are several. */
function grouped(condition: string): string {
  return condition.includes(' ') ? `(${condition})` : condition
}

/** Modifiers and values that ask what a value of a query asks. */
function itemsOf(value: TermValue, isBare: boolean, refuse: (part: string) => void): Item[] {
  switch (value.kind) {
    case 'text': {
      if (!value.pattern.every((part) => part.kind !== 'text' || part.text.isWellFormed())) refuse('half of a surrogate pair')
      return [textItem(isBare ? [anyRun, ...value.pattern, anyRun] : value.pattern)]
    }
    case 'number':
      return [{ key: '', value: value.text }]
    case 'null':
      return [{ key: '', value: 'null' }]
    case 'exists':
      return [{ key: 'exists', value: 'true' }]
    case 'network':
      return [{ key: 'cidr', value: yamlText(value.text) }]
    case 'compare':
      if (value.bound.kind === 'time') refuse('a comparison with a time')
      return [{ key: value.operator, value: value.bound.text }]
    case 'range':
      if (value.low.bound.kind === 'time') refuse('a comparison with a time')
      return [
        { key: value.low.isInclusive ? 'gte' : 'gt', value: value.low.bound.text },
        { key: value.high.isInclusive ? 'lte' : 'lt', value: value.high.bound.text },
      ]
  }
}

/** A pattern as people write it in rules: with a modifier where the wildcards stand only at the ends. */
function textItem(open: Pattern): Item {
  const pattern = normalizePattern(open)
  const startsOpen = pattern[0]?.kind === 'any'
  const endsOpen = pattern.at(-1)?.kind === 'any'
  const inner = pattern.slice(startsOpen ? 1 : 0, endsOpen ? -1 : undefined)
  const text = literalText(inner)
  if (text === undefined || text === '') return { key: '', value: yamlText(printPattern(pattern)) }
  const modifier = startsOpen ? (endsOpen ? 'contains' : 'endswith') : endsOpen ? 'startswith' : ''
  return { key: modifier, value: yamlText(printPattern(inner)) }
}

/** A key stands without quotes where YAML reads it as itself. */
function yamlKey(key: string): string {
  return /^[A-Za-z_][\w.|-]*$/.test(key) && !/^(?:null|true|false|yes|no|on|off|y|n)$/i.test(key) ? key : yamlText(key)
}

/** A query without `*` in it: what is every event or none needs no selection. */
function withoutAll(query: Query): Query {
  if (query.kind === 'all' || query.kind === 'term') return query
  const { span } = query
  const everything: Query = { kind: 'all', span }
  const nothing: Query = { kind: 'not', of: everything, span }
  if (query.kind === 'not') {
    const of = withoutAll(query.of)
    return of.kind === 'not' && of.of.kind === 'all' ? everything : { kind: 'not', of, span }
  }
  const [neutral, decisive] = query.kind === 'and' ? [everything, nothing] : [nothing, everything]
  const isLike = (part: Query, other: Query): boolean =>
    part.kind === other.kind && (part.kind === 'all' || (part.kind === 'not' && part.of.kind === 'all'))
  const parts = query.of.map(withoutAll)
  if (parts.some((part) => isLike(part, decisive))) return decisive
  const of = parts.filter((part) => !isLike(part, neutral))
  const [first] = of
  if (first === undefined) return neutral
  return of.length === 1 ? first : { kind: query.kind, of, span }
}
