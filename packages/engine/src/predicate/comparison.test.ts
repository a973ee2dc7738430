import { describe, expect, test } from 'vitest'
import { printPredicate, createTest } from '../../test/predicates.ts'
import type { FieldText, FieldValue } from '../event/value.ts'
import { anyScalar, anyText, compileComparison } from './comparison.ts'
import type { FixedTest } from './comparison.ts'
import { parseCidr } from './matchers/cidr.ts'
import { parsePattern } from './pattern.ts'

function network(text: string): FixedTest {
  const test = parseCidr(text)
  if ('problem' in test) throw new Error(test.problem)
  return test
}

test.for<[text: FieldText, answer: boolean]>([
  ['x', true],
  ['y', false],
  ['', true],
  [null, false],
  [[], false],
  [['y', 'x'], true],
  [['y'], false],
])('any text of %j is not y: %s', ([text, answer]) => {
  expect(anyText(text, (one) => one !== 'y')).toBe(answer)
})

test.for<[value: FieldValue, isNotText: boolean]>([
  [undefined, false],
  [null, true],
  [1, true],
  ['x', false],
  [[], false],
  [['x', null], true],
  [['x'], false],
])('any scalar of %j is no text: %s', ([value, isNotText]) => {
  expect(anyScalar(value, (one) => typeof one !== 'string')).toBe(isNotText)
})

describe('compileComparison', () => {
  const pattern = parsePattern('Foo')
  test.for<[printed: string, looksAt: string, test: FixedTest]>([
    ['Foo', 'folded text', { kind: 'text', pattern, isCased: false }],
    ['Foo cased', 'text', { kind: 'text', pattern, isCased: true }],
    ['true', 'folded text', { kind: 'boolean', value: true }],
    ['/foo/i', 'text', { kind: 'regex', source: 'foo', ignoresCase: true, isMultiline: false, dotMatchesNewline: false }],
    ['10.0.0.0/8', 'text', network('10.0.0.0/8')],
    ['1', 'scalar', { kind: 'number', value: 1 }],
    ['gt 1', 'scalar', { kind: 'compare', operator: 'gt', value: 1 }],
    ['hour eq 1', 'scalar', { kind: 'timePart', part: 'hour', operator: 'eq', value: 1 }],
    ['instant lt 1970-01-01T00:00:01.000Z', 'scalar', { kind: 'instant', operator: 'lt', at: 1000 }],
    ['null', 'value', { kind: 'null' }],
    ['present', 'value', { kind: 'exists', isPresent: true }],
  ])('%s looks at the %s', ([printed, looksAt, value]) => {
    expect(printPredicate(createTest('a', value))).toBe(printed)
    const comparison = compileComparison(value)
    expect(comparison.of === 'text' && comparison.isFolded ? 'folded text' : comparison.of).toBe(looksAt)
  })

  test.for<[value: FieldValue, isNull: boolean, isPresent: boolean]>([
    [undefined, true, false],
    [null, true, true],
    [[], false, true],
    [['x', null], true, true],
    [['x'], false, true],
    ['', false, true],
    [0, false, true],
    [false, false, true],
  ])('%j is null: %s, present: %s', ([value, isNull, isPresent]) => {
    const answerOf = (asked: FixedTest): boolean => {
      const comparison = compileComparison(asked)
      if (comparison.of !== 'value') throw new Error('looks at a part of the value')
      return comparison.isMatch(value)
    }
    expect([answerOf({ kind: 'null' }), answerOf({ kind: 'exists', isPresent: true }), answerOf({ kind: 'exists', isPresent: false })])
      .toEqual([isNull, isPresent, !isPresent])
  })
})
