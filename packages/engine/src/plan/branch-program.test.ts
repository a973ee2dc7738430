import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { a, and, b, c, evaluate, evaluated, formulas, no, not, or, outcomes, truthOf, truthOfOutcome, variable, yes } from '../../test/formulas.ts'
import { BranchProgram } from './branch-program.ts'
import { fails, holds, open, printFormula, unknown } from './formula.ts'
import type { Formula, Outcome } from './formula.ts'

describe('Branches', () => {
  test.for<[printed: string, outcomes: readonly Outcome[], outcome: Outcome, formula: Formula]>([
    ['true', [], holds, yes],
    ['()', [], fails, or()],
    ['()', [], holds, and()],
    ['?', [], unknown, open],
    ['!?', [], unknown, not(open)],
    ['(#0 & ?)', [fails], fails, and(a, open)],
    ['(? & #0)', [fails], fails, and(open, a)],
    ['(? | #0)', [holds], holds, or(open, a)],
    ['!(? | #0)', [holds], fails, not(or(open, a))],
    ['(#0 | !#0)', [unknown], unknown, or(a, not(a))],
    ['(#0 & (#1 | !#2))', [holds, fails, fails], holds, and(a, or(b, not(c)))],
    ['(false | #0)', [unknown], unknown, or(no, a)],
  ])('%s with %j is %i', ([printed, known, outcome, formula]) => {
    expect(printFormula(formula)).toBe(printed)
    expect(evaluate(formula, (number) => known[number]!)).toBe(outcome)
  })

  test('agree with arithmetic on random formulas', () => {
    fc.assert(
      fc.property(formulas, outcomes, (formula, known) => {
        expect(evaluated(formula, known), printFormula(formula)).toBe(truthOf(formula, known.map(truthOfOutcome)))
      }),
      { numRuns: 2000 },
    )
  })

  test('of many formulas stand beside each other', () => {
    fc.assert(
      fc.property(fc.array(formulas), outcomes, (some, known) => {
        const branches = new BranchProgram(some)
        for (const [number, formula] of some.entries()) {
          const outcome = branches.evaluate(number, (variable) => known[variable]!)
          expect(branches.evaluate(number, Uint8Array.from(known))).toBe(outcome)
          expect(truthOfOutcome(outcome), printFormula(formula)).toBe(truthOf(formula, known.map(truthOfOutcome)))
        }
      }),
      { numRuns: 500 },
    )
  })

  test('ask no more once it is decided', () => {
    const asked: number[] = []
    evaluate(and(a, or(b, c), variable(3)), (number) => {
      asked.push(number)
      return number === 3 ? fails : holds
    })
    expect(asked).toEqual([0, 1, 3])
  })
})
