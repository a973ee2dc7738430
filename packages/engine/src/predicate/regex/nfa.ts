import { limits } from '../../limits.ts'
import { toMemberTable, newline, wordCharacters } from './character-set.ts'
import type { CharacterSet } from './character-set.ts'
import type { Expression, Assertion } from './parse-expression.ts'

/**
 * A Thompson NFA of a regular expression over ASCII; state 0 accepts. Characters that no state distinguishes share an
 * equivalence class.
 */
export type Nfa = {
  readonly states: readonly NfaState[]
  readonly start: number
  /** The class of each character of ASCII. */
  readonly classes: Uint8Array
  /** What the characters of each class are to an assertion next to them. */
  readonly neighbours: readonly Neighbour[]
  /** Whether an assertion matches after every newline. */
  readonly hasLineStart: boolean
}

type NfaState = {
  /** By class: 1 if the state consumes such a character; absent for epsilon transitions. */
  readonly reads?: Uint8Array
  /** The zero-width assertion of the state's epsilon transition. */
  readonly assertion?: Assertion
  /** The following states: one, several for alternatives, none for the accepting state. */
  readonly next: readonly number[]
}

/** What is next to an assertion; `edge` is the start or end of the text. */
export type Neighbour = 'edge' | 'newline' | 'word' | 'other'

/** Makes an automaton of an expression; undefined where it would have more than `nfaStatesMax` steps. */
export function compileNfa(expression: Expression): Nfa | undefined {
  if (estimateSize(expression) > limits.nfaStatesMax) return undefined
  const sets = new Map<CharacterSet, Uint8Array>()
  collectSets(expression, sets)
  const classes = partitionClasses(sets.values())
  // Any character of a class stands for all of them.
  const codes = Array.from({ length: Math.max(...classes) + 1 }, (_, one) => classes.indexOf(one))
  const reads = new Map([...sets].map(([characters, members]) => [characters, Uint8Array.from(codes, (code) => members[code] ?? 0)]))
  const steps: MutableState[] = [{ next: [] }]
  const start = emitStates(expression, 0, { states: steps, reads })
  const hasLineStart = steps.some(({ assertion }) => assertion === 'lineStart')
  return { states: steps, start, classes, neighbours: codes.map(toNeighbour), hasLineStart }
}

type MutableState = Omit<NfaState, 'next'> & { next: readonly number[] }

/** What an automaton is made in: its steps so far, and which classes each set of characters consists of. */
type NfaBuilder = { readonly states: MutableState[]; readonly reads: ReadonlyMap<CharacterSet, Uint8Array> }

/** Bounds the number of states of an expression; an empty one counts as one, because repeating it takes time. */
function estimateSize(expression: Expression): number {
  switch (expression.kind) {
    case 'sequence':
    case 'choice':
      return expression.of.reduce((sum, part) => sum + estimateSize(part) + 1, 1)
    case 'repetition':
      return Math.max(expression.max ?? expression.min + 1, 1) * (estimateSize(expression.of) + 1)
    default:
      return 1
  }
}

/** Adds the states of an expression before the state `behind` and returns the first one. */
function emitStates(expression: Expression, behind: number, workshop: NfaBuilder): number {
  switch (expression.kind) {
    case 'characters':
      return addState(workshop, { reads: workshop.reads.get(expression.of) ?? new Uint8Array(), next: [behind] })
    case 'place':
      return addState(workshop, { assertion: expression.place, next: [behind] })
    case 'sequence':
      return expression.of.reduceRight((next, part) => emitStates(part, next, workshop), behind)
    case 'choice': {
      const next = expression.of.map((part) => emitStates(part, behind, workshop))
      return next.length === 1 ? next[0] ?? behind : addState(workshop, { next })
    }
    case 'repetition':
      return emitRepetition(expression, behind, workshop)
  }
}

function emitRepetition({ of, min, max }: Expression & { kind: 'repetition' }, behind: number, workshop: NfaBuilder): number {
  let first = behind
  if (max === undefined) {
    const loop: MutableState = { next: [] }
    const again = addState(workshop, loop)
    const once = emitStates(of, again, workshop)
    loop.next = [once, behind]
    first = min === 0 ? again : once
  }
  for (let i = min; i < (max ?? min); i++) first = addState(workshop, { next: [emitStates(of, first, workshop), behind] })
  for (let i = max === undefined ? 1 : 0; i < min; i++) first = emitStates(of, first, workshop)
  return first
}

function addState({ states }: NfaBuilder, step: MutableState): number {
  return states.push(step) - 1
}

const newlineMembers = toMemberTable(newline)
const wordMembers = toMemberTable(wordCharacters)

function collectSets(expression: Expression, sets: Map<CharacterSet, Uint8Array>): void {
  switch (expression.kind) {
    case 'characters':
      if (!sets.has(expression.of)) sets.set(expression.of, toMemberTable(expression.of))
      break
    case 'place':
      sets.set(newline, newlineMembers).set(wordCharacters, wordMembers)
      break
    case 'repetition':
      collectSets(expression.of, sets)
      break
    default:
      for (const part of expression.of) collectSets(part, sets)
  }
}

/** Partitions ASCII into classes so that every set is a union of classes; their numbers start at 0. */
function partitionClasses(sets: Iterable<Uint8Array>): Uint8Array {
  const classes = new Uint8Array(128)
  let count = 1
  for (const members of sets) {
    const parts = new Int16Array(2 * count).fill(-1)
    count = 0
    for (let code = 0; code < 128; code++) {
      const part = 2 * classes[code]! + members[code]!
      if (parts[part] === -1) parts[part] = count++
      classes[code] = parts[part]!
    }
  }
  return classes
}

/** The neighbour of a class. Without assertions a class may mix several, which does not matter then. */
function toNeighbour(code: number): Neighbour {
  if (newlineMembers[code] === 1) return 'newline'
  return wordMembers[code] === 1 ? 'word' : 'other'
}
