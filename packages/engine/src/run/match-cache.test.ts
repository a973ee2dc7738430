import { describe, expect, test } from 'vitest'
import { compileObjects } from '../../test/compile-objects.ts'
import { finishSteps } from '../finish-steps.ts'
import { limits } from '../limits.ts'
import { RuleIndex } from '../plan/rule-index.ts'
import { MatchCache } from './match-cache.ts'

/** A rule for each letter, which is looked for in the name, and one that wants two of them. */
const letters = Array.from('abcdefghijklmnopqrst')
const selections = [...letters, ['a', 'b']]
const { ruleSet } = compileObjects(selections.map((letter) => (
  { detection: { selection: { 'name|contains|all': letter }, condition: 'selection' } }
)))
const index = finishSteps(RuleIndex.build(ruleSet.rules))

function newMemory(): MatchCache {
  return new MatchCache(index, undefined)
}

/** The rules that hold on an event with some names, one after the other as if they were several fields. */
function heldOn(cache: MatchCache, ...names: string[]): readonly number[] {
  const classes = names.map((name) => cache.classify(0, name)).filter((one) => one !== 0)
  return cache.getDecision(cache.internRoute('all'), classes, classes.length)?.matched ?? []
}

test.for<[names: string[], held: number[]]>([
  [[''], []],
  [['xyz'], []],
  [['a'], [0]],
  [['b a'], [0, 1, 20]],
  [['tab'], [0, 1, 19, 20]],
  [['x', 'b', 'a'], [0, 1]],
])('of the names %j the rules %j hold', ([names, held]) => {
  const cache = newMemory()
  expect(heldOn(cache, ...names)).toEqual(held)
  expect(heldOn(cache, ...names)).toEqual(held)
})

/** A name with the letters whose bits a number has, and what is found in it. */
function lettersOf(number: number): string[] {
  return letters.filter((_, place) => ((number >> place) & 1) === 1)
}

describe('a cache is full', () => {
  test.for<[what: string, notYet: number, full: number, fill: (cache: MatchCache, at: number) => void]>([
    ['of walks', limits.signaturesMax - 1, limits.signaturesMax, (cache, at) => {
      const classes = Array.from(at.toString(20), (digit) => cache.classify(0, letters[Number.parseInt(digit, 20)]!))
      cache.getDecision(cache.internRoute('all'), classes, classes.length)
    }],
    ['of classes', limits.classesMax - 1, limits.classesMax, (cache, at) => cache.internClass([at])],
    ['of routes', limits.routesMax, limits.routesMax + 1, (cache) => cache.internRoute([])],
    // Each value takes some 4,100 bytes.
    ['of values', 8_000, 8_400, (cache, at) => cache.classify(0, String(at).padStart(2_000, '.'))],
    // What was found in each is ten letters, more or less.
    ['of what was found in values', 110_000, 190_000, (cache, at) => {
      const name = lettersOf(at).join('')
      const found = index.getFieldAtoms(0).needles.flatMap(({ text }, number) => (name.includes(text) ? [number] : []))
      cache.classifyByHits(0, { numbers: found, count: found.length }, name.length, () => name)
    }],
  ])('%s', ([, notYet, full, fill]) => {
    const cache = newMemory()
    let at = 0
    while (at < notYet) fill(cache, at++)
    expect(cache.isFull).toBe(false)
    while (at < full) fill(cache, at++)
    expect(cache.isFull).toBe(true)
    // It still answers what it would have.
    expect(heldOn(cache, 'tab')).toEqual([0, 1, 19, 20])
    expect(heldOn(cache, 'a new one')).toEqual([0, 4, 13, 14])
  })

  test('of nothing where all values are too long to be remembered', () => {
    const cache = newMemory()
    for (let at = 0; at < 9_000; at++) cache.classify(0, String(at).padStart(limits.cachedValueLengthMax + 1, '.'))
    expect(cache.isFull).toBe(false)
  })
})

test('every set of letters has a class of its own, whichever rule looked for them', () => {
  const cache = newMemory()
  const { needles } = index.getFieldAtoms(0)
  const classes = new Map<number, string>()
  for (let number = 0; number < 3_000; number += 7) {
    const name = lettersOf(number).join('')
    const learned = cache.classify(0, name)
    expect(cache.classifyNew(0, name)).toBe(learned)
    const found = needles.flatMap(({ text }, place) => (name.includes(text) ? [place] : []))
    expect(cache.classifyByHits(0, { numbers: found, count: found.length }, name.length, () => name)).toBe(learned)
    expect(classes.get(learned) ?? name).toBe(name)
    classes.set(learned, name)
  }
  expect(cache.classify(0, undefined)).toBe(0)
  expect(cache.classify(0, [])).toBe(0)
})
