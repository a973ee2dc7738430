import { expect, test } from 'vitest'
import { checkQuery, findPlaces } from './query-language.ts'

test('a problem is shown where it is', () => {
  expect(checkQuery('User:alice')).toBeUndefined()
  expect(checkQuery('a AND )')).toMatchObject({ position: 6, length: 1, column: 7 })
})

test.for<[query: string, words: readonly string[], anywhere: string | undefined]>([
  ['powershell', ['powershell'], undefined],
  ['User:alice', [], 'alice'],
  ['User:alice "a b"', ['"a b"'], 'alice AND "a b"'],
  ['(Image:*.exe OR EventID:1) NOT User:x', [], '(*.exe OR 1) AND NOT User:x'],
  ['*:alice', [], undefined],
  ['bytes:>5 User:*', [], undefined],
  ['', [], undefined],
])('where %j looks', ([query, words, anywhere]) => {
  expect(findPlaces(query)).toEqual({ words, anywhere })
})
