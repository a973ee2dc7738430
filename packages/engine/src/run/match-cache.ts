import type { Logsource } from '../event/event.ts'
import type { FieldValue, Scalar } from '../event/value.ts'
import { limits } from '../limits.ts'
import type { FieldAtoms, FoundTexts } from '../plan/field-atoms.ts'
import { fails, holds, unknown } from '../plan/formula.ts'
import type { Outcome } from '../plan/formula.ts'
import type { Route, RuleIndex } from '../plan/rule-index.ts'
import { Recollection } from './class-memo.ts'
import { ListTable } from './intern-table.ts'
import { IndexWatch } from './rule-profile.ts'
import { TextSearcher } from './text-searcher.ts'

/** What is known of the rules of a route at the end of an event; numbers are those of the index, ascending. */
export type Decision = {
  /** Rules that hold. */
  readonly held: readonly number[]
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
export class RuleMemory {
  readonly index: RuleIndex
  readonly watch: IndexWatch
  readonly #routes: Route[] = []
  readonly #routeNumbers = new Map<readonly Logsource[] | 'all', number>()

  /** By field: the class of a scalar. */
  readonly #classOfScalar: Map<Scalar, number>[] = []
  #valueBytes = 0
  /** Leaves in which nothing was found, by what was looked for. */
  readonly #silentLeaves = new Map<FieldAtoms, Set<string>>()
  readonly #searcher: TextSearcher | undefined
  /** The class by what is found in a value. */
  readonly #recollection = new Recollection((atoms) => this.internClass(atoms))
  /** By field: 1 where a value was met that was new. */
  readonly #isSeen: Uint8Array
  /** The classes by number: lists of atoms. */
  readonly #classes = new ListTable()
  /** By class: the rules that it may make hold, found when a walk with it is first asked about. */
  readonly #anchoredInClass: (readonly number[] | undefined)[] = []

  /** The walks by number: lists of a route and of classes. */
  readonly #walks = new ListTable()
  /** By walk: what it means; undefined while unknown, null where it means nothing. */
  readonly #decisions: (Decision | null | undefined)[] = []
  /** Scratch: the walk that is asked about. */
  #walk = new Int32Array(64)

  /** Outcomes of atoms: the lazy ones are unknown, the others fail but while a walk is decided on which they hold. */
  readonly #outcomes: Uint8Array
  /** Scratch of `decide`: rules that were tried, marked with the number of the decision; what came of them. */
  readonly #triedAt: Int32Array
  #decisionCount = 0
  #held: number[] = []
  #undecided: number[] = []

  /** `now` is a clock in nanoseconds. */
  constructor(index: RuleIndex, now: (() => number) | undefined) {
    this.index = index
    this.watch = new IndexWatch(index, now)
    this.#searcher = TextSearcher.isAvailable ? new TextSearcher(index.fields.length) : undefined
    this.#isSeen = new Uint8Array(index.fields.length)
    this.#outcomes = index.isLazy.map((isLazy) => (isLazy === 1 ? unknown : fails))
    this.#triedAt = new Int32Array(index.formulas.length)
  }

  /** The number of a route: of the rules for some logsources, which are interned, or of all. */
  routeOf(logsources: readonly Logsource[] | 'all'): number {
    const known = this.#routeNumbers.get(logsources)
    if (known !== undefined) return known
    const number = this.#routes.push(this.index.routeOf(logsources)) - 1
    this.#routeNumbers.set(logsources, number)
    return number
  }

  route(number: number): Route {
    return this.#routes[number]!
  }

  /** The names of the fields of which a value was met: the first value of a field is always new. */
  get seenFields(): string[] {
    return this.index.fields.filter((_, field) => this.#isSeen[field] === 1).filter((name) => name !== undefined)
  }

  /** Whether a bound is reached: begin again with a new memory before the next event. */
  get isFull(): boolean {
    return this.#walks.count > limits.walksMax || this.#classes.count > limits.classesMax
      || this.#recollection.size > limits.recollectionsMax || this.#valueBytes > limits.knownValueBytesMax
      || this.#routes.length > limits.routesMax
  }

  /** The class of what a field holds; 0 where no atom holds. */
  classOf(field: number, value: FieldValue): number {
    if (value === undefined) return 0
    if (typeof value === 'object' && value !== null) return this.learnClass(field, value)
    const known = this.#classOfScalar[field]?.get(value)
    return known === undefined ? this.#learnScalar(field, value) : known
  }

  /** The same without a look into the memory of values. */
  learnClass(field: number, value: FieldValue): number {
    const atoms = this.index.fieldAtoms(field)
    const found = typeof value === 'string' ? this.#searcher?.find(atoms, value) : undefined
    if (typeof value === 'string' && found !== undefined) return this.learnFound(field, found, value.length, () => value)
    atoms.look(value, this.watch)
    return this.#recall(field, atoms)
  }

  /**
   * The class of a string in which somebody else has looked for the texts of the field's atoms, and found
   * some; it has at most so many UTF-16 units, and is read only where more of it is wanted.
   */
  learnFound(field: number, found: FoundTexts, lengthMax: number, read: () => FieldValue): number {
    const atoms = this.index.fieldAtoms(field)
    atoms.lookFound(found, read, { isComplete: true, lengthMax, watch: this.watch })
    return this.#recall(field, atoms)
  }

  /** The class of the leaves of an event. Long ones in which nothing was found are known when they come again. */
  classOfLeaves(atoms: FieldAtoms, leaves: readonly string[]): number {
    const silent = this.#silentLeaves.get(atoms) ?? new Set<string>()
    this.#silentLeaves.set(atoms, silent)
    const found: number[] = []
    for (const leaf of leaves) {
      const isRemembered = leaf.length >= silentLengthMin && leaf.length <= limits.knownValueLengthMax
      if (isRemembered && silent.has(leaf)) continue
      const foundBefore = found.length
      atoms.search(leaf, found)
      if (!isRemembered || found.length > foundBefore) continue
      silent.add(leaf)
      this.#valueBytes += 2 * leaf.length + entryBytes
    }
    if (found.length === 0 && atoms.needsTexts) return 0
    if (leaves.length === 0) atoms.look(leaves, this.watch)
    else {
      const search = { isComplete: false, lengthMax: Infinity, watch: this.watch }
      atoms.lookFound({ numbers: found, count: found.length }, () => leaves, search)
    }
    return this.internClass(atoms.held().atoms)
  }

  /**
   * What it means for the rules of a route that an event meets the first so many of some classes, in the order of its
   * fields; undefined where none of them holds or may hold.
   */
  decisionOf(route: number, classes: ArrayLike<number>, count: number): Decision | undefined {
    if (this.#walk.length <= count) this.#walk = new Int32Array(2 * count + 1)
    const walk = this.#walk
    walk[0] = route
    for (let i = 0; i < count; i++) walk[i + 1] = classes[i]!
    const number = this.#walks.numberOf(walk, count + 1)
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
    this.#held = []
    this.#undecided = []
    const { groups, unanchored } = this.#routes[route]!
    for (let i = 0; i < count; i++) this.#setAtoms(classes[i]!, holds)
    for (let i = 0; i < count; i++) {
      const rules = this.#anchoredIn(classes[i]!)
      for (let at = 0; at < rules.length; at++) this.#try(rules[at]!, groups)
    }
    for (const rule of unanchored) this.#try(rule, groups)
    for (let i = 0; i < count; i++) this.#setAtoms(classes[i]!, fails)
    if (this.#held.length === 0 && this.#undecided.length === 0) return undefined
    return { held: sorted(this.#held), undecided: sorted(this.#undecided) }
  }

  #recall(field: number, atoms: FieldAtoms): number {
    this.#isSeen[field] = 1
    return this.#recollection.classOf(field, atoms)
  }

  #learnScalar(field: number, value: Scalar): number {
    const learned = this.learnClass(field, value)
    const length = typeof value === 'string' ? value.length : 0
    // Long values hardly repeat.
    if (length > limits.knownValueLengthMax) return learned
    this.#valueBytes += 2 * length + entryBytes
    const ofField = (this.#classOfScalar[field] ??= new Map())
    ofField.set(value, learned)
    return learned
  }

  /** The class of values of which exactly these atoms hold, ascending. */
  internClass(atoms: readonly number[]): number {
    return this.#classes.numberOf(atoms)
  }

  /** Sets the outcome of the atoms of a class. */
  #setAtoms(valueClass: number, outcome: Outcome): void {
    const classes = this.#classes
    for (let at = classes.startOf(valueClass); at < classes.endOf(valueClass); at++) this.#outcomes[classes.at(at)] = outcome
  }

  /** The rules, of whatever route, that an atom of a class anchors. */
  #anchoredIn(valueClass: number): readonly number[] {
    const known = this.#anchoredInClass[valueClass]
    if (known !== undefined) return known
    const { anchored } = this.index
    const classes = this.#classes
    const rules: number[] = []
    for (let place = classes.startOf(valueClass); place < classes.endOf(valueClass); place++) {
      const atom = classes.at(place)
      for (let at = anchored.startOf(atom); at < anchored.endOf(atom); at++) rules.push(anchored.at(at))
    }
    return (this.#anchoredInClass[valueClass] = rules.length === 0 ? noRules : rules)
  }

  #try(rule: number, groups: Uint8Array): void {
    if (this.#triedAt[rule] === this.#decisionCount || groups[this.index.groupOf[rule]!] === 0) return
    this.#triedAt[rule] = this.#decisionCount
    if (this.watch.isLeftOut(rule)) return
    this.watch.candidates[rule]!++
    const outcome = this.index.branches.evaluate(rule, this.#outcomes)
    if (outcome === holds) this.#held.push(rule)
    else if (outcome === unknown) this.#undecided.push(rule)
  }
}

function sorted(numbers: number[]): readonly number[] {
  return numbers.length === 0 ? noRules : numbers.sort((a, b) => a - b)
}

/** Most classes anchor none, and nearly no decision leaves one undecided. */
const noRules: readonly number[] = []

/** What a map keeps for an entry, besides two bytes for each character of its key. */
const entryBytes = 64

/** Characters of leaves that are looked up: shorter ones, such as ids and times, are searched as fast, and are new. */
const silentLengthMin = 40
