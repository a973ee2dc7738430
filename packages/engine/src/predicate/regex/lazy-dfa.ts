import { limits } from '../../limits.ts'
import type { Nfa, Neighbour } from './nfa.ts'
import type { Assertion } from './parse-expression.ts'

/** What a table says instead of the row to go on in. */
const unknown = -1
const accepted = -2
const dead = -3
const overflow = -4

/** What a state takes besides its steps and its row, in numbers of four bytes. */
const stateOverhead = 64

/** The steps that a search is at once at, all that need no character taken; and what was read before them. */
type DfaState = {
  readonly nfaStates: Uint16Array
  /** Whether steps among them wait for what comes next. */
  readonly hasAssertions: boolean
  readonly before: Neighbour
}

/**
 * A search of texts for what an automaton describes. Learns a table while it reads: a row for each set of steps
 * that a search comes to be at, a column for each class of characters and one for the end of the text. So
 * each character costs one look-up once its like was seen. Memory is bounded: a table that is full is begun
 * anew, and where that comes again and again the search answers no more.
 */
export class LazyDfa {
  readonly #nfa: Nfa
  readonly #prefix: string
  readonly #columnCount: number
  /** What each row says of each column: a row, as the index where it begins, or one of the numbers above. */
  #table: Int32Array = new Int32Array()
  #states: DfaState[] = []
  #rows = new Map<string, number>()
  #start = unknown
  /** Numbers that table and states hold. */
  #size = 0
  /** Characters of the texts that were searched since the table was begun, at most. */
  #readCount = 0
  #resetCount = 0
  /** Restarts that came before the table was worth its making. */
  #futileResetCount = 0
  readonly #marks: Uint32Array
  #mark = 0

  /** Takes with what the expression begins wherever it is found; nothing where that may be one or another text. */
  constructor(automaton: Nfa, prefix = '') {
    this.#nfa = automaton
    this.#prefix = prefix
    this.#columnCount = automaton.neighbours.length + 1
    this.#marks = new Uint32Array(automaton.states.length)
  }

  /**
   * Whether a text has what is looked for, from an index on before which nothing matters. Undefined where that
   * turns on characters beyond ASCII, or took too much memory.
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
    // Where nothing has begun, nothing can before the next prefix.
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
          // The table may have been begun anew, with other rows.
          if (rest !== this.#start) rest = unknown
        }
        if (next < 0) return toResult(next)
      }
      row = next
    }
    return toResult(this.#computeTransition(row, this.#columnCount - 1))
  }

  /** Finds out what a row says of a column, and writes it down. */
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
    // Only behind a newline may something begin where nothing has so far.
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

/** Whether a place is one of those looked for; undefined where that depends on what comes next and is not known. */
const assertionHolds: Readonly<Record<Assertion, (before: Neighbour, after: Neighbour | undefined) => boolean | undefined>> = {
  textStart: (before) => before === 'edge',
  lineStart: (before) => before === 'edge' || before === 'newline',
  textEnd: (_, after) => after && after === 'edge',
  lineEnd: (_, after) => after && (after === 'edge' || after === 'newline'),
  wordEdge: (before, after) => after && (before === 'word') !== (after === 'word'),
  noWordEdge: (before, after) => after && (before === 'word') === (after === 'word'),
}

function growTable(table: Int32Array, size: number): Int32Array {
  const larger = new Int32Array(Math.max(size, table.length * 2)).fill(unknown)
  larger.set(table)
  return larger
}
