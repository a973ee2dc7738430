import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { somePredicate, someTest, someValue } from '../../test/generate/generate-predicates.ts'
import { all, any, fieldRef, group, isMatch, not, printPredicate, createTest, text } from '../../test/predicates.ts'
import { ValueView } from '../event/value-view.ts'
import type { FieldValue } from '../event/value.ts'
import { compileCheck } from './check.ts'
import type { Predicate } from './predicate.ts'

describe('compileCheck', () => {
  const [x, y] = [text('a', 'x'), text('a', 'y')]

  test.for<[predicate: string, value: FieldValue, answer: boolean, of: Predicate]>([
    ['x', 'X', true, x],
    ['x cased', 'X', false, text('a', 'x', true)],
    ['x', undefined, false, x],
    ['!x', undefined, true, not(x)],
    ['!x', ['x', 'y'], false, not(x)],
    ['(x & y)', ['x', 'y'], true, all(x, group(y))],
    ['(x & y)', 'x', false, all(x, y)],
    ['(x | y)', 'y', true, any(x, y)],
    ['()', 'y', true, all()],
    ['()', 'y', false, any()],
    ['true', undefined, true, { kind: 'constant', value: true }],
    ['null', undefined, true, createTest('a', { kind: 'null' })],
    ['null', '', false, createTest('a', { kind: 'null' })],
    ['present', [], true, createTest('a', { kind: 'exists', isPresent: true })],
    ['absent', null, false, createTest('a', { kind: 'exists', isPresent: false })],
  ])('%s of %j is %s', ([printed, value, answer, predicate]) => {
    expect(printPredicate(predicate)).toBe(printed)
    expect(compileCheck(predicate)(new ValueView(value))).toBe(answer)
  })

  test.for<[message: string, predicate: Predicate]>([
    ['a condition on elements is no check of one value', { kind: 'elements', field: 'a', quantifier: 'any', of: x }],
    ['a comparison with another field is no check of one value', fieldRef('a', 'b')],
    ['a comparison with another field is no check of one value', not(any(x, fieldRef('a', 'b')))],
  ])('refuses: %s', ([message, predicate]) => {
    expect(() => compileCheck(predicate)).toThrow(message)
  })

  test('agrees with the matcher over batches on random predicates of one field', () => {
    const someValues = fc.array(fc.option(someValue, { nil: undefined }), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(somePredicate(someTest(['a'])), someValues, (predicate, values) => {
        const check = compileCheck(predicate)
        for (const value of values) {
          const event = value === undefined ? {} : { a: value }
          expect(check(new ValueView(value)), printPredicate(predicate)).toBe(isMatch(predicate, event))
        }
      }),
      { numRuns: 2000 },
    )
  })
})
