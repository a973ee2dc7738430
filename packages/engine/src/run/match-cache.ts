import type { Logsource } from '../event/event.ts'
import type { FieldValue, Scalar } from '../event/value.ts'
import { limits } from '../limits.ts'
import type { FieldAtoms, NeedleHits } from '../plan/field-atoms.ts'
import { fails, holds, unknown } from '../plan/formula.ts'
import type { Outcome } from '../plan/formula.ts'
import type { IndexRoute, RuleIndex } from '../plan/rule-index.ts'
import { ClassMemo } from './class-memo.ts'
import { InternTable } from './tables/intern-table.ts'
import { RuleProfile } from './rule-profile.ts'
import { TextSearcher } from './text-searcher.ts'

/** The result of a signature for the rules of a route; numbers are those of the index, ascending. */
export type Decision = {
  /** Rules that match. */
  readonly matched: readonly number[]
  /** Rules that depend on a condition which atoms do not cover: their matchers decide, on the event itself. */
  readonly undecided: readonly number[]
}

/** Shared, because most classes anchor no rule and nearly all decisions have no undecided one. */
const noRules: readonly number[] = []

/** Estimated memory of a map entry, besides two bytes for each character of its key. */
const entryBytes = 64

/**
 * Caches match results of one rule index by equivalence class, as packet classifiers do. The **class** of a value is the
 * set of the field's atoms that are true of it; the **signature** of an event is the list of the classes of its values.
 * The decision for a signature on a route is computed once.
 *
 *     Image "C:\\...\\cmd.exe" ─▶ class 7
 *     CommandLine "cmd /c x"  ─▶ class 9   ─▶ signature 7, 9 on the route ─▶ decision
 *
 * Real values repeat, so nearly every event takes a few table lookups. All tables are bounded; when a limit is reached,
 * the runner replaces the cache by an empty one.
 */
export class MatchCache {
  readonly index: RuleIndex
  readonly profile: RuleProfile
  readonly #routes: IndexRoute[] = []
  readonly #routeNumbers = new Map<readonly Logsource[] | 'all', number>()

  /** By field: the class of a scalar. */
  readonly #classByScalar: Map<Scalar, number>[] = []
  #valueBytes = 0
  readonly #searcher: TextSearcher | undefined
  /** The class of a value by the anchors found in it. */
  readonly #memo = new ClassMemo((atoms) => this.internClass(atoms))
  /** By field: 1 if a value of it was classified. */
  readonly #isSeen: Uint8Array
  /** The classes: lists of atoms. */
  readonly #classes = new InternTable()
  /** By class: the rules that its atoms anchor; computed for the first signature with the class. */
  readonly #rulesByClass: (readonly number[] | undefined)[] = []

  /** The signatures: lists of a route and of classes. */
  readonly #signatures = new InternTable()
  /** By signature: its decision; undefined while it is not computed, null if no rule matches or may match. */
  readonly #decisions: (Decision | null | undefined)[] = []
  /** Scratch: the signature being looked up. */
  #signature = new Int32Array(64)

  /** Outcomes of atoms: lazy ones are unknown, others false, except true ones while their signature is being decided. */
  readonly #outcomes: Uint8Array
  /** Scratch of `decide`: by rule, the number of the decision in which it was evaluated last; the results. */
  readonly #triedAt: Int32Array
  #decisionCount = 0
  #matched: number[] = []
  #undecided: number[] = []

  /** `now` is a clock in nanoseconds. */
  constructor(index: RuleIndex, now: (() => number) | undefined) {
    this.index = index
    this.profile = new RuleProfile(index, now)
    this.#searcher = TextSearcher.isAvailable ? new TextSearcher(index.fields.length) : undefined
    this.#isSeen = new Uint8Array(index.fields.length)
    this.#outcomes = index.isLazy.map((isLazy) => (isLazy === 1 ? unknown : fails))
    this.#triedAt = new Int32Array(index.formulas.length)
  }

  /** The number of the route of these logsources, which are interned, or of all rules. */
  internRoute(logsources: readonly Logsource[] | 'all'): number {
    const known = this.#routeNumbers.get(logsources)
    if (known !== undefined) return known
    const number = this.#routes.push(this.index.buildRoute(logsources)) - 1
    this.#routeNumbers.set(logsources, number)
    return number
  }

  getRoute(number: number): IndexRoute {
    return this.#routes[number]!
  }

