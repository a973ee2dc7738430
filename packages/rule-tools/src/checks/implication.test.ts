import { parseCondition } from '@tripline/engine/authoring'
import { describe, expect, test } from 'vitest'
import { tryCondition } from './implication.ts'
import type { Implication } from './implication.ts'

function print(text: string, implications: readonly Implication[] = []): string {
  const truth = tryCondition(parseCondition(text, ['a', 'b', 'c']).tree!, implications)
  if (truth === undefined) return 'unknown'
  return `${truth.canHold ? 'holds' : 'never holds'}${truth.canFail ? '' : ' always'}${truth.idle.map((name) => ` without ${name}`).join('')}`
}

describe('truthOf', () => {
  test.for<[condition: string, printed: string]>([
    ['a', 'holds'],
    ['a and b', 'holds'],
    ['a and not a', 'never holds without a'],
    ['a or not a', 'holds always without a'],
    ['a or (a and b)', 'holds without b'],
    ['a and not 1 of them', 'never holds without a without b without c'],
    ['(a and b) or (a and not b)', 'holds without b'],
    ['all of them', 'holds'],
  ])('%s: %s', ([condition, printed]) => {
    expect(print(condition)).toBe(printed)
  })

  test.for<[condition: string, of: string, implies: string, printed: string]>([
    ['a and not b', 'a', 'b', 'never holds without a without b'],
    ['a and not b', 'b', 'a', 'holds'],
    ['a or b', 'a', 'b', 'holds without a'],
    ['a and b', 'a', 'b', 'holds without b'],
  ])('%s where %s implies %s: %s', ([condition, of, implies, printed]) => {
    expect(print(condition, [{ of, implies }])).toBe(printed)
  })

  test('returns undefined for too many selections', () => {
    const names = Array.from({ length: 13 }, (_, i) => `s${i}`)
    expect(tryCondition(parseCondition(names.join(' and '), names).tree!)).toBe(undefined)
    expect(tryCondition(parseCondition(names.slice(1).join(' and '), names).tree!)).toMatchObject({ canHold: true, idle: [] })
  })
})
