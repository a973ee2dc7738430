import { describe, expect, test } from 'vitest'
import { addCondition } from './add-condition.ts'

describe('a condition from a value of an event', () => {
  test.for([
    ['', { field: 'User', value: 'alice' }, 'User:alice', 'NOT User:alice'],
    ['*', { field: 'EventID', value: 4688 }, 'EventID:4688', 'NOT EventID:4688'],
    ['a OR b', { field: 'User', value: 'alice' }, '(a OR b) AND User:alice', '(a OR b) AND NOT User:alice'],
    ['a b', { field: 'x y', value: '*' }, 'a AND b AND "x y":"*"', 'a AND b AND NOT "x y":"*"'],
    ['a', { field: 'EventID', value: '4688' }, 'a AND EventID:"4688"', 'a AND NOT EventID:"4688"'],
    ['a', { field: 'ok', value: true }, 'a AND ok:true', 'a AND NOT ok:true'],
  ] as const)('%s and %o', ([text, condition, only, without]) => {
    expect(addCondition(text, { ...condition, isExcluded: false })).toBe(only)
    expect(addCondition(text, { ...condition, isExcluded: true })).toBe(without)
    expect(addCondition(only, { ...condition, isExcluded: false })).toBe(only)
  })
})
