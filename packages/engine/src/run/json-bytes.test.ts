import { expect, test } from 'vitest'
import { areEqualStrings, parseJsonBytes, readFieldValue, readKey, readObject } from './json-bytes.ts'

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text))
}

test.for<[written: string, key: string]>([
  ['Image', 'Image'],
  [String.raw`\u0049mage`, 'Image'],
  [String.raw`a\"b\\c`, String.raw`a"b\c`],
  ['é😀', 'é😀'],
  ['', ''],
])('the key %s', ([written, key]) => {
  expect(readKey(bytesOf(written))).toBe(key)
})

test.for<[written: string, value: unknown]>([
  ['"text"', 'text'],
  ['""', ''],
  [String.raw`"C:\\Windows\u002fx"`, String.raw`C:\Windows/x`],
  ['"é😀"', 'é😀'],
  ['1', 1],
  ['-1.50e2', -150],
  ['true', true],
  ['null', null],
  ['[1,["a",null],{"b":2}]', [1, 'a', null, '{"b":2}']],
  ['[]', []],
  ['{"a":{"b":[1]}}', '{"a":{"b":[1]}}'],
  [String.raw`{"\u0061":1}`, '{"a":1}'],
])('rules see of the value %s', ([written, value]) => {
  expect(readFieldValue(bytesOf(written))).toEqual(value)
})

test.for<[written: string, value: unknown]>([
  ['"text"', 'text'],
  ['{"a":1}', { a: 1 }],
  ['[{"a":1}]', [{ a: 1 }]],
])('as it is, the value %s', ([written, value]) => {
  expect(parseJsonBytes(bytesOf(written))).toEqual(value)
})

test.for<[value: string, other: string, areSame: boolean]>([
  ['"text"', '"text"', true],
  ['""', '""', true],
  [String.raw`"a\\b"`, String.raw`"a\\b"`, true],
  ['"text"', '"Text"', false],
  ['"text"', '"texts"', false],
  [String.raw`"\u0061"`, '"a"', false],
  ['1', '1', false],
  ['null', 'null', false],
  ['["a"]', '["a"]', false],
])('that %s and %s are one text written in the same way is %s', ([value, other, areSame]) => {
  expect(areEqualStrings(bytesOf(value), bytesOf(other))).toBe(areSame)
})

test('an object is read as an event, anything else is a mistake of ours', () => {
  expect(readObject(bytesOf('{"a":1,"a":2}'))).toEqual({ a: 2 })
  expect(() => readObject(bytesOf('[1]'))).toThrow('the kernel accepted a line that is no JSON object')
})
