import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { parseEvent } from './parse-event.ts'

/** An object that holds lists inside each other, `depth` levels in all. */
function nested(depth: number): string {
  return `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
}

/** An object with a list of `count` numbers. */
function listing(count: number): string {
  return `{"a":[${Array.from({ length: count }, () => 0).join()}]}`
}

const { eventListElementsMax, eventLeavesMax } = limits
const brackets = '[{'.repeat(limits.eventDepthMax)

test.for<[title: string, text: string]>([
  ['an object', '{"a":1,"b":{"c":[true,null]}}'],
  ['nesting at the limit', nested(limits.eventDepthMax)],
  ['hundreds of adjacent lists', `{"a":[${Array.from({ length: 500 }, () => '[]').join()}]}`],
  ['brackets in a string', `{"a":"${brackets}"}`],
  ['brackets after an escaped quote', `{"a":"\\"${brackets}","b":"\\\\"}`],
  ['a list at the limit', listing(eventListElementsMax)],
  ['field names of Object.prototype', '{"__proto__":{"a":1},"constructor":2}'],
])('accepts %s', ([, text]) => {
  expect(parseEvent(text)).toEqual({ event: JSON.parse(text) })
})

test.for<[title: string, text: string, reason: string]>([
  ['a list', '[{"a":1}]', 'a list, not an object'],
  ['null', 'null', 'null, not an object'],
  ['a number', '17', 'a number, not an object'],
  ['a string', '"text"', 'a string, not an object'],
  ['an unterminated object', '{"a":1', 'not JSON: '],
  ['two objects', '{"a":1} {"b":2}', 'not JSON: '],
  ['a control character', '{"a":\u0007}', 'not JSON: '],
  ['nesting above the limit', nested(limits.eventDepthMax + 1), 'nested deeper than 200 levels'],
  ['a list above the limit', listing(eventListElementsMax + 1), 'a list of the event has more than 10000 elements'],
  ['too many values', `{"b":[${Array.from({ length: 11 }, () => listing(eventLeavesMax / 10)).join()}]}`, 'the event has more than 100000 values'],
  ['a hundred thousand brackets', '['.repeat(100_000), 'nested deeper than 200 levels'],
])('rejects %s', ([, text, reason]) => {
  const parsed = parseEvent(text)
  const actual = 'reason' in parsed ? parsed.reason : ''
  expect(actual).toContain(reason)
})
