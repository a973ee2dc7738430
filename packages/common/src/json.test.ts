import { describe, expect, test } from 'vitest'
import { measureJson, parseShallowObject } from './json.ts'

/** Measures the value at the start of a text: `end depth fieldCount`, or `open` where it does not close. */
function measure(text: string): string {
  const bytes = Buffer.from(text)
  const extent = measureJson(bytes, 0, bytes.length)
  return extent === undefined ? 'open' : `${extent.end} ${extent.depth} ${extent.fieldCount}`
}

describe('measures', () => {
  test.for<[text: string, extent: string]>([
    ['{}', '2 1 0'],
    ['{"a":1,"b":{"c":[[]]}} rest', '22 4 3'],
    ['[1,2]', '5 1 0'],
    ['12,', '2 0 0'],
    ['true}', '4 0 0'],
    ['"a b" c', '5 0 0'],
    ['"\\"{" x', '5 0 0'],
    ['{"a":"}\\\\"}', '11 1 1'],
    ['{"a":"{[:"}', '11 1 1'],
    ['{"ä":"ü"}', '11 1 1'],
    // Brackets of either kind close each other here; the parser refuses it.
    ['{]', '2 1 0'],
  ])('%s', ([text, extent]) => {
    expect(measure(text)).toBe(extent)
  })

  test.for<string>(['', '{', '{"a":{}', '"a', '{"a', '{"a\\', '}', ']', ',', '{"a":"x\ny"}', '"a\n"'])('%j as open', (text) => {
    expect(measure(text)).toBe('open')
  })

  test('a million levels', () => {
    expect(measure(`${'['.repeat(1e6)}${']'.repeat(1e6)}`)).toBe('2000000 1000000 0')
  })
})

test.for<[text: string, depthMax: number, parsed: ReturnType<typeof parseShallowObject>]>([
  [' {"a":{}}', 2, { a: {} }],
  ['{"a":{"b":1}}', 1, 'too deep'],
  ['[1]', 2, 'no object'],
  ['null', 2, 'no object'],
  ['{"a":}', 2, 'no object'],
  ['{', 2, 'no object'],
  ['', 2, 'no object'],
])('parses %j of at most %d levels', ([text, depthMax, parsed]) => {
  expect(parseShallowObject(Buffer.from(text), depthMax)).toEqual(parsed)
})
