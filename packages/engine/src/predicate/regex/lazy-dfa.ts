import { limits } from '../../limits.ts'
import type { Nfa, Neighbour } from './nfa.ts'
import type { Assertion } from './parse-expression.ts'

/** Table entries other than the row of the next state. */
const unknown = -1
const accepted = -2
const dead = -3
const overflow = -4

/** Estimated size of a state besides its NFA states and its row, in integers of four bytes. */
const stateOverhead = 64

/** A DFA state: the epsilon closure of a set of NFA states, and the kind of the character read before it. */
type DfaState = {
  readonly nfaStates: Uint16Array
  /** Whether some of them are assertions that depend on the next character. */
  readonly hasAssertions: boolean
  readonly before: Neighbour
}

/** Evaluates an assertion; undefined if it depends on the next character, which is not known yet. */
const assertionHolds: Readonly<Record<Assertion, (before: Neighbour, after: Neighbour | undefined) => boolean | undefined>> = {
  textStart: (before) => before === 'edge',
  lineStart: (before) => before === 'edge' || before === 'newline',
  textEnd: (_, after) => after && after === 'edge',
  lineEnd: (_, after) => after && (after === 'edge' || after === 'newline'),
  wordEdge: (before, after) => after && (before === 'word') !== (after === 'word'),
  noWordEdge: (before, after) => after && (before === 'word') === (after === 'word'),
}

/**
 * A lazy DFA over a Thompson NFA, as in RE2: states are built by subset construction while texts are read, with a row for
 * each state, a column for each class of characters and one for the end of the text. Once built, a transition costs one
 * table lookup. The table is bounded: a full one is dropped, and if that happens too often before it pays off, the search
 * gives up and the caller uses RE2.
 */
export class LazyDfa {
  readonly #nfa: Nfa
  readonly #prefix: string
  readonly #columnCount: number
  /** The transitions: the index of the next state's row, or one of the constants above. */
  #table: Int32Array = new Int32Array()
  #states: DfaState[] = []
  #rows = new Map<string, number>()
  #start = unknown
  /** Size of table and states, in integers. */
  #size = 0
  /** Upper bound of the characters read since the last reset. */
  #readCount = 0
  #resetCount = 0
  /** Resets before the table paid off. */
  #futileResetCount = 0
  readonly #marks: Uint32Array
  #mark = 0

  /** `prefix` is the literal that every match starts with; empty if there is none. */
  constructor(automaton: Nfa, prefix = '') {
    this.#nfa = automaton
    this.#prefix = prefix
    this.#columnCount = automaton.neighbours.length + 1
    this.#marks = new Uint32Array(automaton.states.length)
  }

  /**
   * Whether a text contains a match at or after `from`. Undefined if the result depends on characters beyond ASCII, or if
   * the search gave up.
   */
  find(text: string, from: number): boolean | undefined {
    if (this.#futileResetCount > limits.lazyDfaFutileResetsMax) return undefined
    const { classes } = this.#nfa
    const { length } = text
    this.#readCount += length - from
    if (this.#start === unknown) this.#start = this.#internState([this.#nfa.start], 'edge')
    let row = this.#start
    if (row < 0) return toResult(row)
    let table = this.#table
    // In the start state, skip to the next prefix.
    let rest = this.#prefix === '' ? unknown : row
    for (let i = from; i < length; i++) {
      if (row === rest) {
        i = text.indexOf(this.#prefix, i)
        if (i === -1) return false
      }
      const unit = text.charCodeAt(i)
      if (unit > 127) return undefined
      const column = classes[unit]!
      let next = table[row + column]!
      if (next < 0) {
        if (next === unknown) {
          next = this.#computeTransition(row, column)
          table = this.#table
          // A reset may have changed the rows.
          if (rest !== this.#start) rest = unknown
        }
        if (next < 0) return toResult(next)
      }
      row = next
    }
    return toResult(this.#computeTransition(row, this.#columnCount - 1))
  }

  /** Computes a transition and stores it. */
  #computeTransition(row: number, column: number): number {
    const known = this.#table[row + column]!
    if (known !== unknown) return known
    const restartCount = this.#resetCount
    const next = this.#takeStep(this.#states[row / this.#columnCount]!, column)
    if (restartCount === this.#resetCount) this.#table[row + column] = next
    return next
  }

  #takeStep({ nfaStates, hasAssertions, before }: DfaState, column: number): number {
    const after = this.#nfa.neighbours[column]
    const reached = hasAssertions ? this.#computeClosure(nfaStates, before, after ?? 'edge') : nfaStates
    if (reached[0] === 0) return accepted
    if (after === undefined) return dead
    const next: number[] = [this.#nfa.start]
    for (const step of reached) {
      const { reads, next: [behind] } = this.#nfa.states[step]!
      if (reads !== undefined && reads[column] === 1) next.push(behind!)
    }
    return this.#internState(next, after)
  }

  /** The row of what can be reached from some steps behind a character; makes it where there is none. */
  #internState(from: Iterable<number>, before: Neighbour): number {
    const { states: all, hasLineStart } = this.#nfa
    const steps = this.#computeClosure(from, before, undefined)
    if (steps[0] === 0) return accepted
    // Without active states a match can only start after a newline.
    if (steps.length === 0 && !hasLineStart) return dead
    const isWaiting = steps.some((step) => all[step]!.assertion !== undefined)
    const key = `${isWaiting ? before : ''} ${String.fromCharCode(...steps)}`
    const known = this.#rows.get(key)
    if (known !== undefined) return known
    const size = stateOverhead + this.#columnCount + steps.length
    if (this.#size + size > limits.lazyDfaSizeMax) {
      this.#reset()
      if (this.#futileResetCount > limits.lazyDfaFutileResetsMax) return overflow
    }
    const row = this.#states.length * this.#columnCount
    this.#states.push({ nfaStates: steps, hasAssertions: isWaiting, before })
    this.#rows.set(key, row)
    this.#size += size
    if (row + this.#columnCount > this.#table.length) this.#table = growTable(this.#table, row + this.#columnCount)
    return row
  }

  /**
   * What can be reached from some steps without a character, in order: the end alone where it is among that, else
   * steps that read, and while it is not known what comes next, those that depend on it.
   */
  #computeClosure(from: Iterable<number>, before: Neighbour, after: Neighbour | undefined): Uint16Array {
    const { states } = this.#nfa
    const reached: number[] = []
    const open = Array.from(from)
    this.#mark++
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      if (this.#marks[step] === this.#mark) continue
      this.#marks[step] = this.#mark
      if (step === 0) return Uint16Array.of(0)
      const { reads, assertion, next } = states[step]!
      const isThere = assertion === undefined || assertionHolds[assertion](before, after)
      if (reads !== undefined || isThere === undefined) reached.push(step)
      else if (isThere) open.push(...next)
    }
    return Uint16Array.from(reached).sort()
  }

  #reset(): void {
    if (this.#readCount < this.#states.length * limits.lazyDfaReadsMin) this.#futileResetCount++
    this.#resetCount++
    this.#table = new Int32Array()
    this.#states = []
    this.#rows = new Map()
    this.#start = unknown
    this.#size = 0
    this.#readCount = 0
  }
}

function toResult(next: number): boolean | undefined {
  return next === overflow ? undefined : next === accepted
}

function growTable(table: Int32Array, size: number): Int32Array {
  const larger = new Int32Array(Math.max(size, table.length * 2)).fill(unknown)
  larger.set(table)
  return larger
}
