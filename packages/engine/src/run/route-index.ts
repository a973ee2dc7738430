import type { FieldAliases, Logsource, NormalizedEvent } from '../event/event.ts'
import { collectLeafTexts } from '../event/leaves.ts'
import type { FieldValue } from '../event/value.ts'
import type { FieldAtoms } from '../plan/field-atoms.ts'
import type { FieldPair, RuleIndex } from '../plan/rule-index.ts'
import { FieldReader } from '../event/field-reader.ts'
import { compilePairCheck } from './field-pair.ts'
import type { PairCheck } from './field-pair.ts'
import type { Decision, MatchCache } from './match-cache.ts'

/** Rules that share an index; `numbers` are theirs in the rule set, -1 for rules that do not run. */
export type RuleSetPart = { readonly index: RuleIndex; readonly numbers: Int32Array }

/** A comparison of two fields; `places` are those of the fields in `names`. */
export type RoutePair = {
  readonly pair: FieldPair
  readonly places: readonly [place: number, otherPlace: number]
  readonly isMatch: PairCheck
}

/** One index of a rule set restricted to one route: computes the signatures of its events. */
export class RouteIndex {
  readonly part: RuleSetPart
  readonly cache: MatchCache
  /** The number of the route in the cache. */
  readonly route: number
  /** Numbers in the index of the fields that are read by name. */
  readonly fields: readonly number[]
  /** The atoms of keywords, which are searched in all leaves of an event. */
  readonly leaves: FieldAtoms | undefined
  /** The comparisons of two fields. */
  readonly pairs: readonly RoutePair[]
  /** The names of the fields to read: those of `fields`, then those that only pairs read. */
  readonly names: readonly string[]
  readonly #readers = new Map<FieldAliases, FieldReader>()
  readonly #readersIgnoringCase = new Map<FieldAliases, FieldReader>()
  readonly #values: FieldValue[]
  /** Scratch: the signature of an event, which consists of the classes of its fields, pairs and leaves. */
  readonly #classes: Int32Array

  constructor(part: RuleSetPart, cache: MatchCache, logsources: readonly Logsource[] | 'all') {
    this.part = part
    this.cache = cache
    this.route = cache.internRoute(logsources)
    const { fields, groups, pairs } = cache.getRoute(this.route)
    const leaves = fields.find((field) => part.index.fields[field] === undefined)
    this.fields = fields.filter((field) => part.index.fields[field] !== undefined)
    this.leaves = leaves === undefined ? undefined : part.index.getFieldAtomsForGroups(leaves, groups)
    const names = [...new Set([...this.fields.map((field) => part.index.fields[field] ?? ''), ...pairs.flatMap(listPairFields)])]
    this.names = names
    this.pairs = pairs.filter(({ atom }) => cache.profile.isDisabled[atom] === 0).map((pair) => ({
      pair,
      places: [names.indexOf(pair.field), names.indexOf(pair.other)],
      isMatch: compilePairCheck(pair.test),
    }))
    this.#values = names.map(() => undefined)
    this.#classes = new Int32Array(this.fields.length + this.pairs.length + 1)
  }

  /** Whether the route has no rule in this index. */
  get isEmpty(): boolean {
    return !this.cache.getRoute(this.route).groups.includes(1)
  }

  /** The decision for an event; undefined if no rule matches or may match. */
  decide(event: NormalizedEvent): Decision | undefined {
    const { fields, cache } = this
    const classes = this.#classes
    const values = this.readValues(event)
    let count = 0
    for (let i = 0; i < fields.length; i++) {
      const value = values[i]
      const valueClass = value === undefined ? 0 : cache.classify(fields[i]!, value)
      if (valueClass !== 0) classes[count++] = valueClass
    }
    return cache.getDecision(this.route, classes, this.addOtherClasses(event, classes, count))
  }

  /** Reads the values of the fields, and behind them those of pairs; good until the next event is read. */
  readValues(event: NormalizedEvent): readonly FieldValue[] {
    this.#getReader(event).read(event.fields, this.#values)
    return this.#values
  }

  /**
   * Adds the classes, none of them 0, of pairs and leaves of the event whose values were read last to a list with so
   * many, and answers how many it has then.
   */
  addOtherClasses(event: NormalizedEvent, classes: { [place: number]: number }, countBefore: number): number {
    const { cache } = this
    const { timer } = cache.profile
    const values = this.#values
    let count = countBefore
    for (const { pair, places: [place, otherPlace], isMatch } of this.pairs) {
      const value = values[place]
      const other = values[otherPlace]
      if (value === undefined || other === undefined) continue
      const startedAt = timer?.start(pair.atom) ?? Number.NaN
      const isTrue = isMatch(value, other)
      timer?.stop(pair.atom, startedAt)
      if (isTrue) classes[count++] = cache.internClass([pair.atom])
    }
    const ofLeaves = this.leaves === undefined ? 0 : cache.classifyLeaves(this.leaves, collectLeafTexts(event.fields))
    if (ofLeaves !== 0) classes[count++] = ofLeaves
    return count
  }

  /** The numbers in the rule set of all rules of the route that run. */
  get rules(): readonly number[] {
    const { groups } = this.cache.getRoute(this.route)
    const { index, numbers } = this.part
    return Array.from(numbers).filter((number, rule) => number !== -1 && groups[index.groupByRule[rule]!] === 1)
  }

  /** One reader for each naming of fields: there are few, and aliases are interned. */
  #getReader({ aliases, ignoresNameCase }: NormalizedEvent): FieldReader {
    const readers = ignoresNameCase ? this.#readersIgnoringCase : this.#readers
    const known = readers.get(aliases)
    if (known !== undefined) return known
    const reader = new FieldReader(this.names, aliases, ignoresNameCase)
    readers.set(aliases, reader)
    return reader
  }
}

/** Lists the numbers in the rule set of those rules of a part that run. */
export function listActiveNumbers(rules: readonly number[], { numbers }: RuleSetPart): number[] {
  return rules.map((rule) => numbers[rule]!).filter((number) => number !== -1)
}

function listPairFields({ field, other }: FieldPair): readonly string[] {
  return [field, other]
}
