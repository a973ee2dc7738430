import { expect, test } from 'vitest'
import { Engine, compileRules } from '../src/index.ts'
import { detectionMatches } from './detection-matches.ts'

/*
 * `JSON.parse` of V8 can confuse an escaped key with a key of an earlier event
 * (docs/decisions/0013-json-key-decoding.md); rules that read the field must match nevertheless. Each row fails with
 * V8 14.6 when events are parsed by `JSON.parse` alone, and has its own keys, so that rows do not affect each other.
 */
test.for<[what: string, selection: string, before: string, event: string]>([
  ['a field', '{ Image: who }', String.raw`{"_logsource":{},"a1":1,"\\u004":1}`,
    String.raw`{"_logsource":{"product":"linux"},"a1":1,"\u0049mage":"who"}`],
  ['a field in an object', '{ deep.name: who }', String.raw`{"deep":{"a2":1,"n\\u0":1}}`,
    String.raw`{"_logsource":{"product":"linux"},"deep":{"a2":1,"n\u0061me":"who"}}`],
  ['the text of an object', '{ deep|contains: name }', String.raw`{"deep":{"a3":1,"na\\u":1}}`,
    String.raw`{"_logsource":{"product":"linux"},"deep":{"a3":1,"na\u006de":"who"}}`],
  ['a keyword beside the key that was met', '[ who ]', String.raw`{"a4":{"a5":1,"\\u0":1,"a6":1}}`,
    String.raw`{"_logsource":{"product":"linux"},"a4":{"a5":1,"\u0061bc":"who","\\u0":1}}`],
  ['the product', '{ Image: who }', String.raw`{"a7":{"a8":1,"\\u0070r":1}}`,
    String.raw`{"_logsource":{"a8":1,"\u0070roduct":"linux"},"Image":"who"}`],
])('%s, with an escaped key', ([, selection, before, event]) => {
  expect(rowsOf('{ product: linux }', selection, [before, event])).toEqual([1])
})

const flat = '{"Channel":"Microsoft-Windows-Sysmon/Operational","EventID":1,'

test.for<[what: string, selection: string, before: string, event: string]>([
  ['the text of an object', '{ deep|contains: name }', String.raw`"deep":{"b1":1,"na\\u":1}}`,
    String.raw`"deep":{"b1":1,"na\u006de":"who"}}`],
  ['a keyword beside the key that was met', '[ who ]', String.raw`"b2":"who","\\u0":1,"b3":1}`,
    String.raw`"b2":1,"\u0061bc":"who","\\u0":1}`],
])('%s of a flat event, with an escaped key', ([, selection, before, event]) => {
  expect(rowsOf('{ category: process_creation }', selection, [flat + before, flat + event])).toContain(1)
})

/** The rows of events that match a rule. */
function rowsOf(logsource: string, selection: string, events: readonly string[]): number[] {
  const text = `title: Who\nlogsource: ${logsource}\ndetection: { selection: ${selection}, condition: selection }`
  const engine = new Engine(compileRules([{ text }]).ruleSet)
  const { matches } = engine.pushBytes(new TextEncoder().encode(events.join('\n')))
  return detectionMatches(matches).map(({ row }) => row)
}
