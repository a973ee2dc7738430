import { expect, test } from 'vitest'
import type { Edit } from '../checks/define-checks.ts'
import { applyFixes } from './apply-fixes.ts'

const edit = (offset: number, length: number, text: string): Edit => ({ offset, length, text })

test.for<[title: string, fixes: Edit[][], text: string, appliedCount: number]>([
  ['none', [], 'abcdef', 0],
  ['one', [[edit(1, 2, 'X')]], 'aXdef', 1],
  ['an insertion', [[edit(6, 0, '!')]], 'abcdef!', 1],
  ['several, in any order', [[edit(4, 1, 'E')], [edit(0, 1, 'A')]], 'AbcdEf', 2],
  ['of two that overlap, the first', [[edit(1, 3, '')], [edit(2, 1, 'X')]], 'aef', 1],
  ['of two that touch, the first', [[edit(1, 1, 'B')], [edit(2, 1, 'C')]], 'aBcdef', 1],
  ['all edits of a fix, or none', [[edit(0, 1, 'A')], [edit(0, 1, 'X'), edit(4, 1, 'E')]], 'Abcdef', 1],
])('applies %s', ([, fixes, text, appliedCount]) => {
  const result = applyFixes('abcdef', fixes.map((edits) => ({ edits })))
  expect(result.text).toBe(text)
  expect(result.applied).toHaveLength(appliedCount)
})
