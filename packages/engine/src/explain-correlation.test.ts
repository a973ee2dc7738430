import { expect, test } from 'vitest'
import { compileRules, explainCorrelation } from './index.ts'

const rules = `
title: Failed
name: failed
logsource: { product: x }
detection: { s: { action: fail }, condition: s }
---
title: Login
name: login
logsource: { product: x }
detection: { s: { action: ok }, condition: s }
---
title: Many
name: many
correlation: { type: event_count, rules: [failed], group-by: [user], timespan: 10m, condition: { gte: 3 } }
---
title: Chain
name: chain
correlation: { type: temporal_ordered, rules: [many, login], group-by: [user], timespan: 10m }
---
title: Unanswered
name: unanswered
correlation: { type: temporal, rules: [failed, login], timespan: 1m, condition: failed and not login }
`
const { ruleSet } = compileRules([{ text: rules }])
const startedAt = Date.UTC(2026, 10, 21)

/** Explains a rule on events written `second user action`, in words. */
function explained(name: string, events: readonly string[]): string[] {
  const id = ruleSet.correlations.find(({ rule }) => rule.name === name)!.id
  const objects = events.map((text) => {
    const [second, user, action] = text.split(' ')
    const time = new Date(startedAt + Number(second) * 1_000).toISOString()
    return { _logsource: { product: 'x' }, '@timestamp': time, ...(user !== '-' && { user }), action }
  })
  const { matched, matches, stages } = explainCorrelation(ruleSet, id, objects)
  expect(matched).toBe(matches.length > 0)
  return [
    ...matches.map(({ decidedAt, events: of }) => `match at ${(decidedAt - startedAt) / 1_000} of ${of.map(({ sequence }) => sequence).join(' ')}`),
    ...stages.flatMap(({ rule, groups, unused }) => [
      ...groups.map(({ group, asked, at, unseen }) => {
        return `${rule.title} ${[...group.values()].join(',')}: ${asked} at ${(at - startedAt) / 1_000}, without ${unseen.join(',') || 'none'}`
      }),
      ...unused.map(({ row, missing, field }) => `${rule.title}: row ${row} lacks its ${missing}, ${field}`),
    ]),
  ]
}

test.for<[what: string, name: string, events: string[], words: string[]]>([
  ['the missing events of a count', 'many', ['0 al fail', '1 al fail', '2 eve fail'],
    ['Many al: 2>=3 at 1, without none', 'Many eve: 1>=3 at 2, without none']],
  ['the closest state of a group', 'many', ['0 al fail', '1 al fail', '700 al fail'], ['Many al: 2>=3 at 1, without none']],
  ['events without a group-by field', 'many', ['0 - fail'], ['Many: row 0 lacks its group, user']],
  ['events in event-time order', 'many', ['2 al fail', '0 al fail', '1 al fail'], ['match at 2 of 1 2 0', 'Many al: 3>=3 at 2, without none']],
  ['a chain of correlations in dependency order', 'chain', ['0 al fail', '1 al fail', '2 al fail', '3 al ok'],
    ['match at 3 of 2 3', 'Many al: 3>=3 at 2, without none', 'Chain al: 2>=2 at 3, without none']],
  ['the missing rule of a chain', 'chain', ['0 al fail', '3 al ok'],
    ['Many al: 1>=3 at 0, without none', 'Chain al: 1>=2 at 3, without many']],
  ['a match that must not occur', 'unanswered', ['0 al fail', '3 al ok'], ['Unanswered : failed and not login at 3, without none']],
  ['a window that ends without events', 'unanswered', ['0 al fail'], ['match at 60 of 0', 'Unanswered : failed and not login at 0, without login']],
])('explains %s', ([, name, events, words]) => {
  expect(explained(name, events)).toEqual(words)
})

test('throws for an id that is not a correlation of the set', () => {
  expect(() => explainCorrelation(ruleSet, ruleSet.rules[0]!.id, [])).toThrow(RangeError)
})
