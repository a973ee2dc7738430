import { expect, test } from 'vitest'
import { addMatches } from './add-matches.ts'

const match = (event: string, rule: string) => ({ event_id: event, rule_id: rule, rule_title: `Rule ${rule}` })

test.for<[title: string, matches: readonly (readonly [event: string, rule: string])[], known: readonly (readonly [string, string[]])[]]>([
  ['none', [], [['a', ['Rule 1']]]],
  ['one of an event that has one', [['a', '2']], [['a', ['Rule 1', 'Rule 2']]]],
  ['one that is known', [['a', '1']], [['a', ['Rule 1']]]],
  ['those of two events', [['b', '1'], ['b', '2'], ['a', '3']], [['a', ['Rule 1', 'Rule 3']], ['b', ['Rule 1', 'Rule 2']]]],
  ['more events than are kept', [['b', '1'], ['c', '1']], [['b', ['Rule 1']], ['c', ['Rule 1']]]],
])('%s', ([, matches, known]) => {
  const before = new Map([['a', ['Rule 1']]])
  expect([...addMatches(before, matches.map(([event, rule]) => match(event, rule)), 2)]).toEqual(known)
  expect([...before]).toEqual([['a', ['Rule 1']]])
})
