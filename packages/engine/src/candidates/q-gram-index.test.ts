import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRunIn, isTextIn } from '../../test/reference/reference-needle.ts'
import { QGramIndex } from './q-gram-index.ts'
import type { Anchor } from './requirement.ts'

type Wanted = { readonly anchor: Anchor; readonly text: string }

function found(needles: readonly Wanted[], text: string): number[] {
  const numbers: number[] = []
  new QGramIndex(needles).find(text, numbers)
  return [...new Set(numbers)].toSorted((a, b) => a - b)
}

describe('NeedleFinder', () => {
  test.for<[string, string, number[]]>([
    ['powershell -enc', 'one in the middle', [1]],
    ['x\\cmd.exe', 'one at the end', [0]],
    ['\\cmd.exe x', 'one that is not at the end', []],
    ['c:\\windows\\x', 'one at the start', [2]],
    ['svchost', 'one that is the whole', [3]],
    ['svchost.exe', 'one that is not the whole', []],
    ['a😀b', 'a short one that is not ASCII', [4]],
    ['-e', 'a short one', [5]],
    ['', 'none in an empty text', []],
  ])('in %j finds %s', ([text, , want]) => {
    const needles: Wanted[] = [
      { anchor: 'end', text: '\\cmd.exe' },
      { anchor: 'anywhere', text: 'shell -e' },
      { anchor: 'start', text: 'c:\\windows\\' },
      { anchor: 'whole', text: 'svchost' },
      { anchor: 'anywhere', text: '😀' },
      { anchor: 'start', text: '-e' },
    ]
    expect(found(needles, text)).toEqual(want)
  })

  test('agrees with the language on runs', () => {
    const unit = fc.constantFrom('a', 'B', 'c', 'é', '.')
    const run = fc.record({ characters: fc.constantFrom('a', 'ab', 'abc.'), least: fc.integer({ min: 1, max: 12 }) })
    fc.assert(fc.property(fc.array(run, { maxLength: 5 }), fc.string({ unit, maxLength: 40 }), (runs, text) => {
      const finder = new QGramIndex(runs.map(({ characters, least }) => ({ anchor: 'run', text: characters, least })))
      const numbers: number[] = []
      finder.find(text, numbers)
      expect(numbers).toEqual(runs.flatMap((one, number) => (isRunIn(one, text) ? [number] : [])))
    }), { numRuns: 3_000 })
  })

  test('agrees with the language on long needles in long texts, at every place', () => {
    const unit = fc.constantFrom('a', 'b', '\\', '.')
    const needle = fc.record({
      anchor: fc.constantFrom<Anchor>('start', 'end', 'anywhere'),
      text: fc.string({ unit, minLength: 7, maxLength: 10 }),
    })
    const filling = fc.nat({ max: 80 }).map((length) => 'x'.repeat(length))
    const some = fc.tuple(fc.uniqueArray(needle, { selector: ({ anchor, text }) => `${anchor} ${text}`, minLength: 1, maxLength: 10 }), fc.nat(), filling, filling, fc.constantFrom('', 'é'))
    fc.assert(fc.property(some, ([needles, chosen, before, after, other]) => {
      const text = `${before}${needles[chosen % needles.length]!.text}${after}${other}`
      expect(found(needles, text)).toEqual(needles.flatMap((one, number) => (isTextIn(one, text) ? [number] : [])))
    }), { numRuns: 3_000 })
  })

  test('agrees with the language on random needles and texts', () => {
    const unit = fc.constantFrom('a', 'b', '\\', '.', 'é', '😀')
    const needle = fc.record({
      anchor: fc.constantFrom<Anchor>('whole', 'start', 'end', 'anywhere'),
      text: fc.string({ unit, minLength: 1, maxLength: 8 }),
    })
    fc.assert(
      fc.property(fc.array(needle, { maxLength: 30 }), fc.string({ unit, maxLength: 30 }), (needles, text) => {
        // Two equal needles that are the whole text would be one entry: the index never gives such.
        const distinct = [...new Map(needles.map((one) => [`${one.anchor} ${one.text}`, one])).values()]
        const want = distinct.flatMap((one, number) => (isTextIn(one, text) ? [number] : []))
        expect(found(distinct, text)).toEqual(want)
      }),
      { numRuns: 3000 },
    )
  })
})
