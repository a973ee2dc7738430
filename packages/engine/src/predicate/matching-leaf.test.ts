import { expect, test } from 'vitest'
import { compileRules } from '../compile-rules.ts'
import type { EventObject } from '../event/event.ts'
import { explain } from '../match.ts'

/** The comparison of a keyword in an explanation: its field, value and result. */
function explainKeyword(item: string, event: EventObject): unknown[] {
  const text = `title: T\nlogsource: { product: p }\ndetection: { keywords: ${item}, condition: keywords }\n`
  const [rule] = compileRules(text).ruleSet.rules
  const { tree } = explain(rule!, { _logsource: { product: 'p' }, ...event })
  const [part] = 'children' in tree ? tree.children : [tree]
  if (part === undefined || !('op' in part)) throw new Error('the rule has no single comparison')
  return [part.field, part.actual, part.result]
}

test.for<[title: string, item: string, event: EventObject, want: unknown[]]>([
  ['a text on the top level', '[word]', { a: 'x', b: 'a Word here' }, ['b', 'a Word here', true]],
  ['a number', '[4688]', { id: 4688 }, ['id', '4688', true]],
  ['a member of an object', '[word]', { a: { b: 'x', c: { d: 'word' } } }, ['a.c.d', 'word', true]],
  ['an element of a list', '[word]', { a: ['x', { b: 'word' }] }, ['a[1].b', 'word', true]],
  ['the first of several', '[word]', { a: 'word 1', b: 'word 2' }, ['a', 'word 1', true]],
  ['a regular expression', "{ '|re': '^w.rd$' }", { a: 'a word', b: ['word'] }, ['b[0]', 'word', true]],
  ['none', '[word]', { a: 'x' }, [null, null, false]],
  ['none in an annotation of a shipper', '[word]', { _id: 'word' }, [null, null, false]],
])('an explained keyword names %s', ([, item, event, want]) => {
  expect(explainKeyword(item, event)).toEqual(want)
})

test.for<[title: string, detection: string, event: EventObject, want: readonly string[]]>([
  ['a keyword', 'keywords: [word]', { a: { b: ['x', 'a word'] } }, ['keywords: *word* in a.b[1]']],
  ['several of them', "keywords: ['one', 'two']", { a: 'two', b: 'one' }, ['keywords: *one* in b', 'keywords: *two* in a']],
  ['a keyword with a modifier', "keywords: { '|re': '^w.rd$' }", { a: 'word' }, ['keywords: |re=^w.rd$ in a']],
  ['a field, as before', 'keywords: { a: x }', { a: 'x' }, ['keywords: a=x']],
])('a matched condition of %s says where', ([, detection, event, want]) => {
  const text = `title: T\nlogsource: { product: p }\ndetection: { ${detection}, condition: keywords }\n`
  const [rule] = compileRules(text).ruleSet.rules
  expect(explain(rule!, { _logsource: { product: 'p' }, ...event }).matchedConditions).toEqual(want)
})
