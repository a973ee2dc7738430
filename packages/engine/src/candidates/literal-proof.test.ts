import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { someFixedTest, someValue } from '../../test/generate/generate-predicates.ts'
import { fieldRef, number, printPredicate, regex, createTest, text } from '../../test/predicates.ts'
import { isNeedleIn } from '../../test/reference/reference-needle.ts'
import { ValueView } from '../event/value-view.ts'
import { compileCheck } from '../predicate/check.ts'
import type { Test } from '../predicate/predicate.ts'
import { isProvenByNeedle } from './literal-proof.ts'
import { findRequirement } from './requirement.ts'

describe('isProvenByNeedle', () => {
  test.for<[title: string, isProven: boolean, test: Test]>([
    ['a text', true, text('a', 'x')],
    ['a text that is contained', true, text('a', '*x*')],
    ['an empty text', true, text('a', '')],
    ['a text with case', false, text('a', 'x', true)],
    ['any text', false, text('a', '*')],
    ['text with a wildcard inside', false, text('a', 'x*y')],
    ['text with any one character', false, text('a', 'x?')],
    ['wildcards beside each other', true, text('a', '**x**')],
    ['a number', true, number('a', 1)],
    ['a number that no double holds', false, createTest('a', { kind: 'number', value: 2 ** 53, text: '9007199254740993' })],
    ['a boolean', true, createTest('a', { kind: 'boolean', value: true })],
    ['null', false, createTest('a', { kind: 'null' })],
    ['presence', false, createTest('a', { kind: 'exists', isPresent: true })],
    ['an order of numbers', false, createTest('a', { kind: 'compare', operator: 'eq', value: 1 })],
    ['a regular expression', false, regex('a', 'foo')],
    ['another field', false, fieldRef('a', 'b')],
  ])('%s: %s', ([, isProven, { value }]) => {
    expect(isProvenByNeedle(value)).toBe(isProven)
  })

  test('what is proven holds of a value exactly where one of its needles is there', () => {
    fc.assert(
      fc.property(someFixedTest, fc.array(someValue, { minLength: 3, maxLength: 3 }), (value, given) => {
        fc.pre(isProvenByNeedle(value))
        const proven = createTest('a', value)
        const needles = findRequirement(proven)
        for (const one of given) {
          const isFound = needles?.some((needle) => isNeedleIn(needle, one))
          expect(isFound, printPredicate(proven)).toBe(compileCheck(proven)(new ValueView(one)))
        }
      }),
      { numRuns: 1500 },
    )
  })
})
