import { fails, holds, unknown } from './formula.ts'
import type { Formula, Outcome } from './formula.ts'

/** Where a walk ends; other targets are numbers of branches. */
const trueExit = -1
const falseExit = -2
/** What a walk comes to that failed, but met something unknown. */
const unknownExit = -3

/** What is taken of a negated variable that is unknown, the other way round of others. */
const unknownIsFalse = 0
const unknownIsTrue = 1

/** The outcomes of variables: by their numbers where all are known, else from who knows. */
type Outcomes = Uint8Array | ((variable: number) => Outcome)

/** Words of a branch: its variable, shifted, above whether it is negated; where to go if it holds; where if not. */
const branchSize = 3
/** The variable of what is open. */
const openVariable = -1

/**
 * Formulas as walks: a branch for each place where a formula names a variable, which says where the walk goes on
 * or how it ends.
 *
 *     #1 & (#2 | !#3)     #1 ─holds─▶ #2 ─fails─▶ #3 ─fails─▶ holds
 *
 * A walk asks nothing that no longer matters. All branches stand in one array: formulas are evaluated for every
 * new value and every new walk.
 */
export class BranchProgram {
  /** By formula: where its walk begins. */
  readonly #starts: Int32Array
  readonly #branches: Int32Array

  constructor(formulas: readonly Formula[]) {
    const branches: number[] = []
    this.#starts = Int32Array.from(formulas, (formula) => emitBranches(formula, { ifHolds: trueExit, ifFails: falseExit }, false, branches))
    this.#branches = Int32Array.from(branches)
  }

  /** Evaluates a formula, by its number, in Kleene's logic of three values. */
  evaluate(number: number, outcomes: Outcomes): Outcome {
    const end = this.#run(number, outcomes, unknownIsFalse)
    if (end !== unknownExit) return end === trueExit ? holds : fails
    return this.#run(number, outcomes, unknownIsTrue) === trueExit ? unknown : fails
  }

  /** Where a walk ends when what is unknown speaks against the formula, or in its favour. */
  #run(number: number, outcomes: Outcomes, unknownSpeaks: typeof unknownIsFalse | typeof unknownIsTrue): number {
    const branches = this.#branches
    let isUnknown = false
    let at = this.#starts[number]!
    while (at >= 0) {
      const branch = branches[at]!
      const outcome = branch < 0 ? unknown : typeof outcomes === 'function' ? outcomes(branch >> 1) : outcomes[branch >> 1]!
      if (outcome === unknown) isUnknown = true
      const goesOn = outcome === unknown ? (branch & 1) ^ unknownSpeaks : outcome
      at = branches[at + 2 - goesOn]!
    }
    return at === falseExit && isUnknown ? unknownExit : at
  }
}

type Targets = { readonly ifHolds: number; readonly ifFails: number }

/** Adds the branches of a formula, the last one first, and answers where its walk begins. */
function emitBranches(formula: Formula, targets: Targets, isNegated: boolean, branches: number[]): number {
  const { ifHolds, ifFails } = targets
  switch (formula.kind) {
    case 'constant':
      return formula.value ? ifHolds : ifFails
    case 'variable':
    case 'open': {
      const variable = formula.kind === 'open' ? openVariable : formula.number
      return branches.push(variable * 2 + (isNegated ? 1 : 0), ifHolds, ifFails) - branchSize
    }
    case 'not':
      return emitBranches(formula.of, { ifHolds: ifFails, ifFails: ifHolds }, !isNegated, branches)
    case 'and':
      return formula.of.reduceRight((next, part) => emitBranches(part, { ifHolds: next, ifFails }, isNegated, branches), ifHolds)
    case 'or':
      return formula.of.reduceRight((next, part) => emitBranches(part, { ifHolds, ifFails: next }, isNegated, branches), ifFails)
  }
}
