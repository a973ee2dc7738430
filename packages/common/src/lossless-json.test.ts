import { expect, test } from 'vitest'
import { isJsonObject } from './json.ts'
import { toLosslessJson } from './lossless-json.ts'
import { parseJson } from './parse-json.ts'

test.for<[text: string, printed?: string]>([
  ['{"a":9007199254740993}'],
  ['{"a":[1,{"b":-12345678901234567890}],"c":"x"}'],
  ['{"a":1e999,"b":-1e999}'],
  ['{"a":"9007199254740993","b":9007199254740993}'],
  ['{"\\u0061":9007199254740993,"b":{"\\u0061":[1]}}', '{"a":9007199254740993,"b":{"a":[1]}}'],
  ['{"a":9007199254740991,"b":0.1}'],
  ['{"a":1e400,"__proto__":{"b":1e400},"":1}'],
  ['{ "a": 1E+21 }', '{"a":1E+21}'],
  ['{"a":1e999,"a":"last"}', '{"a":"last"}'],
  ['{"path":"C:\\\\x","a":9007199254740993}'],
])('%s', ([text, printed = text]) => {
  const value = parseJson(text)
  if (!isJsonObject(value)) throw new Error('the test is of objects')
  expect(JSON.stringify(toLosslessJson(value, text))).toBe(printed)
})