  /** The names of the fields of which a value was seen; the first value of a field is never cached. */
  get seenFields(): string[] {
    return this.index.fields.filter((_, field) => this.#isSeen[field] === 1).filter((name) => name !== undefined)
  }

  /** Whether a limit is reached: replace the cache before the next event. */
  get isFull(): boolean {
    return this.#signatures.count > limits.signaturesMax || this.#classes.count > limits.classesMax
      || this.#memo.size > limits.classMemoSizeMax || this.#valueBytes > limits.valueCacheBytesMax
      || this.#routes.length > limits.routesMax
  }

  /** The class of a field's value; 0 if no atom is true of it. */
  classify(field: number, value: FieldValue): number {
    if (value === undefined) return 0
    if (typeof value === 'object' && value !== null) return this.classifyNew(field, value)
    const known = this.#classByScalar[field]?.get(value)
    return known === undefined ? this.#addScalar(field, value) : known
  }

  /** The same without a lookup of the value. */
  classifyNew(field: number, value: FieldValue): number {
    const atoms = this.index.getFieldAtoms(field)
    const found = typeof value === 'string' ? this.#searcher?.find(atoms, value) : undefined
    if (typeof value === 'string' && found !== undefined) return this.classifyByHits(field, found, value.length, () => value)
    atoms.scanValue(value, this.profile)
    return this.#classifyScanned(field, atoms)
  }

  /**
   * The class of a string that the caller has searched for the needles of the field's atoms, given the hits. It has at
   * most `lengthMax` UTF-16 units and is read only if a test needs it.
   */
  classifyByHits(field: number, found: NeedleHits, lengthMax: number, read: () => FieldValue): number {
    const atoms = this.index.getFieldAtoms(field)
    atoms.acceptHits(found, read, { isComplete: true, lengthMax, profile: this.profile })
    return this.#classifyScanned(field, atoms)
  }

  /** The class of the leaves of an event. Searches all leaves together first, because most events have no needle. */
  classifyLeaves(atoms: FieldAtoms, leaves: readonly string[]): number {
    if (atoms.requiresNeedle && atoms.hasOnlyOpenNeedles && !this.#mayHoldNeedle(atoms, leaves)) return 0
    const found: number[] = []
    for (const leaf of leaves) atoms.findNeedles(leaf, found)
    if (found.length === 0 && atoms.requiresNeedle) return 0
    if (leaves.length === 0) atoms.scanValue(leaves, this.profile)
    else {
      const search = { isComplete: false, lengthMax: Infinity, profile: this.profile }
      atoms.acceptHits({ numbers: found, count: found.length }, () => leaves, search)
    }
    return this.internClass(atoms.evaluateAtoms().atoms)
  }

  /** Whether the joined leaves have a needle: one that a leaf has is in them. */
  #mayHoldNeedle(atoms: FieldAtoms, leaves: readonly string[]): boolean {
    const joined = leaves.join('\n')
    const hits = this.#searcher?.findInLong(atoms, joined)
    if (hits !== undefined) return hits.count > 0
    const found: number[] = []
    atoms.findNeedles(joined, found)
    return found.length > 0
  }

  /**
   * The decision for the signature of a route and the first `count` of these classes, in the order of the fields;
   * undefined if no rule matches or may match.
   */
  getDecision(route: number, classes: ArrayLike<number>, count: number): Decision | undefined {
    if (this.#signature.length <= count) this.#signature = new Int32Array(2 * count + 1)
    const signature = this.#signature
    signature[0] = route
    for (let i = 0; i < count; i++) signature[i + 1] = classes[i]!
    const number = this.#signatures.intern(signature, count + 1)
    let decision = this.#decisions[number]
    if (decision === undefined) {
      decision = this.decide(route, classes, count) ?? null
      this.#decisions[number] = decision
    }
    return decision ?? undefined
  }

  /** The same without the cache, for callers with a cache of their own. */
  decide(route: number, classes: ArrayLike<number>, count: number): Decision | undefined {
    this.#decisionCount++
    this.#matched = []
    this.#undecided = []
    const { groups, unanchored } = this.#routes[route]!
    for (let i = 0; i < count; i++) this.#setAtoms(classes[i]!, holds)
    for (let i = 0; i < count; i++) {
      const rules = this.#getRulesOfClass(classes[i]!)
      for (let at = 0; at < rules.length; at++) this.#tryRule(rules[at]!, groups)
    }
    for (const rule of unanchored) this.#tryRule(rule, groups)
    for (let i = 0; i < count; i++) this.#setAtoms(classes[i]!, fails)
    if (this.#matched.length === 0 && this.#undecided.length === 0) return undefined
    return { matched: sortNumbers(this.#matched), undecided: sortNumbers(this.#undecided) }
  }

  #classifyScanned(field: number, atoms: FieldAtoms): number {
    this.#isSeen[field] = 1
    return this.#memo.classify(field, atoms)
  }

  #addScalar(field: number, value: Scalar): number {
    const valueClass = this.classifyNew(field, value)
    const length = typeof value === 'string' ? value.length : 0
    // Long values hardly repeat.
    if (length > limits.cachedValueLengthMax) return valueClass
    this.#valueBytes += 2 * length + entryBytes
    const ofField = (this.#classByScalar[field] ??= new Map())
    ofField.set(value, valueClass)
    return valueClass
  }

  /** The class of values of which exactly these atoms, ascending, are true. */
  internClass(atoms: readonly number[]): number {
    return this.#classes.intern(atoms)
  }

  /** Sets the outcome of the atoms of a class. */
  #setAtoms(valueClass: number, outcome: Outcome): void {
    const classes = this.#classes
    for (let at = classes.getStart(valueClass); at < classes.getEnd(valueClass); at++) this.#outcomes[classes.at(at)] = outcome
  }

  /** The rules of all routes that an atom of a class anchors. */
  #getRulesOfClass(valueClass: number): readonly number[] {
    const known = this.#rulesByClass[valueClass]
    if (known !== undefined) return known
    const { rulesByAnchor } = this.index
    const classes = this.#classes
    const rules: number[] = []
    for (let place = classes.getStart(valueClass); place < classes.getEnd(valueClass); place++) {
      const atom = classes.at(place)
      for (let at = rulesByAnchor.getStart(atom); at < rulesByAnchor.getEnd(atom); at++) rules.push(rulesByAnchor.at(at))
    }
    return (this.#rulesByClass[valueClass] = rules.length === 0 ? noRules : rules)
  }

  #tryRule(rule: number, groups: Uint8Array): void {
    if (this.#triedAt[rule] === this.#decisionCount || groups[this.index.groupByRule[rule]!] === 0) return
    this.#triedAt[rule] = this.#decisionCount
    if (this.profile.isExcluded(rule)) return
    this.profile.candidates[rule]!++
    const outcome = this.index.program.evaluate(rule, this.#outcomes)
    if (outcome === holds) this.#matched.push(rule)
    else if (outcome === unknown) this.#undecided.push(rule)
  }
}

function sortNumbers(numbers: number[]): readonly number[] {
  return numbers.length === 0 ? noRules : numbers.sort((a, b) => a - b)
}
