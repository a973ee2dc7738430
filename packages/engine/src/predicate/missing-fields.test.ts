import { expect, test } from 'vitest'
import { compileRules } from '../compile-rules.ts'
import { missingFields } from './missing-fields.ts'

/** What is missing of the fields of a detection where events have only `a` and `b`. */
function missingOf(detection: string): readonly string[] {
  const text = `title: x\nlogsource: { product: p }\nsigma-version: 3\ndetection: { ${detection} }\n`
  const { ruleSet, reports } = compileRules([{ text }])
  expect(reports[0]?.verdict).toBe('compiled')
  return missingFields(ruleSet.rules[0]!.predicate, new Set(['a', 'b']))
}

test.for<[detection: string, missing: readonly string[]]>([
  ['s: { a: 1, b: 2 }, condition: s', []],
  ['s: { a: 1, c: 2 }, condition: s', ['c']],
  ['s: { c: [1, 2], d|contains: x }, condition: s', ['c', 'd']],
  ['s: { a: 1 }, t: { c: 1 }, condition: s or t', []],
  ['s: { d: 1 }, t: { c: 1 }, condition: 1 of them', ['d', 'c']],
  ['s: { a: 1 }, t: { c: 1 }, condition: s and t', ['c']],
  ['s: { a: 1 }, t: { c: 1 }, condition: s and not t', []],
  ['s: [{ a: 1, c: 2 }, { b: 1, c: 2 }], condition: s', ['c']],
  ['s: [{ a: 1, c: 2 }, { b: 1 }], condition: s', []],
  ['s: { c: null }, condition: s', []],
  ['s: { c|exists: true }, condition: s', ['c']],
  ['s: { c|exists: false }, condition: s', []],
  ["s: { c: '' }, condition: s", ['c']],
  ["s: { c|re: x, d|cidr: 10.0.0.0/8, e|gt: 5 }, condition: s", ['c', 'd', 'e']],
  ['s: { c|neq: 1 }, condition: s', []],
  ['s: { c|fieldref: d }, condition: s', []],
  ["s: { 'c[any]': 1 }, condition: s", []],
  ['s: [word], condition: s', []],
])('%s', ([detection, missing]) => {
  expect(missingOf(detection)).toEqual(missing)
})
