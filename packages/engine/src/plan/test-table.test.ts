import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evaluate } from '../../test/formulas.ts'
import { somePredicate, someTest, someValue } from '../../test/generate/generate-predicates.ts'
import { all, any, group, not, number, printPredicate, regex, createTest, text } from '../../test/predicates.ts'
import { isNeedleIn } from '../../test/reference/reference-needle.ts'
import { ValueView } from '../event/value-view.ts'
import { compileCheck } from '../predicate/check.ts'
import type { Predicate } from '../predicate/predicate.ts'
import { fails, holds, printFormula } from './formula.ts'
import { TestTable } from './test-table.ts'
import type { AnalyzedTest } from './test-table.ts'

/** `x!` is proven by what is found, `x?` is asked once it is found, `x` is always asked. */
function printTest({ predicate, needles, isProven }: AnalyzedTest): string {
  return printPredicate(predicate) + (isProven ? '!' : needles === undefined ? '' : '?')
}

describe('TestTable', () => {
  const [x, y, z] = [text('a', 'x'), text('a', '*y*'), text('a', '*z*z*')]
  const isAbove = createTest('a', { kind: 'compare', operator: 'gt', value: 5 })

  test.for<[formula: string, tests: string, predicate: Predicate]>([
    ['#0', 'x!', x],
    ['#0', 'x cased?', text('a', 'x', true)],
    ['#0', '*z*z*?', z],
    ['#0', 'gt 5', isAbove],
    ['#0', '/abc/?', regex('a', 'abc')],
    ['(#1 & #2 & #0)', '/ghij.*abcdef/?, *abcdef*!, *ghij*!', regex('a', 'ghij.*abcdef')],
    ['(#1 & #2 & #0)', '/(?:abcdef|ghijkl).*mnop/?, (*abcdef* | *ghijkl*)!, *mnop*!', regex('a', '(?:abcdef|ghijkl).*mnop')],
    ['(#1 & #2 & #0)', 'ghijkl*xy*abcde?, ghijkl*!, *abcde!', text('a', 'ghijkl*xy*abcde')],
    ['#0', '/./', regex('a', '.')],
    ['!#0', 'x!', not(x)],
    ['(#0 & #1)', 'x!, *y*!', all(x, y)],
    ['#0', '(x | *y*)!', any(x, y)],
    ['#0', '(x | (*y* | 1))!', any(x, group(any(y, number('a', 1))))],
    ['(#1 | #0)', '*z*z*?, (x | *y*)!', any(x, z, y)],
    ['(#2 | (#1 | #0))', '*z*z*?, *y*!, x!', any(x, group(any(y, z)))],
    ['(#1 | #0)', 'gt 5, x!', any(isAbove, x)],
    ['(#0 | #1)', 'gt 5, *z*z*?', any(isAbove, z)],
    ['((#0 & #1) | #0)', 'gt 5, *y*!', any(all(isAbove, y), isAbove)],
    ['(#0 & !#0)', 'x!', all(x, not(x))],
    ['!#0', '!*', text('a', '*')],
    ['!!#0', '!*', not(text('a', '*'))],
    ['(#1 | !#0)', '!*, x!', any(x, text('a', '*'))],
    ['()', '', any()],
    ['(#0 & true)', 'x!', all(x, { kind: 'constant', value: true })],
  ])('makes %s of %s', ([formula, tests, predicate]) => {
    const table = new TestTable()
    expect([printFormula(table.toFormula(predicate)), table.tests.map(printTest).join(', ')]).toEqual([formula, tests])
  })

  test.for<[answer: boolean, predicate: Predicate]>([
    [true, x],
    [true, createTest('a', { kind: 'null' })],
    [true, text('a', '*')],
    [false, isAbove],
    [false, regex('a', '.')],
    [false, createTest('a', { kind: 'exists', isPresent: true })],
  ])('that it has a finite cost is %s', ([answer, predicate]) => {
    const table = new TestTable()
    table.toFormula(predicate)
    expect(table.tests.map(({ cost }) => cost < Infinity)).toEqual([answer])
  })

  test('a condition on elements is refused', () => {
    const elements: Predicate = { kind: 'elements', field: 'a', quantifier: 'any', of: x }
    expect(() => new TestTable().toFormula(elements)).toThrow('a condition on list elements is no test of one value')
  })

  test('the formula over the truth of its tests is the predicate', () => {
    fc.assert(
      fc.property(somePredicate(someTest(['a'])), someValue, (predicate, value) => {
        const table = new TestTable()
        const formula = table.toFormula(predicate)
        const reading = new ValueView(value)
        const outcome = evaluate(formula, (one) => (compileCheck(table.tests[one]!.predicate)(reading) ? holds : fails))
        expect(outcome).toBe(compileCheck(predicate)(reading) ? holds : fails)
      }),
      { numRuns: 1500 },
    )
  })

  test('a test that holds has a needle there, and one that is proven holds where a needle is', () => {
    fc.assert(
      fc.property(somePredicate(someTest(['a'])), fc.array(someValue, { minLength: 3, maxLength: 3 }), (predicate, values) => {
        const table = new TestTable()
        table.toFormula(predicate)
        for (const { predicate: one, needles, isProven } of table.tests) {
          if (needles === undefined) continue
          for (const value of values) {
            const isFound = needles.some((needle) => isNeedleIn(needle, value))
            const isHeld = compileCheck(one)(new ValueView(value))
            expect([isFound || !isHeld, !isProven || isHeld === isFound], printPredicate(one)).toEqual([true, true])
          }
        }
      }),
      { numRuns: 1500 },
    )
  })
})
