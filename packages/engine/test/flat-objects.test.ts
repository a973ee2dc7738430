import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Engine } from '../src/index.ts'
import type { EventObject } from '../src/index.ts'
import { printMatches, createWritingEngine } from './compare-push-paths.ts'
import { compileObjects, ruleId } from './compile-objects.ts'
import { nearlyFlatEvents } from './flat-events.ts'

/*
 * Objects that the engine serializes to lines for its kernel, and objects that nearly qualify: values that JSON does not
 * preserve must be read from the object.
 */

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_122)

const logsource = { product: 'windows' }
const { ruleSet } = compileObjects([
  { Image: 'who' }, ['needle'], { 'Image|exists': true }, { Image: null, 'Image|exists': true }, { 'Image|re': '^\\W+$' },
  { 'User|fieldref': 'ParentUser' }, { 'Image|contains': '"who"' }, { Image: 0 },
].map((selection) => ({ logsource, detection: { selection, condition: 'selection' } })))

const flat = { Channel: 'Microsoft-Windows-Sysmon/Operational', EventID: 1 }

/** Expects the same matches and counts as without the kernel, and returns the matches. */
function matched(events: readonly EventObject[], rules = ruleSet): string[] {
  const plain = new Engine(rules, { plain: true })
  const expected = printMatches(plain.push(events))
  const engine = createWritingEngine(rules)
  const before = engine.counts
  for (const time of ['first', 'second']) expect(printMatches(engine.push(events)), `the ${time} time`).toEqual(expected)
  const { events: eventCount, unrouted } = plain.counts
  expect(engine.counts.events - before.events).toBe(2 * eventCount)
  expect(engine.counts.unrouted - before.unrouted).toBe(2 * unrouted)
  return expected
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at)
}

class Named {
  readonly Channel = flat.Channel
  readonly EventID = 1
  readonly Image = 'who'
}

class Written extends Named {
  toJSON(): unknown {
    return { ...flat, Image: 'needle' }
  }
}

describe('an object with', () => {
  test.for<[what: string, event: EventObject, rules: number[]]>([
    ['a field', { ...flat, Image: 'who' }, [0, 2]],
    ['quotes', { ...flat, Image: 'a "who"' }, [2, 6]],
    ['a field that is undefined', { ...flat, Image: undefined }, []],
    ['a header that is undefined', { ...flat, EventID: undefined, Image: 'who' }, [0, 2]],
    ['null', { ...flat, Image: null }, [2, 3]],
    ['NaN, which JSON prints as null', { ...flat, Image: Number.NaN }, [2]],
    ['an infinite number', { ...flat, Image: Infinity }, [2]],
    ['minus zero', { ...flat, Image: -0 }, [2, 7]],
    ['a number too large for one', { ...flat, Image: 10n ** 30n }, [2]],
    ['a function', { ...flat, Image: () => 'who' }, []],
    ['a date, which JSON prints as text', { ...flat, Image: new Date(0) }, [2, 4]],
    ['a list', { ...flat, Image: ['me', 'who'] }, [0, 2]],
    ['an object in it', { ...flat, Image: { a: 'who', b: 'needle' } }, [1, 2, 6]],
    ['a toJSON method', { ...flat, Image: 'who', toJSON: () => ({ ...flat, Image: 'needle' }) }, [0, 2]],
    ['a field named like that method', { ...flat, Image: 'who', toJSON: 'needle' }, [0, 1, 2]],
    ['a class', new Named(), [0, 2]],
    ['a class with that method', new Written(), [0, 2]],
    ['an inherited field', Object.assign(Object.create({ Image: 'who' }), flat), []],
    ['no prototype', Object.assign(Object.create(null), { ...flat, Image: 'who' }), [0, 2]],
    ['an own __proto__ key', JSON.parse('{"__proto__":"needle","Channel":"Security","EventID":1,"Image":"who"}'), [0, 1, 2]],
    ['half a character', { ...flat, Image: '\ud800' }, [2, 4]],
    ['characters of two, three and four bytes', { ...flat, Image: 'äש😀', x: 'Neeߜdle', y: 'NEEDLE' }, [1, 2, 4]],
    ['line ends and what separates lines', { ...flat, Image: '\r\n\u2028\0', x: '\nneedle' }, [1, 2, 4]],
    ['a key with an escape', { ...flat, 'I"\n': 'x', Image: 'who' }, [0, 2]],
    ['a space in a name', { ...flat, 'Im age': 'who' }, [0, 2]],
    ['a declared logsource', { ...flat, Image: 'who', _logsource: { product: 'linux' } }, []],
    ['another shape', { ...flat, Hostname: 'pc', Image: 'who' }, [0, 2]],
    ['no Windows fields', { EventID: 1, Image: 'who' }, []],
    ['two fields to compare', { ...flat, User: 'x', ParentUser: 'x' }, [5]],
    ...[32_000, 33_000, 70_000, 300_000].flatMap((length): [string, EventObject, number[]][] => [
      [`a text of ${length} characters`, { ...flat, x: `${'.'.repeat(length)}needle` }, [1]],
      [`a text of ${length} NULs`, { ...flat, x: `${'\0'.repeat(length)}needle` }, [1]],
      [`a name of ${length} characters`, { ...flat, ['x'.repeat(length)]: 'needle' }, [1]],
      [`${length} fields`, { ...flat, ...Object.fromEntries(range(length).map((at) => [`x${at}`, at])), z: 'needle' }, [1]],
    ]),
  ])('%s', ([, event, rules]) => {
    expect(matched([event])).toEqual(rules.map((rule) => `event 0 rule ${ruleId(rule)}`))
  })
})

