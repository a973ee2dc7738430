import fc from 'fast-check'
import { BranchProgram } from '../src/plan/branch-program.ts'
import { fails, holds, open, unknown } from '../src/plan/formula.ts'
import type { Formula, Outcome } from '../src/plan/formula.ts'

/** Variables that generated formulas name. */
export const variableCount = 4

export const yes: Formula = { kind: 'constant', value: true }
export const no: Formula = { kind: 'constant', value: false }
export const [a, b, c]: readonly [Formula, Formula, Formula] = [variable(0), variable(1), variable(2)]

export function variable(number: number): Formula {
  return { kind: 'variable', number }
}

export function and(...of: readonly Formula[]): Formula {
  return { kind: 'and', of }
}

export function or(...of: readonly Formula[]): Formula {
  return { kind: 'or', of }
}

export function not(of: Formula): Formula {
  return { kind: 'not', of }
}

export const formulas: fc.Arbitrary<Formula> = fc.letrec<{ node: Formula }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.nat(variableCount - 1).map(variable),
    fc.constantFrom(yes, no, open),
    tie('node').map(not),
    fc.array(tie('node'), { maxLength: 3 }).map((of) => and(...of)),
    fc.array(tie('node'), { maxLength: 3 }).map((of) => or(...of)),
  ),
})).node

export const outcomes = fc.array(fc.constantFrom<Outcome>(fails, holds, unknown), { minLength: variableCount, maxLength: variableCount })

/** Kleene's logic as arithmetic: unknown is a half, `and` the least and `or` the greatest of all parts. */
export function truthOf(formula: Formula, truths: readonly number[]): number {
  switch (formula.kind) {
    case 'constant':
      return formula.value ? 1 : 0
    case 'variable':
      return truths[formula.number]!
    case 'open':
      return 0.5
    case 'not':
      return 1 - truthOf(formula.of, truths)
    case 'and':
      return Math.min(1, ...formula.of.map((part) => truthOf(part, truths)))
    case 'or':
      return Math.max(0, ...formula.of.map((part) => truthOf(part, truths)))
  }
}

export function truthOfOutcome(outcome: Outcome): number {
  return outcome === unknown ? 0.5 : outcome === holds ? 1 : 0
}

/** What a formula comes to, as a number from 0 to 1. */
export function evaluated(formula: Formula, known: readonly Outcome[]): number {
  return truthOfOutcome(evaluate(formula, (number) => known[number]!))
}

/** Evaluates one formula, as an index evaluates many. */
export function evaluate(formula: Formula, outcomeOf: (variable: number) => Outcome): Outcome {
  return new BranchProgram([formula]).evaluate(0, outcomeOf)
}
