import { expect, test } from 'vitest'
import { compileRules } from '../compile-rules.ts'
import type { EventObject } from '../event/event.ts'
import { normalizeEvent } from '../taxonomy/normalize.ts'
import { explainPredicate } from './explain.ts'

function explain(item: string, event: EventObject): unknown {
  return explainSelection(`{ ${item} }`, event)
}

function explainSelection(selection: string, event: EventObject): unknown {
  const { ruleSet } = compileRules(`title: t\nlogsource: { category: x }\ndetection:\n  s: ${selection}\n  condition: s\n`)
  return explainPredicate(ruleSet.rules[0]!.predicate, normalizeEvent(event, 'none'))
}

test.for<[item: string, event: EventObject, reason: string]>([
  ['n|gt: 5', { n: 'x' }, 'value_not_a_number'],
  ['n|gt: 5', { n: '4' }, 'value_mismatch'],
  ['n: 5', { n: 'x' }, 'value_not_a_number'],
  ['n: a', { n: 'x' }, 'value_mismatch'],
  ['n: a', {}, 'field_absent'],
  ['n: a', { n: null }, 'value_null'],
  ['n|exists: true', {}, 'field_absent'],
  ['n|exists: false', { n: 1 }, 'field_present'],
  ['n|fieldref: m', { n: 1 }, 'reference_absent'],
  ['n|fieldref: m', { n: 1, m: 2 }, 'value_mismatch'],
])('%s of %j: %s', ([item, event, reason]) => {
  expect(JSON.stringify(explain(item, event))).toContain(`"${reason}"`)
})

test.for<[title: string, selection: string, event: EventObject, field: string | null, actual: unknown]>([
  ['a keyword that matched names the value', '[foo]', { a: 'bar', b: { c: 'a foo' } }, 'b.c', 'a foo'],
  ['a keyword that did not match names none', '[foo]', { a: 'bar' }, null, null],
  ['a field shows its whole value', '{ n|contains: foo }', { m: 'foo', n: ['x', 'a foo'] }, 'n', ['x', 'a foo']],
])('%s', ([, selection, event, field, actual]) => {
  expect(explainSelection(selection, event)).toMatchObject({ children: [{ field, actual }] })
})
