import { limits } from '../../limits.ts'
import { allCharacters, codesOf, newline, otherThan, wordCharacters } from './characters.ts'
import type { Characters } from './characters.ts'
import type { Expression, Place } from './parse-expression.ts'

/**
 * A regular expression as steps that a search takes side by side (Thompson): number 0 is the end, where it
 * is found. Characters that no step tells apart are one class.
 */
export type Program = {
  readonly steps: readonly Step[]
  readonly start: number
  /** The class of each character of ASCII. */
  readonly classes: Uint8Array
  /** What the characters of each class are to a place beside them. */
  readonly neighbours: readonly Neighbour[]
  /** Whether a place behind any newline matters. */
  readonly hasLineStart: boolean
}

export type Step = {
  /** Of which classes it reads a character, by class; absent where it reads none. */
  readonly reads?: Uint8Array
  /** Where it has to be, to go on without reading. */
  readonly place?: Place
  /** Steps behind it: one, two where there is a choice, none at the end. */
  readonly next: readonly number[]
}

/** What stands beside a place; `edge` is where the text starts or ends. */
export type Neighbour = 'edge' | 'newline' | 'word' | 'other'

/** Makes a program of an expression; undefined where it would have more than `automatonStepsMax` steps. */
export function compileProgram(expression: Expression): Program | undefined {
  if (sizeOf(expression) > limits.automatonStepsMax) return undefined
  const classes = classesOf(expression)
  const steps: MutableStep[] = [{ next: [] }]
  const start = emit(expression, 0, { steps, classes, reads: new Map() })
  const hasLineStart = steps.some(({ place }) => place === 'lineStart')
  return { steps, start, classes: classTable(classes), neighbours: classes.map(neighbourOf), hasLineStart }
}

type MutableStep = Omit<Step, 'next'> & { next: readonly number[] }

/** What a program is made in: its steps so far, and which classes the sets of characters consist of. */
type Workshop = {
  readonly steps: MutableStep[]
  readonly classes: readonly Characters[]
  readonly reads: Map<Characters, Uint8Array>
}

/** How many steps an expression makes at most; one of nothing counts as one, because repeating it takes time. */
function sizeOf(expression: Expression): number {
  switch (expression.kind) {
    case 'sequence':
    case 'choice':
      return expression.of.reduce((sum, part) => sum + sizeOf(part) + 1, 1)
    case 'repetition':
      return Math.max(expression.max ?? expression.min + 1, 1) * (sizeOf(expression.of) + 1)
    default:
      return 1
  }
}

/** Adds the steps of an expression in front of others; returns the first. */
function emit(expression: Expression, behind: number, workshop: Workshop): number {
  switch (expression.kind) {
    case 'characters':
      return add(workshop, { reads: readsOf(expression.of, workshop), next: [behind] })
    case 'place':
      return add(workshop, { place: expression.place, next: [behind] })
    case 'sequence':
      return expression.of.reduceRight((next, part) => emit(part, next, workshop), behind)
    case 'choice': {
      const next = expression.of.map((part) => emit(part, behind, workshop))
      return next.length === 1 ? next[0] ?? behind : add(workshop, { next })
    }
    case 'repetition':
      return emitRepetition(expression, behind, workshop)
  }
}

function emitRepetition({ of, min, max }: Expression & { kind: 'repetition' }, behind: number, workshop: Workshop): number {
  let first = behind
  if (max === undefined) {
    const loop: MutableStep = { next: [] }
    const again = add(workshop, loop)
    const once = emit(of, again, workshop)
    loop.next = [once, behind]
    first = min === 0 ? again : once
  }
  for (let i = min; i < (max ?? min); i++) first = add(workshop, { next: [emit(of, first, workshop), behind] })
  for (let i = max === undefined ? 1 : 0; i < min; i++) first = emit(of, first, workshop)
  return first
}

function add({ steps }: Workshop, step: MutableStep): number {
  return steps.push(step) - 1
}

function readsOf(characters: Characters, { classes, reads }: Workshop): Uint8Array {
  const known = reads.get(characters)
  if (known !== undefined) return known
  const made = Uint8Array.from(classes, (one) => (one & characters) === 0n ? 0 : 1)
  reads.set(characters, made)
  return made
}

/** Parts ASCII so that every set of the expression consists of whole classes, and places know their neighbours. */
function classesOf(expression: Expression): Characters[] {
  const sets = new Set<Characters>()
  collectSets(expression, sets)
  let classes = [allCharacters]
  for (const set of sets) classes = classes.flatMap((one) => [one & set, one & otherThan(set)].filter((part) => part !== 0n))
  return classes
}

function collectSets(expression: Expression, sets: Set<Characters>): void {
  switch (expression.kind) {
    case 'characters':
      sets.add(expression.of)
      break
    case 'place':
      sets.add(newline).add(wordCharacters)
      break
    case 'repetition':
      collectSets(expression.of, sets)
      break
    default:
      for (const part of expression.of) collectSets(part, sets)
  }
}

function classTable(classes: readonly Characters[]): Uint8Array {
  const table = new Uint8Array(128)
  for (const [i, characters] of classes.entries()) for (const code of codesOf(characters)) table[code] = i
  return table
}

/** Only where there are places do classes not mix neighbours, and only there it matters. */
function neighbourOf(characters: Characters): Neighbour {
  if ((characters & newline) !== 0n) return 'newline'
  return (characters & wordCharacters) === 0n ? 'other' : 'word'
}
