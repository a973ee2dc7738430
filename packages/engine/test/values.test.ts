import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Engine } from '../src/index.ts'
import type { EventObject } from '../src/index.ts'
import { createWritingEngine, printMatches } from './compare-push-paths.ts'
import { compileObjects } from './compile-objects.ts'
import { placeholders } from './generate/generate-items.ts'
import { events, rules } from './generate/generate.ts'

/*
 * Events that are not flat: an engine that has met many writes the values that rules read as a line for a kernel. Values
 * that JSON would not give back have to be read as they are.
 */

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_122)
const declared = { _logsource: { category: 'generated' } }

test(`an engine says the same of the values of events as plainly, seed ${seed}`, () => {
  let matchCount = 0
  const someRules = fc.array(rules, { minLength: 1, maxLength: 8, size: 'max' })
  const someEvents = fc.array(events.map((event) => ({ ...event, ...declared })), { minLength: 1, maxLength: 6, size: 'max' })
  fc.assert(fc.property(someRules, someEvents, (ruleObjects, batch) => {
    const { ruleSet } = compileObjects(ruleObjects, { placeholders })
    const expected = printMatches(new Engine(ruleSet, { plain: true }).push(batch))
    const engine = createWritingEngine(ruleSet)
    for (const time of ['first', 'second']) expect(printMatches(engine.push(batch)), `the ${time} time`).toEqual(expected)
    matchCount += expected.length
  }), { seed, numRuns: 300 })
  expect(matchCount).toBeGreaterThan(500)
})

const logsource = { category: 'generated' }
const { ruleSet } = compileObjects([
  { 'a.b': 'who' }, ['needle'], { 'a|exists': true }, { a: null, 'a|exists': true }, { 'a|re': '^\\W+$' }, { 'a|fieldref': 'c' },
  { 'a|contains': '"who"' }, { a: 0 }, { 'a|gt': 5 }, { v0: 1 },
].map((selection) => ({ logsource, detection: { selection, condition: 'selection' } })))

describe('an event with', () => {
  test.for<[what: string, event: EventObject]>([
    ['a path', { a: { b: 'who' } }],
    ['a list on the path', { a: [{ b: 'x' }, { b: 'who' }] }],
    ['quotes', { a: 'a "who"' }],
    ['null', { a: null }],
    ['an empty list', { a: [] }],
    ['a list with null', { a: [null, 0] }],
    ['half a surrogate pair', { a: '\ud800' }],
    ['letters beyond ASCII', { a: '\u017fé\u212a' }],
    ['an infinite number', { a: Number.POSITIVE_INFINITY }],
    ['no number', { a: Number.NaN }],
    ['an infinite number in a list', { a: [Number.POSITIVE_INFINITY, 'x'] }],
    ['minus zero', { a: -0 }],
    ['a large integer', { a: 12_345_678_901_234_567_890n }],
    ['two equal fields', { a: 'same', c: 'same' }],
    ['two equal fields in other cases', { a: 'same', c: 'SAME' }],
    ['a keyword deep in it', { x: [{ y: ['a needle'] }] }],
    ['a keyword across two leaves', { x: 'nee', y: 'dle' }],
    ['a value that is too long for the kernel', { a: `${'x'.repeat(400_000)}needle` }],
    ['a key of the written line', { v0: 1, v1: 2, a: 6 }],
  ])('%s', ([, event]) => {
    const batch = [{ ...event, ...declared }, declared]
    const expected = printMatches(new Engine(ruleSet, { plain: true }).push(batch))
    const engine = createWritingEngine(ruleSet)
    for (const time of ['first', 'second']) expect(printMatches(engine.push(batch)), `the ${time} time`).toEqual(expected)
  })
})

test('events are counted, and written ones meet the rules of their routes', () => {
  const batch = Array.from({ length: 10 }, (_, at) => ({ a: at, ...declared }))
  const plain = new Engine(ruleSet, { plain: true })
  plain.push(batch)
  const engine = createWritingEngine(ruleSet)
  const before = engine.counts
  engine.push(batch)
  expect(engine.counts.events - before.events).toBe(plain.counts.events)
  expect(engine.counts.unrouted - before.unrouted).toBe(plain.counts.unrouted)
})
