import type { Logsource } from '../event/event.ts'
import type { FieldValue, Scalar } from '../event/value.ts'
import { limits } from '../limits.ts'
import type { FieldAtoms, NeedleHits } from '../plan/field-atoms.ts'
import { fails, holds, unknown } from '../plan/formula.ts'
import type { Outcome } from '../plan/formula.ts'
import type { IndexRoute, RuleIndex } from '../plan/rule-index.ts'
import { ClassMemo } from './class-memo.ts'
import { InternTable } from './intern-table.ts'
import { RuleProfile } from './rule-profile.ts'
import { TextSearcher } from './text-searcher.ts'

/** What is known of the rules of a route at the end of an event; numbers are those of the index, ascending. */
export type Decision = {
  /** Rules that hold. */
  readonly matched: readonly number[]
  /** Rules that hang on something no atom says: their predicates decide, on the event itself. */
  readonly undecided: readonly number[]
}

/**
 * What an engine has learned of one rule index. A value of a field belongs to a **class**, the set of the
 * field's atoms that hold of it; an event is a **walk**, the list of the classes that its values have; and what a walk
 * means for the rules of its route is worked out once.
 *
 *     Image "C:\\...\\cmd.exe" ─▶ class 7
 *     CommandLine "cmd /c x"  ─▶ class 9   ─▶ walk 7, 9 on the route ─▶ decision
 *
 * Real values repeat, so that nearly every event is a few looks into tables. Everything is bounded; when a
 * bound is reached, a new memory takes the place of the full one.
 */
export class MatchCache {
  readonly index: RuleIndex
  readonly profile: RuleProfile
  readonly #routes: IndexRoute[] = []
  readonly #routeNumbers = new Map<readonly Logsource[] | 'all', number>()

  /** By field: the class of a scalar. */
  readonly #classByScalar: Map<Scalar, number>[] = []
  #valueBytes = 0
  /** Leaves in which nothing was found, by what was looked for. */
  readonly #leavesWithoutNeedle = new Map<FieldAtoms, Set<string>>()
  readonly #searcher: TextSearcher | undefined
  /** The class by what is found in a value. */
  readonly #memo = new ClassMemo((atoms) => this.internClass(atoms))
  /** By field: 1 where a value was met that was new. */
  readonly #isSeen: Uint8Array
  /** The classes by number: lists of atoms. */
  readonly #classes = new InternTable()
  /** By class: the rules that it may make hold, found when a walk with it is first asked about. */
  readonly #rulesByClass: (readonly number[] | undefined)[] = []

  /** The walks by number: lists of a route and of classes. */
  readonly #signatures = new InternTable()
  /** By walk: what it means; undefined while unknown, null where it means nothing. */
  readonly #decisions: (Decision | null | undefined)[] = []
  /** Scratch: the walk that is asked about. */
  #signature = new Int32Array(64)

  /** Outcomes of atoms: the lazy ones are unknown, the others fail but while a walk is decided on which they hold. */
  readonly #outcomes: Uint8Array
  /** Scratch of `decide`: rules that were tried, marked with the number of the decision; what came of them. */
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

  /** The number of a route: of the rules for some logsources, which are interned, or of all. */
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

