import { expect, test } from 'vitest'
import { compileRules } from '../compile-rules.ts'
import type { Predicate, Test } from '../predicate/predicate.ts'

/** The tests of two rules with one selection each, in order. */
function testsOf(...selections: readonly [string, string]): readonly Test[][] {
  const sources = selections.map((selection, i) => ({
    text: `title: T${i}\nsigma-version: 3\nlogsource: {product: p}\ndetection: {s: {${selection}}, condition: s}`,
  }))
  return compileRules(sources).ruleSet.rules.map(({ predicate }) => testsIn(predicate))
}

function testsIn(predicate: Predicate): Test[] {
  if (predicate.kind === 'test') return [predicate]
  if (predicate.kind === 'constant') return []
  return predicate.kind === 'and' || predicate.kind === 'or' ? predicate.of.flatMap(testsIn) : testsIn(predicate.of)
}

test.for<[first: string, second: string, isShared: boolean]>([
  ['a|contains: x', 'a|contains: x', true],
  ['a|contains: x', 'a|contains: [x, y]', true],
  ['a|re: x+', 'a|re: x+', true],
  ['a|cidr: 10.0.0.0/8', 'a|cidr: 10.0.0.0/8', true],
  ['a|neq: x', 'a|neq: x', true],
  ['a|contains: x', 'a|contains: X', false],
  ['a|contains: x', 'a|startswith: x', false],
  ['a|contains: x', 'a|contains|all: x', false],
  ['a: x', 'b: x', false],
  ['a: "1"', 'a: 1', false],
  ['a: "null"', 'a: null', false],
  ['a: 1', 'a: 1.0', false],
  ['"a[any].b": x', '"a[any].b": x', true],
  ['"a[any].b": x', 'b: x', false],
  ['"a[any].b": x', '"a[all].b": x', false],
])('%s and %s: shared %s', ([first, second, isShared]) => {
  const [[one] = [], [other] = []] = testsOf(first, second)
  expect(one).toBeDefined()
  expect(one === other).toBe(isShared)
})

test('all tests of one value are shared together', () => {
  const [[...one] = [], [...other] = []] = testsOf('a|base64offset|contains: xyz', 'a|base64offset|contains: xyz')
  expect(one).toHaveLength(3)
  expect(one.map((made, i) => made === other[i])).toEqual([true, true, true])
})

test('compilations share no tests', () => {
  const source = { text: 'title: T\nlogsource: {product: p}\ndetection: {s: {a: x}, condition: s}' }
  const [one, other] = [source, source].map((same) => testsIn(compileRules([same]).ruleSet.rules[0]!.predicate)[0])
  expect(one).toEqual(other)
  expect(one).not.toBe(other)
})
