import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { a, and, b, c, evaluate, evaluated, formulas, no, not, or, outcomes, variableCount, yes } from '../../test/formulas.ts'
import { findAnchors, fails, holds, negate, open, printFormula, listVariables } from './formula.ts'
import type { Formula, Outcome } from './formula.ts'

describe('negate', () => {
  test('turns a formula around', () => {
    fc.assert(
      fc.property(formulas, outcomes, (formula, known) => {
        expect(evaluated(negate(formula), known)).toBe(1 - evaluated(formula, known))
      }),
      { numRuns: 500 },
    )
  })

  test.for<[printed: string, formula: Formula]>([
    ['!#0', a],
    ['#0', not(a)],
    ['!#0', not(not(a))],
    ['!(#0 & #1)', and(a, b)],
  ])('makes %s', ([printed, formula]) => {
    expect(printFormula(negate(formula))).toBe(printed)
  })
})

describe('anchorsOf', () => {
  const costs = [5, 3, 1, 1]
  const anchors = (formula: Formula) => findAnchors(formula, (number) => costs[number]!)

  test.for<[printed: string, formula: Formula, anchors: readonly number[] | undefined]>([
    ['true', yes, undefined],
    ['false', no, []],
    ['?', open, undefined],
    ['#0', a, [0]],
    ['!#0', not(a), undefined],
    ['!!#0', not(not(a)), [0]],
    ['(#0 & #1)', and(a, b), [1]],
    ['(#0 & !#1)', and(a, not(b)), [0]],
    ['(!#0 & !#1)', and(not(a), not(b)), undefined],
    ['(#0 & ?)', and(a, open), [0]],
    ['(#0 & false)', and(a, no), []],
    ['()', and(), undefined],
    ['(#0 | #1)', or(a, b), [0, 1]],
    ['(#0 | ?)', or(a, open), undefined],
    ['(#0 | !#1)', or(a, not(b)), undefined],
    ['(#0 | false)', or(a, no), [0]],
    ['()', or(), []],
    ['((#1 | #2) & #0)', and(or(b, c), a), [1, 2]],
    ['(#0 & (#1 | #2 | #1))', and(a, or(b, c, b)), [0]],
    ['!(!#0 | !#1)', not(or(not(a), not(b))), [1]],
    ['!(!#0 & !#1)', not(and(not(a), not(b))), [0, 1]],
    ['!(#0 & !#1)', not(and(a, not(b))), undefined],
    ['!true', not(yes), []],
    ['(#1 & !(#2 | ?))', and(b, not(or(c, open))), [1]],
  ])('of %s', ([printed, formula, want]) => {
    expect(printFormula(formula)).toBe(printed)
    expect(anchors(formula)).toEqual(want)
  })

  test('one of them holds whenever the formula may', () => {
    const assignments = Array.from({ length: 2 ** variableCount }, (_, bits): readonly Outcome[] => (
      Array.from({ length: variableCount }, (__, number) => ((bits >> number) & 1) === 1 ? holds : fails)
    ))
    fc.assert(
      fc.property(formulas, (formula) => {
        const found = anchors(formula)
        fc.pre(found !== undefined)
        for (const known of assignments) {
          const mayHold = evaluate(formula, (number) => known[number]!) !== fails
          expect(!mayHold || found.some((number) => known[number] === holds), printFormula(formula)).toBe(true)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

test('variablesOf names the variables as they are printed', () => {
  fc.assert(
    fc.property(formulas, (formula) => {
      const printed = [...printFormula(formula).matchAll(/#(\d+)/g)].map(([, number]) => Number(number))
      expect([...listVariables(formula)]).toEqual(printed)
    }),
    { numRuns: 500 },
  )
})
