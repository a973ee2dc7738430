import { describe, expect, test } from 'vitest'
import { any, number, createTest, text } from '../../test/predicates.ts'
import { finishSteps } from '../finish-steps.ts'
import type { Predicate } from '../predicate/predicate.ts'
import { NeedleTable } from './needle-table.ts'
import { TestTable } from './test-table.ts'

/** Each text with the tests that it belongs to: `x:0,1`; a number as `#1:2`. */
function printTexts(table: NeedleTable): string {
  const tests = table.buildTestsByNeedle()
  return table.needles.map(({ anchor, text: needle }, place) => {
    const numbers: number[] = []
    tests.forEach(place, (one) => numbers.push(one))
    return `${anchor === 'number' ? '#' : ''}${needle}:${numbers.join()}`
  }).join(' ')
}

describe('NeedleTable', () => {
  const [x, y, one] = [text('a', '*x*'), text('a', '*y*'), number('a', 1)]
  const isNull = createTest('a', { kind: 'null' })

  test.for<[texts: string, anchorTextCount: number, numbers: string, isAnchor: number[], predicates: readonly Predicate[]]>([
    ['', 0, '', [], []],
    ['x:0 y:1', 2, '', [1, 1], [x, y]],
    ['y:1 x:0', 1, '', [0, 1], [x, y]],
    ['x:0 y:0,1', 2, '', [1, 0], [any(x, y), y]],
    ['y:0,1 x:1', 1, '', [1, 0], [y, any(x, y)]],
    ['x:0 x:1', 2, '', [1, 1], [x, text('a', 'x')]],
    ['x:0 #1:1,2 #2:2', 0, '1:1,2 2:2', [0, 1, 1], [x, one, any(one, number('a', 2))]],
    ['x:1', 1, '', [1, 1], [isNull, x]],
    ['y:0 x:2 #1:1', 1, '1:1', [1, 1, 0], [y, one, x]],
  ])('texts %j, of which %i can turn an atom, numbers %j', ([texts, anchorTextCount, numbers, isAnchor, predicates]) => {
    const tests = new TestTable()
    for (const predicate of predicates) tests.toFormula(predicate)
    expect(tests.tests.length).toBe(isAnchor.length)
    const table = finishSteps(NeedleTable.build(tests.tests, (test) => isAnchor[test] === 1))
    const printed = Array.from(table.testsByNumber, ([value, of]) => `${value}:${of.join()}`).join(' ')
    expect([printTexts(table), table.anchorNeedleCount, printed]).toEqual([texts, anchorTextCount, numbers])
  })
})
