import { expect, test } from 'vitest'
import { all, any, group, not, regex, text } from '../../test/predicates.ts'
import type { Predicate } from '../predicate/predicate.ts'
import { hasRegex } from './has-regex.ts'

const [x, y] = [text('a', 'x'), regex('a', 'y')]

test.for<[title: string, predicate: Predicate, answer: boolean]>([
  ['a text', x, false],
  ['a regular expression', y, true],
  ['one in a list', any(x, y), true],
  ['one among others', all(x, group(not(y))), true],
  ['one about elements', { kind: 'elements', field: 'a', quantifier: 'any', of: y }, true],
  ['none in a list', any(x, x), false],
  ['a constant', { kind: 'constant', value: true }, false],
])('%s', ([, predicate, answer]) => {
  expect(hasRegex(predicate)).toBe(answer)
  expect(hasRegex(predicate, () => false)).toBe(false)
})
