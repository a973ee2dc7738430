import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anchorsOf, evaluate, fails, holds, negate, open, printFormula, unknown, variablesOf } from './formula.ts'
import type { Formula, Outcome } from './formula.ts'

const variableCount = 4

const yes: Formula = { kind: 'constant', value: true }
const no: Formula = { kind: 'constant', value: false }
const [a, b, c]: readonly [Formula, Formula, Formula] = [variable(0), variable(1), variable(2)]

function variable(number: number): Formula {
  return { kind: 'variable', number }
}

function and(...of: readonly Formula[]): Formula {
  return { kind: 'and', of }
}

function or(...of: readonly Formula[]): Formula {
  return { kind: 'or', of }
}

function not(of: Formula): Formula {
  return { kind: 'not', of }
}

const formulas: fc.Arbitrary<Formula> = fc.letrec<{ node: Formula }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.nat(variableCount - 1).map(variable),
    fc.constantFrom(yes, no, open),
    tie('node').map(not),
    fc.array(tie('node'), { maxLength: 3 }).map((of) => and(...of)),
    fc.array(tie('node'), { maxLength: 3 }).map((of) => or(...of)),
  ),
})).node

const outcomes = fc.array(fc.constantFrom<Outcome>(fails, holds, unknown), { minLength: variableCount, maxLength: variableCount })

/** Kleene's logic as arithmetic: unknown is a half, `and` the least and `or` the greatest of all parts. */
function truthOf(formula: Formula, truths: readonly number[]): number {
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

function truthOfOutcome(outcome: Outcome): number {
  return outcome === unknown ? 0.5 : outcome === holds ? 1 : 0
}

/** What a formula comes to, as a number from 0 to 1. */
function evaluated(formula: Formula, known: readonly Outcome[]): number {
  return truthOfOutcome(evaluate(formula, (number) => known[number]!))
}

describe('evaluate', () => {
  test('agrees with arithmetic on random formulas', () => {
    fc.assert(
      fc.property(formulas, outcomes, (formula, known) => {
        expect(evaluated(formula, known), printFormula(formula)).toBe(truthOf(formula, known.map(truthOfOutcome)))
      }),
      { numRuns: 2000 },
    )
  })

  test('asks no more once it is decided', () => {
    const asked: number[] = []
    evaluate(and(a, or(b, c), variable(3)), (number) => {
      asked.push(number)
      return number === 3 ? fails : holds
    })
    expect(asked).toEqual([0, 1, 3])
  })
})

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
  const anchors = (formula: Formula) => anchorsOf(formula, (number) => costs[number]!)

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
      expect([...variablesOf(formula)]).toEqual(printed)
    }),
    { numRuns: 500 },
  )
})
