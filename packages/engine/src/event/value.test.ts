import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { foldCase } from './fold-case.ts'
import { collectLeafTexts } from './leaves.ts'
import { lookUp, toTexts } from './value.ts'
import type { FieldText, FieldValue } from './value.ts'

/** An event from JSON text, so that odd keys are own keys as in events that arrive. */
function event(text: string): { readonly [field: string]: unknown } {
  return JSON.parse(text)
}

describe('lookUp', () => {
  test.for<[string, string, FieldValue]>([
    ['{"a": 1}', 'a', 1],
    ['{"a": null}', 'a', null],
    ['{"a": ""}', 'a', ''],
    ['{}', 'a', undefined],
    ['{"a.b": 1, "a": {"b": 2}}', 'a.b', 1],
    ['{"a": {"b": 2}}', 'a.b', 2],
    ['{"a": {"b": {"c": "x"}}}', 'a.b.c', 'x'],
    ['{"a": {"b.c": "x"}}', 'a.b.c', undefined],
    ['{"a": [{"b": 1}, {"b": [2, [3]]}, {"c": 4}, 5]}', 'a.b', [1, 2, 3]],
    ['{"a": [{"c": 1}]}', 'a.b', undefined],
    ['{"a": ["x", 1, true, null, {"b": 2}]}', 'a', ['x', 1, true, null, '{"b":2}']],
    ['{"a": []}', 'a', []],
    ['{"a": {"b": [1, {"c": null}]}}', 'a', '{"b":[1,{"c":null}]}'],
    ['{"__proto__": {"x": 1}}', '__proto__.x', 1],
    ['{}', '__proto__', undefined],
    ['{}', 'constructor', undefined],
    ['{}', 'toString', undefined],
    ['{"a": "x"}', 'a.length', undefined],
  ])('reads from %s, %s as %j', ([text, name, want]) => {
    expect(lookUp(event(text), name)).toEqual(want)
  })

  test('stays within its limits on deep and cyclic values', () => {
    const deep = (levels: number) => event(`{"a": ${'['.repeat(levels)}"x"${']'.repeat(levels)}}`)
    expect(lookUp(deep(limits.eventListElementsMax), 'a')).toEqual(['x'])
    expect(lookUp(deep(100_000), 'a')).toEqual([])
    expect(lookUp({ a: Array.from({ length: 100_000 }, () => 'x') }, 'a')).toHaveLength(limits.eventListElementsMax)
    const cyclic: Record<string, unknown> = { x: 1 }
    cyclic['self'] = cyclic
    cyclic['list'] = [cyclic, cyclic]
    expect(lookUp({ a: cyclic }, 'a')).toMatch(/^\{"x":1,"self":\{/)
    const array: unknown[] = ['x']
    array.push(array, array)
    expect(lookUp({ a: array }, 'a')).toContain('x')
  })
})

describe('textsOf', () => {
  test.for<[FieldValue, FieldText]>([
    ['x', 'x'],
    [1.5, '1.5'],
    [1e21, '1e+21'],
    [true, 'true'],
    [null, null],
    [undefined, null],
    [['a', 1, null, false], ['a', '1', 'false']],
  ])('of %j is %j', ([value, want]) => {
    expect(toTexts(value)).toEqual(want)
  })
})

describe('leafTexts', () => {
  test.for<[string, string[]]>([
    ['{"a": "x", "b": {"c": [1, true, null, {"d": "y"}]}}', ['x', '1', 'true', 'y']],
    ['{"_id": "x", "_raw": "y", "_COMM": "z", "__proto__": "w", "a": {"_id": "v"}}', ['y', 'z', 'w', 'v']],
    ['{}', []],
  ])('of %s are %j', ([text, want]) => {
    expect(collectLeafTexts(event(text))).toEqual(want)
  })
})

describe('foldCase', () => {
  test.for<[string, string]>([
    ['ABC', 'abc'],
    ['ÄÖ', 'äö'],
    ['ΑΣ', 'ασ'],
    ['İx', 'İx'],
    ['\u212A', 'k'],
    ['𐐀', '𐐨'],
    ['\ud800', '\ud800'],
  ])('folds %j to %j', ([text, want]) => {
    expect(foldCase(text)).toBe(want)
    expect(foldCase(text)).toHaveLength(text.length)
  })
})
