import { expect, test } from 'vitest'
import { areEquivalentRules } from './rule-equivalence.ts'

const rule = (selection: string, condition = 'selection'): string =>
  `title: a\nlogsource: { product: windows }\ndetection:\n  selection: ${selection}\n  other: { b: c }\n  condition: ${condition}\n`

test.for<[first: string, second: string, isSame: boolean]>([
  [rule('{ a: b }'), rule("{ 'a': 'b' } # said"), true],
  [rule('{ a: [x, y] }'), rule('{ a: [Y, x, X] }'), true],
  [rule("{ a: '*x*' }"), rule('{ a|contains: x }'), true],
  [rule("{ a|re: '(?i)x' }"), rule('{ a|re|i: x }'), true],
  [rule("{ a|re: '.*x' }"), rule('{ a|re: x }'), false],
  [rule('{ a: x }', 'selection and (other)'), rule('{ a: x }', 'other and not not selection'), true],
  [rule("{ a|cased: '12' }"), rule("{ a: '12' }"), true],
  [rule('{ a|cased: x }'), rule('{ a: x }'), false],
  [rule('{ a|re: x }'), rule('{ a|re|i: x }'), false],
  [rule('{ a: b }'), rule('{ A: b }'), false],
  [rule('{ a: b }'), rule("{ a: 'b*' }"), false],
  [rule('{ a: 5 }'), rule("{ a: '5' }"), false],
  [rule('{ a: b }', 'selection or other'), rule('{ a: b }', 'selection and other'), false],
  [rule('{ a: b }'), rule('{ a: b }').replace('windows', 'linux'), false],
  [rule('{ a: b }'), `${rule('{ a: b }')}---\n${rule('{ a: c }')}`, false],
  [rule('{ a: b }'), 'a: [', false],
  [rule('{ a: x }', 'nowhere'), rule('{ a: y }', 'nowhere'), false],
])('%j and %j: %s', ([first, second, isSame]) => {
  expect(areEquivalentRules(first, second, {})).toBe(isSame)
})
