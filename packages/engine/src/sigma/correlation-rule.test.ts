import { expect, test } from 'vitest'
import { correlationProblems } from '../../test/correlation-problems.ts'
import { limits } from '../limits.ts'

test.for<[title: string, keys: { readonly [key: string]: string | null }, problems: readonly string[]]>([
  ['all that is needed', {}, []],
  ['one rule, not in a list', { rules: 'a' }, []],
  ['one field, not in a list', { 'group-by': 'user' }, []],
  ['no group-by', { 'group-by': null }, []],
  ['group-by without a value', { 'group-by': 'null' }, []],
  ['all keys', { aliases: '{ who: { a: user } }', generate: 'true', firing: 'every' }, []],
  ['no type', { type: null }, ["MISSING_ATTRIBUTE 4:3 the correlation has no 'type'"]],
  ['no rules', { rules: null }, ["MISSING_ATTRIBUTE 4:3 the correlation has no 'rules'"]],
  ['an empty list of rules', { rules: '[]' }, ["INVALID_ATTRIBUTE 5:10 'correlation.rules' is empty; name at least one rule"]],
  ['a rule twice', { rules: '[a, b, a]' }, ["INVALID_ATTRIBUTE 5:17 'correlation.rules' names 'a' twice"]],
  ['a map for a rule', { rules: '[a, { x: 1 }]' }, ["INVALID_ATTRIBUTE 5:14 'correlation.rules' must be a list of ids or names"]],
  ['a rule without a name', { rules: "[a, '']" }, ["INVALID_ATTRIBUTE 5:14 'correlation.rules' must be a list of ids or names"]],
  ['a map for group-by', { 'group-by': '{ x: 1 }' }, ["INVALID_ATTRIBUTE 6:13 'correlation.group-by' must be a list of fields"]],
  ['a field twice', { 'group-by': '[user, user]' }, ["DUPLICATE_VALUE 6:20 'group-by' lists 'user' twice"]],
  ['no timespan', { timespan: null }, ["MISSING_ATTRIBUTE 4:3 the correlation has no 'timespan'"]],
  ['a list of aliases', { aliases: '[x]' }, ["INVALID_ATTRIBUTE 9:12 'correlation.aliases' must be a map"]],
  ['an alias that is a field', { aliases: '{ who: user }' }, ['INVALID_ATTRIBUTE 9:19 an alias must be a map from rules to fields']],
  ['an alias of a list', { aliases: '{ who: { a: [x] } }' }, ["INVALID_ATTRIBUTE 9:24 the field of the alias for 'a' must be text"]],
  ['an alias for an unreferenced rule', { aliases: '{ who: { d: user } }' },
    ["UNKNOWN_RULE 9:21 the alias names 'd', but 'correlation.rules' does not"]],
  ['generate that is a number', { generate: '1' }, ["INVALID_ATTRIBUTE 9:13 'generate' must be true or false"]],
  ['an unknown firing mode', { firing: 'always' },
    ["INVALID_ATTRIBUTE 9:11 'correlation.firing' must be one of on_true, every, once_per_window, reset"]],
  ['an unknown word about incidents', { 'x-tripline-incident': 'always' },
    ["INVALID_ATTRIBUTE 9:24 'correlation.x-tripline-incident' must be one of none, open"]],
  ['an unknown key', { window: '1' }, ["UNKNOWN_ATTRIBUTE 9:3 the unknown key 'correlation.window' has no effect"]],
])('%s', ([, keys, problems]) => {
  expect(correlationProblems(keys)).toEqual(problems)
})

test.for(['90', '1.5h', '1H', '1ms', '-1h', '0s', '[1s]'])('reports the invalid timespan %s with its position', (timespan) => {
  const message = "'correlation.timespan' must be a whole number above 0 with a unit, such as 30s, 5m, 1h or 7d"
  expect(correlationProblems({ timespan })).toEqual([`INVALID_ATTRIBUTE 7:13 ${message}`])
})

test('reports an unknown type with its position', () => {
  expect(correlationProblems({ type: 'event_counts' })).toEqual([expect.stringContaining("INVALID_ATTRIBUTE 4:9 'correlation.type' must be one of")])
})

const many = (count: number, print: (number: number) => string): string => Array.from({ length: count }, (_, number) => print(number)).join(', ')

test.for<[title: string, keys: { readonly [key: string]: string }, problem: string]>([
  ['rules', { rules: `[${many(limits.correlationRulesMax + 1, (number) => `r${number}`)}]` },
    `LIMIT_EXCEEDED 5:10 the correlation names ${limits.correlationRulesMax + 1} rules; the limit is ${limits.correlationRulesMax}`],
  ['fields to group by', { 'group-by': `[${many(limits.groupFieldsMax + 1, (number) => `f${number}`)}]` },
    `LIMIT_EXCEEDED 6:13 the correlation groups by ${limits.groupFieldsMax + 1} fields; the limit is ${limits.groupFieldsMax}`],
  ['aliases', { aliases: `{ ${many(limits.groupFieldsMax + 1, (number) => `f${number}: { a: x }`)} }` },
    `LIMIT_EXCEEDED 9:12 the correlation has ${limits.groupFieldsMax + 1} aliases; the limit is ${limits.groupFieldsMax}`],
])('rejects too many %s', ([, keys, problem]) => {
  expect(correlationProblems(keys)).toEqual([problem])
})

test('accepts the maximum number of fields and aliases', () => {
  expect(correlationProblems({
    'group-by': `[${many(limits.groupFieldsMax, (number) => `f${number}`)}]`,
    aliases: `{ ${many(limits.groupFieldsMax, (number) => `f${number}: { a: x }`)} }`,
  })).toEqual([])
})
