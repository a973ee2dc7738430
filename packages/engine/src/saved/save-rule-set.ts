import type { CompiledFilter } from '../apply-filters.ts'
import { checkRuleSet } from '../check-options.ts'
import type { CompiledCorrelation } from '../correlation/compiled-correlation.ts'
import type { RuleLogsource } from '../event/event.ts'
import type { CompiledRule } from '../compiled-rule.ts'
import { needsRe2 } from '../predicate/matchers/regex.ts'
import type { PatternPart } from '../predicate/pattern.ts'
import type { Predicate, Test, ValueTest, WrittenItem } from '../predicate/predicate.ts'
import type { RuleSet } from '../rule-set.ts'
import { chunkLength, format, headLength, joinTexts, magic, nodeKinds } from './saved-body.ts'
import type { SavedBody, SavedCorrelationRule, SavedFilter, SavedNode, SavedPart, SavedRuleHead, SavedValue } from './saved-body.ts'
import { xxhash32 } from './xxhash32.ts'

/**
 * Serializes a compiled rule set: its rules with all attributes, correlations and filters, with a format version and a
 * checksum. `loadRuleSet` reads it without YAML. What the bytes lack is the detection of each rule as it was written.
 */
export function saveRuleSet(ruleSet: RuleSet): Uint8Array<ArrayBuffer> {
  checkRuleSet('saveRuleSet', ruleSet)
  const predicates = new PredicateTable()
  const logsources = new InternedList<RuleLogsource>((logsource) => JSON.stringify(logsource))
  const attributes: Uint8Array[] = []
  const rules = ruleSet.rules.map((rule): SavedRuleHead => {
    const { id, name = null, title, level = null, logsource, path, predicate } = rule
    const text = toJsonBytes(listAttributes(rule))
    attributes.push(text)
    return [id, name, title, level, logsources.add(logsource), path, predicates.add(predicate), text.length]
  })
  const filters = ruleSet.filters.map((filter) => toSavedFilter(filter, predicates))
  const correlations = ruleSet.correlations.map(toSavedCorrelation)
  const { written, needsRe2 } = predicates
  const chunks = predicates.printChunks()
  const chunkLengths = chunks.map(({ length }) => length)
  const body: SavedBody = { written: written.values, chunkLengths, needsRe2, logsources: logsources.values, rules, filters, correlations }
  return join([[toJsonBytes(body)], chunks, attributes])
}

/** JSON in ASCII, which every decoder reads fast. */
function toJsonBytes(value: object): Uint8Array {
  const text = JSON.stringify(value).replaceAll(/[^\0-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}

/** All attributes of a rule but its detection. */
function listAttributes({ rule }: CompiledRule): object {
  // No destructuring: the rule of a loaded set throws for its detection.
  return Object.fromEntries(Object.entries(rule).filter(([name]) => name !== 'detection'))
}

/** Joins the sections, each of parts, behind the head. */
function join(sections: readonly (readonly Uint8Array[])[]): Uint8Array<ArrayBuffer> {
  const lengths = sections.map((parts) => parts.reduce((sum, { length }) => sum + length, 0))
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, headLength))
  bytes.set(magic)
  let at = headLength
  for (const part of sections.flat()) {
    bytes.set(part, at)
    at += part.length
  }
  const view = new DataView(bytes.buffer)
  const numbers = [format, ...lengths, xxhash32(bytes.subarray(headLength))]
  for (const [i, number] of numbers.entries()) view.setUint32(magic.length + 4 * i, number)
  return bytes
}

/** A list without repetitions. */
class InternedList<Value> {
  readonly values: Value[] = []
  readonly #numbers = new Map<string, number>()
  readonly #keyOf: (value: Value) => string

  constructor(keyOf: (value: Value) => string) {
    this.#keyOf = keyOf
  }

  /** Returns the number of a value. */
  add(value: Value): number {
    const key = this.#keyOf(value)
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = this.values.push(value) - 1
    this.#numbers.set(key, number)
    return number
  }
}

/** The nodes of all predicates, each object once, and those that one refers to before it. */
class PredicateTable {
  readonly #nodes: SavedNode[] = []
  readonly written = new InternedList<WrittenItem>(({ item, operator }) => JSON.stringify([item, operator]))
  readonly #numbers = new Map<Predicate, number>()
  #needsRe2 = false

  /** Whether a test is a regular expression for which the lazy DFA may not be enough. */
  get needsRe2(): boolean {
    return this.#needsRe2
  }

  /** The nodes as chunks of JSON. */
  printChunks(): Uint8Array[] {
    const chunks: Uint8Array[] = []
    for (let at = 0; at < this.#nodes.length; at += chunkLength) chunks.push(toJsonBytes(this.#nodes.slice(at, at + chunkLength)))
    return chunks
  }

  /** Returns the number of a predicate. Its depth was bounded when it was compiled. */
  add(predicate: Predicate): number {
    const known = this.#numbers.get(predicate)
    if (known !== undefined) return known
    const node = this.#toNode(predicate)
    const number = this.#nodes.push(node) - 1
    this.#numbers.set(predicate, number)
    return number
  }

  #toNode(predicate: Predicate): SavedNode {
    switch (predicate.kind) {
      case 'and':
      case 'or':
        return [nodeKinds[predicate.kind], ...predicate.of.map((part) => this.add(part))]
      case 'not':
        return [nodeKinds.not, this.add(predicate.of)]
      case 'constant':
        return [nodeKinds.constant, predicate.value]
      case 'group':
        return [nodeKinds.group, predicate.name, this.add(predicate.of)]
      case 'elements':
        return [nodeKinds.elements, predicate.field, predicate.quantifier, this.add(predicate.of)]
      case 'test':
        return this.#toTestNode(predicate)
    }
  }

  #toTestNode({ field, written, writtenValue, value }: Test): SavedNode {
    if (value.kind === 'regex' && needsRe2(value)) this.#needsRe2 = true
    const saved = toSavedValue(value)
    const isDerived = Array.isArray(saved) && joinTexts(saved) === writtenValue
    return [nodeKinds.test, field ?? null, this.written.add(written), isDerived ? null : writtenValue, saved]
  }
}

function toSavedValue(value: ValueTest): SavedValue {
  if (value.kind === 'text') return [value.isCased ? 1 : 0, ...value.pattern.map(toSavedPart)]
  switch (value.kind) {
    case 'cidr':
      return { ...value, network: String(value.network) }
    case 'number':
    case 'compare':
    case 'timePart':
      return { ...value, value: toSavedNumber(value.value) }
    default:
      return value
  }
}

/** A number as a text where JSON would change it: minus zero and what is not finite. */
function toSavedNumber(value: number): number | string {
  if (Object.is(value, -0)) return '-0'
  return Number.isFinite(value) ? value : String(value)
}

function toSavedPart(part: PatternPart): SavedPart {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'any':
      return 0
    case 'one':
      return 1
    case 'oneOf':
      return [part.characters]
  }
}

function toSavedFilter({ ruleNames, predicate, ...filter }: CompiledFilter, predicates: PredicateTable): SavedFilter {
  return { ...filter, ruleNames: ruleNames === undefined ? null : [...ruleNames], node: predicates.add(predicate) }
}

function toSavedCorrelation(compiled: CompiledCorrelation): SavedCorrelationRule {
  const { correlation } = compiled.rule
  const aliases = Array.from(correlation.aliases, ([alias, fields]) => [alias, [...fields]] as const)
  return { ...compiled, rule: { ...compiled.rule, correlation: { ...correlation, aliases } } }
}
