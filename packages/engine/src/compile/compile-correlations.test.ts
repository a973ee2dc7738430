import { describe, expect, test } from 'vitest'
import { compileRules } from '../compile-rules.ts'

const id = (number: number): string => `5ee10a6e-0000-4000-8000-${String(number).padStart(12, '0')}`

/** Detection rules `a`, `b` and `broken`, which does not run; `a` has the first id. */
const detections = ['a', 'b', 'broken'].map((name, number) => {
  const selection = name === 'broken' ? { 'kind|nonsense': name } : { kind: name }
  return { title: name, name, id: id(number), logsource: { category: 'test' }, detection: { selection, condition: 'selection' } }
})

type Draft = { readonly name: string; readonly rules: readonly string[]; readonly [key: string]: unknown }

function compile(drafts: readonly Draft[]) {
  const correlations = drafts.map(({ name, rules, ...more }) => {
    return { title: name, name, correlation: { type: 'event_count', rules, timespan: '10s', condition: { gte: 1 }, ...more } }
  })
  const texts = [...correlations, ...detections].map((rule) => ({ text: JSON.stringify(rule), path: rule.name }))
  const { ruleSet, reports } = compileRules(texts)
  return { correlations: ruleSet.correlations, reports: reports.filter(({ kind }) => kind === 'correlation') }
}

describe('references of correlations', () => {
  test.for<[title: string, drafts: readonly Draft[], running: readonly string[], codes: readonly string[]]>([
    ['by name', [{ name: 'c', rules: ['a'] }], ['c'], []],
    ['by id', [{ name: 'c', rules: [id(0)] }], ['c'], []],
    ['by id in upper case', [{ name: 'c', rules: [id(0).toUpperCase()] }], ['c'], []],
    ['to no rule', [{ name: 'c', rules: ['a', 'nowhere'] }], [], ['UNKNOWN_RULE']],
    ['to two unknown rules', [{ name: 'c', rules: ['here', 'there'] }], [], ['UNKNOWN_RULE', 'UNKNOWN_RULE']],
    ['to a rule that does not run', [{ name: 'c', rules: ['broken'] }], [], ['UNKNOWN_RULE']],
    ['to a correlation', [{ name: 'c', rules: ['d'] }, { name: 'd', rules: ['a'] }], ['c', 'd'], []],
    ['to a correlation that does not run', [{ name: 'c', rules: ['d'] }, { name: 'd', rules: ['nowhere'] }, { name: 'e', rules: ['b'] }], ['e'], ['UNKNOWN_RULE', 'UNKNOWN_RULE']],
    ['to itself', [{ name: 'c', rules: ['a', 'c'] }], [], ['CORRELATION_CYCLE']],
    ['in a cycle', [{ name: 'c', rules: ['d'] }, { name: 'd', rules: ['e', 'a'] }, { name: 'e', rules: ['c'] }], [], ['CORRELATION_CYCLE', 'CORRELATION_CYCLE', 'CORRELATION_CYCLE']],
    ['into a cycle', [{ name: 'c', rules: ['d'] }, { name: 'd', rules: ['d'] }, { name: 'e', rules: ['a'] }], ['e'], ['CORRELATION_CYCLE', 'CORRELATION_CYCLE']],
    ['twice to one rule, which is not a cycle', [{ name: 'c', rules: ['d', 'e'] }, { name: 'd', rules: ['e'] }, { name: 'e', rules: ['a'] }], ['c', 'd', 'e'], []],
  ])('%s', ([, drafts, running, codes]) => {
    const { correlations, reports } = compile(drafts)
    expect(correlations.map(({ title }) => title)).toEqual(running)
    expect(reports.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code))).toEqual(codes)
    expect(reports.filter(({ verdict }) => verdict === 'compiled').map(({ title }) => title)).toEqual(running)
  })
})

test('aliases resolve to the fields of each rule', () => {
  const { correlations } = compile([{
    name: 'c', rules: ['a', id(1)], type: 'value_count', 'group-by': ['who', 'host'], condition: { gte: 1, field: ['what', 'x'] },
    aliases: { who: { a: 'user', [id(1)]: 'account' }, what: { a: 'image' } },
  }])
  expect(correlations[0]?.members).toEqual([
    { ruleId: id(0), name: 'a', groupFields: ['user', 'host'], valueFields: ['image', 'x'] },
    { ruleId: id(1), name: id(1), groupFields: ['account', 'host'], valueFields: ['what', 'x'] },
  ])
})

const plain: Draft = { name: 'c', rules: ['a', 'b'], 'group-by': ['user'] }

test.for<[title: string, other: Draft, isSame: boolean]>([
  ['another name', { ...plain, name: 'd' }, true],
  ['generate', { ...plain, generate: true }, true],
  ['the same rule by id', { ...plain, rules: [id(0), 'b'] }, true],
  ['another threshold', { ...plain, condition: { gte: 2 } }, false],
  ['another timespan', { ...plain, timespan: '11s' }, false],
  ['the same timespan in other words', { ...plain, timespan: '10 s' }, true],
  ['another order of rules', { ...plain, rules: ['b', 'a'] }, false],
  ['another field', { ...plain, 'group-by': ['host'] }, false],
  ['another field by alias', { ...plain, aliases: { user: { a: 'account' } } }, false],
  ['another mode', { ...plain, firing: 'every' }, false],
])('a correlation with %s has the same definition: %s', ([, other, isSame]) => {
  const definitionOf = (draft: Draft): string | undefined => compile([draft]).correlations[0]?.definition
  expect(definitionOf(plain)).toBeDefined()
  expect(definitionOf(other) === definitionOf(plain)).toBe(isSame)
})
