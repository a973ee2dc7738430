import { fails, holds, unknown } from './formula.ts'
import type { Formula, Outcome } from './formula.ts'

/** Exits of a program; other targets are branches. */
const trueExit = -1
const falseExit = -2
/** The result of a run that ended false but met an unknown variable. */
const unknownExit = -3

/** How a run treats unknown variables; a negated one is treated the other way round. */
const unknownIsFalse = 0
const unknownIsTrue = 1

/** The outcomes of variables: an array, or a function that computes them on demand. */
type Outcomes = Uint8Array | ((variable: number) => Outcome)

/** Words of a branch: its variable, shifted left, plus 1 if it is negated; the target if it is true; the target if not. */
const branchSize = 3
/** The variable of `open` formulas. */
const openVariable = -1

/**
 * Formulas compiled to short-circuit jump code, as compilers do for boolean expressions: one conditional branch for each
 * occurrence of a variable.
 *
 *     #1 & (#2 | !#3)     #1 ─true─▶ #2 ─false─▶ #3 ─false─▶ true
 *
 * A run evaluates no variable that no longer matters. All branches are in one array, because formulas run for every new
 * value and every new signature.
 */
export class BranchProgram {
  /** By formula: its first branch. */
  readonly #starts: Int32Array
  readonly #branches: Int32Array

  constructor(formulas: readonly Formula[]) {
    const branches: number[] = []
    this.#starts = Int32Array.from(formulas, (formula) => emitBranches(formula, { ifTrue: trueExit, ifFalse: falseExit }, false, branches))
    this.#branches = Int32Array.from(branches)
  }

  /** Evaluates a formula, by its number, in Kleene's three-valued logic. */
  evaluate(number: number, outcomes: Outcomes): Outcome {
    const end = this.#run(number, outcomes, unknownIsFalse)
    if (end !== unknownExit) return end === trueExit ? holds : fails
    return this.#run(number, outcomes, unknownIsTrue) === trueExit ? unknown : fails
  }

  /** Runs a formula's program, treating unknown variables as false, or as true, and returns its exit. */
  #run(number: number, outcomes: Outcomes, unknownAs: typeof unknownIsFalse | typeof unknownIsTrue): number {
    const branches = this.#branches
    let isUnknown = false
    let at = this.#starts[number]!
    while (at >= 0) {
      const branch = branches[at]!
      const outcome = branch < 0 ? unknown : typeof outcomes === 'function' ? outcomes(branch >> 1) : outcomes[branch >> 1]!
      if (outcome === unknown) isUnknown = true
      const branchOutcome = outcome === unknown ? (branch & 1) ^ unknownAs : outcome
      at = branches[at + 2 - branchOutcome]!
    }
    return at === falseExit && isUnknown ? unknownExit : at
  }
}

type Targets = { readonly ifTrue: number; readonly ifFalse: number }

/** Emits the branches of a formula, last one first, and returns its first branch. */
function emitBranches(formula: Formula, targets: Targets, isNegated: boolean, branches: number[]): number {
  const { ifTrue, ifFalse } = targets
  switch (formula.kind) {
    case 'constant':
      return formula.value ? ifTrue : ifFalse
    case 'variable':
    case 'open': {
      const variable = formula.kind === 'open' ? openVariable : formula.number
      return branches.push(variable * 2 + (isNegated ? 1 : 0), ifTrue, ifFalse) - branchSize
    }
    case 'not':
      return emitBranches(formula.of, { ifTrue: ifFalse, ifFalse: ifTrue }, !isNegated, branches)
    case 'and':
      return formula.of.reduceRight((next, part) => emitBranches(part, { ifTrue: next, ifFalse }, isNegated, branches), ifTrue)
    case 'or':
      return formula.of.reduceRight((next, part) => emitBranches(part, { ifTrue, ifFalse: next }, isNegated, branches), ifFalse)
  }
}