  /** The names of the fields of which a value was met: the first value of a field is always new. */
  get seenFields(): string[] {
    return this.index.fields.filter((_, field) => this.#isSeen[field] === 1).filter((name) => name !== undefined)
  }

  /** Whether a bound is reached: begin again with a new memory before the next event. */
  get isFull(): boolean {
    return this.#signatures.count > limits.walksMax || this.#classes.count > limits.classesMax
      || this.#memo.size > limits.recollectionsMax || this.#valueBytes > limits.knownValueBytesMax
      || this.#routes.length > limits.routesMax
  }

  /** The class of what a field holds; 0 where no atom holds. */
  classify(field: number, value: FieldValue): number {
    if (value === undefined) return 0
    if (typeof value === 'object' && value !== null) return this.classifyNew(field, value)
    const known = this.#classByScalar[field]?.get(value)
    return known === undefined ? this.#addScalar(field, value) : known
  }

  /** The same without a look into the memory of values. */
  classifyNew(field: number, value: FieldValue): number {
    const atoms = this.index.getFieldAtoms(field)
    const found = typeof value === 'string' ? this.#searcher?.find(atoms, value) : undefined
    if (typeof value === 'string' && found !== undefined) return this.classifyByHits(field, found, value.length, () => value)
    atoms.scanValue(value, this.profile)
    return this.#classifyScanned(field, atoms)
  }

  /**
   * The class of a string in which somebody else has looked for the texts of the field's atoms, and found
   * some; it has at most so many UTF-16 units, and is read only where more of it is wanted.
   */
  classifyByHits(field: number, found: NeedleHits, lengthMax: number, read: () => FieldValue): number {
    const atoms = this.index.getFieldAtoms(field)
    atoms.acceptHits(found, read, { isComplete: true, lengthMax, profile: this.profile })
    return this.#classifyScanned(field, atoms)
  }

  /** The class of the leaves of an event. Long ones in which nothing was found are known when they come again. */
  classifyLeaves(atoms: FieldAtoms, leaves: readonly string[]): number {
    const silent = this.#leavesWithoutNeedle.get(atoms) ?? new Set<string>()
    this.#leavesWithoutNeedle.set(atoms, silent)
    const found: number[] = []
    for (const leaf of leaves) {
      const isRemembered = leaf.length >= cachedLeafLengthMin && leaf.length <= limits.knownValueLengthMax
      if (isRemembered && silent.has(leaf)) continue
      const foundBefore = found.length
      atoms.findNeedles(leaf, found)
      if (!isRemembered || found.length > foundBefore) continue
      silent.add(leaf)
      this.#valueBytes += 2 * leaf.length + entryBytes
    }
    if (found.length === 0 && atoms.requiresNeedle) return 0
    if (leaves.length === 0) atoms.scanValue(leaves, this.profile)
    else {
      const search = { isComplete: false, lengthMax: Infinity, profile: this.profile }
      atoms.acceptHits({ numbers: found, count: found.length }, () => leaves, search)
    }
    return this.internClass(atoms.evaluateAtoms().atoms)
  }

  /**
   * What it means for the rules of a route that an event meets the first so many of some classes, in the order of its
   * fields; undefined where none of them holds or may hold.
   */
  getDecision(route: number, classes: ArrayLike<number>, count: number): Decision | undefined {
    if (this.#signature.length <= count) this.#signature = new Int32Array(2 * count + 1)
    const walk = this.#signature
    walk[0] = route
    for (let i = 0; i < count; i++) walk[i + 1] = classes[i]!
    const number = this.#signatures.intern(walk, count + 1)
    let decision = this.#decisions[number]
    if (decision === undefined) {
      decision = this.decide(route, classes, count) ?? null
      this.#decisions[number] = decision
    }
    return decision ?? undefined
  }

  /** The same, worked out anew: for who remembers walks himself. */
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
    const learned = this.classifyNew(field, value)
    const length = typeof value === 'string' ? value.length : 0
    // Long values hardly repeat.
    if (length > limits.knownValueLengthMax) return learned
    this.#valueBytes += 2 * length + entryBytes
    const ofField = (this.#classByScalar[field] ??= new Map())
    ofField.set(value, learned)
    return learned
  }

  /** The class of values of which exactly these atoms hold, ascending. */
  internClass(atoms: readonly number[]): number {
    return this.#classes.intern(atoms)
  }

  /** Sets the outcome of the atoms of a class. */
  #setAtoms(valueClass: number, outcome: Outcome): void {
    const classes = this.#classes
    for (let at = classes.getStart(valueClass); at < classes.getEnd(valueClass); at++) this.#outcomes[classes.at(at)] = outcome
  }

  /** The rules, of whatever route, that an atom of a class anchors. */
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

/** Most classes anchor none, and nearly no decision leaves one undecided. */
const noRules: readonly number[] = []

/** What a map keeps for an entry, besides two bytes for each character of its key. */
const entryBytes = 64

/** Characters of leaves that are looked up: shorter ones, such as ids and times, are searched as fast, and are new. */
const cachedLeafLengthMin = 40
