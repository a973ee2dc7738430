import { describe, expect, test } from 'vitest'
import { compileRules } from '../compile-rules.ts'
import { planCorrelations } from './plan.ts'

/** A correlation as text: its type with what follows, the rules that it names, and whether it says `generate`. */
type Draft = [name: string, rules: readonly string[], more?: { readonly generate?: boolean; readonly condition?: object }]

function planOf(drafts: readonly Draft[], without: readonly string[] = []) {
  const detections = ['a', 'b', 'c'].map((name) => {
    return { title: name, name, logsource: { category: 'test' }, detection: { selection: { kind: name }, condition: 'selection' } }
  })
  const correlations = drafts.map(([name, rules, { generate = false, condition = { gte: 1 } } = {}]) => {
    return { title: name, name, generate, correlation: { type: 'event_count', rules, timespan: '10s', condition } }
  })
  const { ruleSet, reports } = compileRules([...detections, ...correlations].map((rule) => ({ text: JSON.stringify(rule) })))
  expect(reports.flatMap(({ diagnostics }) => diagnostics)).toEqual([])
  const dropped = ruleSet.rules.filter(({ name = '' }) => without.includes(name)).map(({ id }) => id)
  const { rules, correlations: compiled } = ruleSet.applyChange({ drop: dropped })
  const numberOf = (id: string): number | undefined => {
    const number = rules.findIndex((rule) => rule.id === id)
    return number === -1 ? undefined : number
  }
  return planCorrelations({ correlations: compiled, rules, numberOf })
}

describe('the plan of correlations', () => {
  test('puts each after those that it names', () => {
    const { correlations } = planOf([['third', ['second', 'a']], ['second', ['first']], ['first', ['a']]])
    expect(correlations.map(({ rule }) => rule.title)).toEqual(['first', 'second', 'third'])
  })

  test('says what the matches of each rule feed', () => {
    const { correlations, feedsOf } = planOf([['one', ['a', 'b']], ['two', ['b', 'one']]])
    expect(feedsOf[0]).toEqual([{ correlation: 0, member: 0 }])
    expect(feedsOf[1]).toEqual([{ correlation: 0, member: 1 }, { correlation: 1, member: 0 }])
    expect(feedsOf[2]).toBeUndefined()
    expect(correlations[0]?.feeds).toEqual([{ correlation: 1, member: 1 }])
  })

  test.for<[title: string, drafts: readonly Draft[], silent: readonly string[]]>([
    ['a rule that is named is silent', [['one', ['a']]], ['a']],
    ['generate lets it speak', [['one', ['a'], { generate: true }]], []],
    ['one that says generate is enough', [['one', ['a']], ['two', ['a'], { generate: true }]], []],
    ['a correlation that is named is silent as well', [['one', ['a']], ['two', ['one']]], ['a', 'one']],
    ['generate is about the rules that it names itself', [['one', ['a']], ['two', ['one'], { generate: true }]], ['a']],
  ])('%s', ([, drafts, silent]) => {
    const { correlations, isSilent } = planOf(drafts)
    const names = [...['a', 'b', 'c'].filter((_, number) => isSilent[number] === 1),
      ...correlations.filter((planned) => planned.isSilent).map(({ rule }) => rule.title)]
    expect(names).toEqual(silent)
  })

  test('lets correlations wait as long as windows of those below may stay open', () => {
    const closing = { condition: { lt: 5 } }
    const { correlations } = planOf([['one', ['a'], closing], ['two', ['one', 'b'], closing], ['three', ['two']], ['four', ['a']], ['five', ['four']]])
    expect(correlations.map(({ rule, delayMs }) => [rule.title, delayMs])).toEqual([['one', 0], ['two', 10_000], ['three', 20_000], ['four', 0], ['five', 0]])
  })

  test('leaves out what lacks a rule, and what names that', () => {
    const { correlations, idle } = planOf([['one', ['a', 'b']], ['two', ['one']], ['three', ['b']]], ['a'])
    expect(correlations.map(({ rule }) => rule.title)).toEqual(['three'])
    expect(idle.map(({ rule, missing }) => [rule.title, missing.length])).toEqual([['one', 1], ['two', 1]])
  })
})
