import { describe, expect, test } from 'vitest'
import type { Predicate, Test, ValueTest } from '../predicate/predicate.ts'
import { estimateProgramSize } from '../predicate/matchers/estimate-program-size.ts'
import { WorkBudget, estimatePredicateWork, estimateTextWork, estimateValueWork, workUnits } from './work-budget.ts'

describe('a budget', () => {
  test.for<[steps: readonly number[], allowed: readonly boolean[], spent: number]>([
    [[10], [true], 10],
    [[4, 6], [true, true], 10],
    [[11], [false], 11],
    [[4, 7, 1, 0], [true, false, false, false], 11],
    [[10, 0], [true, true], 10],
  ])('of 10 units, for the steps %j', ([steps, allowed, spent]) => {
    const budget = new WorkBudget(10)
    expect(steps.map((units) => budget.spend(units))).toEqual(allowed)
    expect([budget.spent, budget.isExceeded]).toEqual([spent, spent > 10])
  })
})

test.for<[text: string, separatorCount: number]>([['', 0], ['title', 0], ['a: b', 1], ['- a\n- b\n', 4], ['{a: [1, 2]}', 4]])(
  'the text %j has %i separators', ([text, separatorCount]) => {
    expect(estimateTextWork(text)).toBe(text.length * workUnits.character + separatorCount * workUnits.separator)
  })

const regex = 'a.*b'
const plainWork = workUnits.value + regex.length * workUnits.character
const regexWork = plainWork + workUnits.regex + estimateProgramSize(regex) * workUnits.regexStep

test('a value costs by its length, and a regular expression by its program too', () => {
  expect(estimateValueWork(regex, false)).toBe(plainWork)
  expect(estimateValueWork(regex, true)).toBe(regexWork)
  expect(regexWork).toBeGreaterThan(plainWork + workUnits.regex)
})

const testOf = (field: string, value: ValueTest): Test =>
  ({ kind: 'test', field, value, written: { item: field, operator: 'eq' }, writtenValue: '' })
const number = testOf('a', { kind: 'number', value: 1 })
const expression = testOf('a', { kind: 'regex', source: regex, ignoresCase: false, isMultiline: false, dotMatchesNewline: false })

test.for<[title: string, predicate: Predicate, work: number]>([
  ['a constant', { kind: 'constant', value: true }, 0],
  ['a comparison', number, workUnits.value],
  ['a regular expression', expression, regexWork],
  ['a negation', { kind: 'not', of: expression }, regexWork],
  ['all of some', { kind: 'and', of: [number, expression, number] }, 2 * workUnits.value + regexWork],
  ['any of some', { kind: 'or', of: [number, number] }, 2 * workUnits.value],
  ['any of none', { kind: 'or', of: [] }, 0],
])('the work of %s', ([, predicate, work]) => {
  expect(estimatePredicateWork(predicate)).toBe(work)
})