test('events of both kinds keep their rows, and rules their order', () => {
  const kinds = [{ ...flat, Image: 'who' }, { ...flat, Image: ['who'] }, { x: 1 }, { ...flat, x: 'needle' }]
  const events = range(3_000).map((at) => kinds[(at * 7) % 11 % kinds.length]!)
  const expected = events.flatMap((event, row) => (
    'Image' in event ? [0, 2] : 'EventID' in event ? [1] : []).map((rule) => `event ${row} rule ${ruleId(rule)}`))
  expect(matched(events)).toEqual(expected)
})

test('flushes serialized events before the buffer is full', () => {
  const events = range(300).map((at) => ({ ...flat, Image: at % 3 === 0 ? 'who' : 'me', x: 'ä'.repeat(at * 50) }))
  expect(matched(events).filter((match) => match.endsWith(ruleId(0)))).toHaveLength(100)
})

test('an event with a throwing getter does not affect the next events', () => {
  const engine = createWritingEngine(ruleSet)
  const throwing = Object.defineProperty({ ...flat }, 'Image', { enumerable: true, get: () => { throw new Error('not today') } })
  expect(() => engine.push([{ ...flat, Image: 'who' }, throwing])).toThrow('not today')
  expect(printMatches(engine.push([{ ...flat, Image: 'me' }, { ...flat, Image: 'who' }]))).toEqual(
    [2].map((rule) => `event 0 rule ${ruleId(rule)}`).concat([0, 2].map((rule) => `event 1 rule ${ruleId(rule)}`)))
})

test('a swapped rule set also applies to serialized events', () => {
  const engine = createWritingEngine(ruleSet)
  const event = { ...flat, Image: 'who', Other: 'you' }
  expect(engine.push([event])).toHaveLength(2)
  const { ruleSet: other } = compileObjects([{ logsource, detection: { selection: { Other: 'you' }, condition: 'selection' } }])
  engine.swap(other)
  expect(printMatches(engine.push([event, event]))).toEqual([`event 0 rule ${ruleId(0)}`, `event 1 rule ${ruleId(0)}`])
  engine.swap(ruleSet)
  expect(engine.push([event])).toHaveLength(2)
})

test(`nearly flat objects match alike serialized and walked, seed ${seed}`, () => {
  const odd = fc.constantFrom<unknown>(undefined, Number.NaN, 1n, new Date(0), () => 'who', Symbol('who'), '\ud83d', 'who\n"')
  const events = fc.tuple(nearlyFlatEvents, fc.option(odd))
    .map(([event, value]) => (value === null ? event : { ...event, Image: value }))
  let matchCount = 0
  fc.assert(fc.property(fc.array(events, { minLength: 1, maxLength: 12, size: 'max' }), (batch) => {
    matchCount += matched(batch).length
  }), { seed, numRuns: 100 })
  expect(matchCount).toBeGreaterThan(200)
})
