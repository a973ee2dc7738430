import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shapesExclude, shapeImplies, readTextShape } from './text-shape.ts'
import type { TextShape } from './text-shape.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_121)

const shape = (value: string, modifiers: string, field: string | undefined = 'a'): TextShape | undefined =>
  readTextShape({ kind: 'scalar', value, text: value, textOffset: 0, isPlain: false, offset: 0, size: 1 }, modifiers.split('|').filter(Boolean), field)

function print(of: TextShape | undefined): string {
  return of === undefined ? 'none' : `${of.opensStart ? '*' : ''}${of.text}${of.opensEnd ? '*' : ''}${of.isCased ? ' cased' : ''}`
}

describe('shapeOf', () => {
  test.for<[value: string, modifiers: string, printed: string]>([
    ['Ab', '', 'ab'],
    ['Ab', 'cased', 'Ab cased'],
    ['Ab', 'contains', '*ab*'],
    ['Ab', 'contains|all', '*ab*'],
    ['Ab', 'startswith', 'ab*'],
    ['Ab', 'endswith', '*ab'],
    ['*Ab', '', '*ab'],
    ['*Ab*', 'startswith', '*ab*'],
    ['\\*Ab', '', '*ab'],
    ['a*b', '', 'none'],
    ['a?', '', 'none'],
    ['a', 'windash', 'none'],
    ['a', 're', 'none'],
    ['a', 'neq', 'none'],
  ])('%s with %s is %s', ([value, modifiers, printed]) => {
    expect(print(shape(value, modifiers))).toBe(printed)
  })

  test('keywords are open at both ends', () => {
    expect(readTextShape({ kind: 'scalar', value: 'a', text: 'a', textOffset: 0, isPlain: true, offset: 0, size: 1 }, [], undefined))
      .toMatchObject({ opensStart: true, opensEnd: true })
  })
})

const text = fc.stringMatching(/^[abA]{0,4}$/)
const anyShape = fc.record({ opensStart: fc.boolean(), opensEnd: fc.boolean(), text, isCased: fc.boolean() })
  .map((one): TextShape => ({ ...one, text: one.isCased ? one.text : one.text.toLowerCase() }))

/** Reference: whether a value has a shape. */
function fits(value: string, { opensStart, opensEnd, text: wanted, isCased }: TextShape): boolean {
  const own = isCased ? value : value.toLowerCase()
  if (opensStart && opensEnd) return own.includes(wanted)
  if (opensStart) return own.endsWith(wanted)
  return opensEnd ? own.startsWith(wanted) : own === wanted
}

describe(`with random shapes and values (seed ${seed})`, () => {
  test('a text with a shape also has every implied shape', () => {
    fc.assert(fc.property(anyShape, anyShape, text, (first, second, value) => {
      expect(shapeImplies(first, second) && fits(value, first) && !fits(value, second)).toBe(false)
    }), { seed, numRuns: 20_000 })
  })

  test('no text has two shapes that exclude each other', () => {
    fc.assert(fc.property(anyShape, anyShape, text, (first, second, value) => {
      expect(shapesExclude(first, second) && fits(value, first) && fits(value, second)).toBe(false)
    }), { seed, numRuns: 20_000 })
  })

  test('the samples contain implied and excluded shapes', () => {
    const pairs = fc.sample(fc.tuple(anyShape, anyShape), { seed, numRuns: 500 })
    expect(pairs.filter(([first, second]) => shapeImplies(first, second)).length).toBeGreaterThan(20)
    expect(pairs.filter(([first, second]) => shapesExclude(first, second)).length).toBeGreaterThan(20)
  })
})
