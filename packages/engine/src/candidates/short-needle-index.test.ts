import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldCase } from '../event/fold-case.ts'
import type { Anchor } from './requirement.ts'
import { ShortNeedleIndex } from './short-needle-index.ts'

type ShortNeedle = { readonly anchor: Anchor; readonly text: string }

const notAscii = /[^\x00-\x7f]/

/** The needles that a text holds, as a finder asks for them: the text is folded where it is not ASCII. */
function found(needles: readonly ShortNeedle[], text: string, numbers: readonly number[] = [...needles.keys()]): number[] {
  const isAscii = !notAscii.test(text)
  const all: number[] = []
  new ShortNeedleIndex(numbers, needles).find(isAscii ? text : foldCase(text), isAscii, all)
  return [...new Set(all)].toSorted((a, b) => a - b)
}

/** What the language itself says. */
function holds({ anchor, text: wanted }: ShortNeedle, text: string): boolean {
  const folded = foldCase(text)
  return anchor === 'start' ? folded.startsWith(wanted) : anchor === 'end' ? folded.endsWith(wanted) : folded.includes(wanted)
}

/** `x...` at the start, `...x` at the end, `...x...` anywhere. */
function parseNeedle(printed: string): ShortNeedle {
  const text = printed.replaceAll('...', '')
  return { text, anchor: !printed.startsWith('...') ? 'start' : printed.endsWith('...') ? 'anywhere' : 'end' }
}

describe('ShortNeedles', () => {
  test.for<[title: string, needles: string, text: string, found: string]>([
    ['one character', '...a... ...;...', 'xAx', '...a...'],
    ['one that is not a letter', '...;... ...|...', 'a|b', '...|...'],
    ['one that is not ASCII', '...é... ...a...', 'xÉ', '...é...'],
    ['two without letters', '...&&... ...||...', 'a && b', '...&&...'],
    ['two with letters', '...-e... ...-w...', 'x -E', '...-e...'],
    ['three', '...abc... ...abd...', 'xABCx', '...abc...'],
    ['what begins alike', '...ab... ...abc...', 'abc', '...ab... ...abc...'],
    ['at the start', 'ab... abc... b...', 'ABx', 'ab...'],
    ['at the end', '...ab ...xab ...b', 'xxAB', '...ab ...xab ...b'],
    ['a text shorter than the needle', '...abc... abc... ...abc', 'ab', ''],
    ['a text of one character', 'a... ...a ...a... ...ab...', 'A', 'a... ...a ...a...'],
    ['an empty text', 'a... ...a ...a... ...ab...', '', ''],
    ['a case that is ASCII only when folded', '...ok... k... ...k', '\u212ao\u212a', '...ok... k... ...k'],
    ['a character of two units', '...😀... 😀... ...x😀', 'x😀', '...😀... ...x😀'],
    ['more without letters than are searched one by one', '...&&... ...||... ...>>... ...<<... ...;;... ...!!... ...==... ...++... ...--...', 'a--b;;', '...;;... ...--...'],
  ])('finds %s', ([, needles, text, want]) => {
    const parsed = needles.split(' ').map(parseNeedle)
    expect(found(parsed, text).map((number) => needles.split(' ')[number]).join(' ')).toBe(want)
  })

  test('only those that it is given', () => {
    expect(found(['...a...', '...b...', 'a...'].map(parseNeedle), 'ab', [1, 2])).toEqual([1, 2])
  })

  test('agrees with the language on random needles and texts', () => {
    const needle = fc.record({
      anchor: fc.constantFrom<Anchor>('start', 'end', 'anywhere'),
      text: fc.string({ unit: fc.constantFrom('a', 'k', ';', '-', 'é', 'σ', 'i', '😀'), minLength: 1, maxLength: 4 }),
    })
    const text = fc.string({ unit: fc.constantFrom('a', 'A', 'K', '\u212a', ';', '-', 'É', 'Σ', 'ς', 'İ', 'i', '😀'), maxLength: 12 })
    fc.assert(
      fc.property(fc.array(needle, { minLength: 1, maxLength: 14 }), text, (needles, searched) => {
        // Equal needles are one before they come here.
        const distinct = [...new Map(needles.map((one) => [`${one.anchor} ${one.text}`, one])).values()]
        expect(found(distinct, searched)).toEqual(distinct.flatMap((one, number) => (holds(one, searched) ? [number] : [])))
      }),
      { numRuns: 2000 },
    )
  })
})
