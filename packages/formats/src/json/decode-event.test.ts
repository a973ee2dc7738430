import { limits as engineLimits } from '@tripline/engine'
import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { decodeEvent } from './decode-event.ts'
import { splitBody } from './split-body.ts'

const { eventBytesMax, eventDepthMax, eventFieldsMax } = limits.ingest
const { eventListElementsMax } = engineLimits

/** Decodes the one event of a body: the event itself, or the code of its refusal. */
function decode(body: Buffer | string): unknown {
  const bytes = Buffer.from(body)
  const [piece] = splitBody(bytes)
  const decoded = piece === undefined ? undefined : decodeEvent(bytes, piece)
  return decoded !== undefined && 'event' in decoded ? decoded.event : decoded?.refusal.code
}

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
const list = (count: number): string => `{"a":[{"b":[${Array(count).fill(0).join(',')}]}]}`
const fields = (count: number): string => `{${Array.from({ length: count }, (_, i) => `"f${i}":0`).join(',')}}`

test.for<[title: string, body: Buffer | string, outcome: unknown]>([
  ['an object', '{"a":{"b":[1]}}', { a: { b: [1] } }],
  ['a lone surrogate and NUL', '{"a\\u0000":"\\ud800"}', { 'a\u0000': '\ud800' }],
  ['a number beyond all', '{"a":1e999}', { a: Number.POSITIVE_INFINITY }],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]), { a: '\uFFFD' }],
  ['a number', '1', 'NOT_AN_OBJECT'],
  ['null', 'null', 'NOT_AN_OBJECT'],
  ['a string', '"a"', 'NOT_AN_OBJECT'],
  ['no JSON', '{a:1}', 'INVALID_JSON'],
  ['an object that is open', '{"a":1', 'INVALID_JSON'],
  ['two values', '{"a":1} 2', 'INVALID_JSON'],
  ['mismatched brackets', '{"a":[1}}', 'INVALID_JSON'],
  ['one level too deep', nested(eventDepthMax + 1), 'TOO_DEEP'],
  ['a million levels', nested(100_000), 'TOO_DEEP'],
  ['one field too many', fields(eventFieldsMax + 1), 'TOO_MANY_FIELDS'],
  ['one element too many', list(eventListElementsMax + 1), 'LIST_TOO_LONG'],
  ['more values than are looked at', `{"a":[${list(9_000).concat(',').repeat(12)}0]}`, 'TOO_MANY_VALUES'],
  ['one byte too long', `{"a":"${'x'.repeat(eventBytesMax - 7)}"}`, 'TOO_LONG'],
])('%s', ([, body, outcome]) => {
  expect(decode(body)).toEqual(outcome)
})

test.for<[title: string, body: string]>([
  ['depth', nested(eventDepthMax)],
  ['number of fields', fields(eventFieldsMax)],
  ['list', list(eventListElementsMax)],
  ['length', `{"a":"${'x'.repeat(eventBytesMax - 8)}"}`],
])('the greatest %s', ([, body]) => {
  expect(decode(body)).toEqual(JSON.parse(body))
})

test('a field named __proto__ is a field', () => {
  const event = decode('{"__proto__":{"isAdmin":true}}')
  expect(Object.getOwnPropertyNames(event)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(event)).toBe(Object.prototype)
})
