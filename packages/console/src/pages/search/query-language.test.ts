import { expect, test } from 'vitest'
import { checkQuery } from './query-language.ts'

test('a problem is shown where it is', () => {
  expect(checkQuery('User:alice')).toBeUndefined()
  expect(checkQuery('a AND )')).toMatchObject({ position: 6, length: 1, column: 7 })
})
