import type { Logsource } from '../event/event.ts'
import type { FieldValue, Scalar } from '../event/value.ts'
import { limits } from '../limits.ts'
import type { FieldAtoms, FoundTexts } from '../plan/field-atoms.ts'
import { fails, holds, unknown } from '../plan/formula.ts'
import type { Outcome } from '../plan/formula.ts'
import type { Route, RuleIndex } from '../plan/rule-index.ts'
import { ClassTable } from './class-table.ts'
import { IndexWatch } from './index-watch.ts'
import { NumberStore } from './number-store.ts'
import { PairTable } from './pair-table.ts'
import { Recollection } from './recollection.ts'
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
 * field's atoms that hold of it; an event is a walk from the root of its route through **states**, one step
 * for each value that some atom holds of; and what a state means for the rules is worked out once.
 *
 *     root of the route ── class of Image ──▶ state ── class of CommandLine ──▶ state ─▶ decision
 *
 * Real values repeat, so that nearly every event is a few looks into tables. Everything is bounded; when a
 * bound is reached, a new memory takes the place of the full one.
 */
export class RuleMemory {
  readonly index: RuleIndex
  readonly watch: IndexWatch
  readonly #routes: Route[] = []
  readonly #roots: number[] = []
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
  readonly #classes = new ClassTable()
  /** By class: the rules that it may make hold, found when it first leads to a state that is asked about. */
  readonly #anchoredInClass: (readonly number[] | undefined)[] = []

  /** What of a class a route reads, by route and class. */
  readonly #readClasses = new PairTable()

  /** By state: its route, the state before it, and the class that led here. */
  readonly #routeOfState = new NumberStore()
  readonly #parents = new NumberStore()
  readonly #classOfState = new NumberStore()
  /** By state: what it means; undefined while unknown, null where it means nothing. */
  readonly #decisions: (Decision | null | undefined)[] = []
  /** The next state by the class of a value, and by what of it a rule of the route reads. */
  readonly #steps = new PairTable()
  readonly #stepsOfRoute = new PairTable()

  /** Outcomes of atoms: the lazy ones are unknown, the others fail but while a state is decided in which they hold. */
  readonly #outcomes: Uint8Array
  /** Scratch of `#decide`: rules that were tried, marked with the number of the decision; what came of them. */
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
    this.#roots.push(this.#addState(number, -1, 0))
    return number
  }

  route(number: number): Route {
    return this.#routes[number]!
  }

  /** Where a walk along a route begins. */
  rootOf(route: number): number {
    return this.#roots[route]!
  }

  /** The names of the fields of which a value was met: the first value of a field is always new. */
  get seenFields(): string[] {
    return this.index.fields.filter((_, field) => this.#isSeen[field] === 1).filter((name) => name !== undefined)
  }

  /** Whether a bound is reached: begin again with a new memory before the next event. */
  get isFull(): boolean {
    return this.#parents.length > limits.statesMax || this.#classes.count > limits.classesMax
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

  /** The state that a value of some class leads to. */
  step(state: number, valueClass: number): number {
    if (valueClass === 0) return state
    const next = this.#steps.get(state, valueClass)
    if (next !== -1) return next
    const learned = this.learnStep(state, valueClass)
    this.#steps.set(state, valueClass, learned)
    return learned
  }

  /**
   * The same for who remembers it: steps are equal where the route reads the same of two classes, so that its
   * states stay few.
   */
  learnStep(state: number, valueClass: number): number {
    const route = this.#routeOfState.at(state)
    const read = this.#readClass(route, valueClass)
    if (read === 0) return state
    const known = this.#stepsOfRoute.get(state, read)
    if (known !== -1) return known
    const next = this.#addState(route, state, read)
    this.#stepsOfRoute.set(state, read, next)
    return next
  }

  /** What a state means for the rules of its route; undefined where none of them holds or may hold. */
  decisionOf(state: number): Decision | undefined {
    const known = this.#decisions[state]
    if (known === undefined) return (this.#decisions[state] = this.#decide(state)) ?? undefined
    return known ?? undefined
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

  /** What of a class the rules of a route read, as a class. */
  #readClass(route: number, valueClass: number): number {
    const known = this.#readClasses.get(route, valueClass)
    if (known !== -1) return known
    const { groups } = this.#routes[route]!
    const classes = this.#classes
    const atoms: number[] = []
    for (let at = classes.startOf(valueClass); at < classes.endOf(valueClass); at++) {
      if (this.index.isOf(classes.at(at), groups)) atoms.push(classes.at(at))
    }
    const read = classes.numberOf(atoms)
    this.#readClasses.set(route, valueClass, read)
    return read
  }

  #addState(route: number, parent: number, valueClass: number): number {
    this.#routeOfState.add(route)
    this.#classOfState.add(valueClass)
    return this.#parents.add(parent)
  }

  #decide(state: number): Decision | null {
    this.#decisionCount++
    this.#held = []
    this.#undecided = []
    const { groups, unanchored } = this.#routes[this.#routeOfState.at(state)]!
    this.#setAtoms(state, holds)
    for (let at = state; at !== -1; at = this.#parents.at(at)) {
      const rules = this.#anchoredIn(this.#classOfState.at(at))
      for (let i = 0; i < rules.length; i++) this.#try(rules[i]!, groups)
    }
    for (const rule of unanchored) this.#try(rule, groups)
    this.#setAtoms(state, fails)
    if (this.#held.length === 0 && this.#undecided.length === 0) return null
    return { held: sorted(this.#held), undecided: sorted(this.#undecided) }
  }

  /** Sets the outcome of the atoms that hold at a state: those of the classes that led to it. */
  #setAtoms(state: number, outcome: Outcome): void {
    const classes = this.#classes
    for (let at = state; at !== -1; at = this.#parents.at(at)) {
      const valueClass = this.#classOfState.at(at)
      for (let place = classes.startOf(valueClass); place < classes.endOf(valueClass); place++) {
        this.#outcomes[classes.at(place)] = outcome
      }
    }
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
