import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Engine } from '../src/index.ts'
import type { CorrelationMatch, EventObject, Match, RuleSet } from '../src/index.ts'
import { compileObjects } from './compile-objects.ts'
import { correlations, ruleObjects, streams } from './generate-correlations.ts'
import { bytesOf } from './push-ways.ts'
import { referenceMatches } from './reference-correlation.ts'
import type { ReferenceCorrelation, ReferenceEvent, ReferenceMatch } from './reference-correlation.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_124)
const runs = { seed, numRuns: 400 }
const startAt = Date.UTC(2026, 0, 5)
/** Streams in which no two events are of the same instant: which of them came first, only their arrival tells (D-42). */
const inOneOrder = streams.map((stream) => stream.filter(({ at }, place) => stream.findIndex((other) => other.at === at) === place))
const lateness = fc.constantFrom(0, 1, 1_000, 10_000)
/** More than the times of a stream lie apart, so that no order of arrival is too late. */
const anyOrderMs = 10_000

describe(`random correlations on random streams, seed ${seed}`, () => {
  test('find what the reference finds', () => {
    let matchCount = 0
    fc.assert(fc.property(correlations, streams, lateness, (correlated, stream, latenessMs) => {
      const expected = printedReference(referenceMatches(correlated, stream, latenessMs), correlated)
      matchCount += expected.length
      expect(run({ correlated, stream, latenessMs })).toEqual(expected)
    }), { ...runs, numRuns: 3_000 })
    expect(matchCount).toBeGreaterThan(3_000)
  })

  test('find the same in every order of arrival within the allowed lateness', () => {
    const shuffled = inOneOrder.chain((stream) => {
      return fc.shuffledSubarray([...stream], { minLength: stream.length }).map((other) => [stream, other] as const)
    })
    fc.assert(fc.property(correlations, shuffled, (correlated, [stream, other]) => {
      const timesOf = (order: readonly ReferenceEvent[]): string[] => run({ correlated, stream: order, latenessMs: anyOrderMs, hasPlaces: false })
      expect(timesOf(other)).toEqual(timesOf(stream))
    }), runs)
  })

  test.for<[name: string, way: Way]>([
    ['one by one', (engine, events) => events.flatMap((event) => engine.push([event]))],
    ['in pieces of three', (engine, events) => piecesOf(events, 3).flatMap((piece) => engine.push(piece))],
    ['as bytes', (engine, events) => engine.pushBytes(linesOf(events)).matches],
    ['as bytes in pieces of two', (engine, events) => piecesOf(events, 2).flatMap((piece) => engine.pushBytes(linesOf(piece)).matches)],
    ['with an equal rule set from the middle on', (engine, events, { correlated }) => {
      const half = events.length >> 1
      const before = engine.push(events.slice(0, half))
      engine.swap(ruleSetOf(correlated))
      return [...before, ...engine.push(events.slice(half))]
    }],
    ['with a rule more from the middle on', (engine, events) => {
      const half = events.length >> 1
      const before = engine.push(events.slice(0, half))
      const [other] = compileObjects([{ id: otherId, detection: { selection: { kinds: 'other' }, condition: 'selection' } }]).ruleSet.rules
      engine.swap(engine.ruleSet.changed({ put: [other!] }))
      return [...before, ...engine.push(events.slice(half))]
    }],
    ['told the time of each event before it comes', (engine, events, { correlated, stream }) => {
      const named = new Set(correlated.flatMap(({ rules }) => rules))
      return events.flatMap((event, place) => {
        const { at, rules } = stream[place]!
        const told = rules.some((rule) => named.has(rule)) ? engine.advance(startAt + at) : []
        return [...told, ...engine.push([event])]
      })
    }],
  ])('find the same %s', ([, way]) => {
    let matchCount = 0
    fc.assert(fc.property(correlations, streams, lateness, (correlated, stream, latenessMs) => {
      const expected = run({ correlated, stream, latenessMs })
      matchCount += expected.length
      expect(run({ correlated, stream, latenessMs, way })).toEqual(expected)
    }), runs)
    expect(matchCount).toBeGreaterThan(200)
  })
})

/** Pushes all events of a trial to an engine, and gives what it found. */
type Way = (engine: Engine, events: readonly EventObject[], trial: Trial) => readonly Match[]

type Trial = {
  readonly correlated: readonly ReferenceCorrelation[]
  readonly stream: readonly ReferenceEvent[]
  readonly latenessMs: number
  readonly way?: Way
  /** Whether matches tell which events they are of; their places differ where the order does. */
  readonly hasPlaces?: boolean
}

const otherId = '00000000-0000-4000-8000-00000000beef'

function run(trial: Trial): string[] {
  const { correlated, stream, latenessMs, way = (engine, events) => engine.push(events), hasPlaces = true } = trial
  const engine = new Engine(ruleSetOf(correlated), { correlation: { allowedLatenessMs: latenessMs } })
  const found = way(engine, stream.map(eventOf), trial)
  const matches = [...found, ...engine.finish()].filter((match): match is CorrelationMatch => match.kind === 'correlation')
  return matches.map((match) => printed({
    rule: match.rule.rule.name ?? '',
    decidedAt: match.decidedAt - startAt,
    group: JSON.stringify([...match.group.values()].map((text) => text.toLowerCase())),
    value: match.value,
    events: hasPlaces ? [...new Set(match.events.map(({ sequence }) => sequence))] : [],
  }, correlated)).toSorted()
}

function ruleSetOf(correlated: readonly ReferenceCorrelation[]): RuleSet {
  const { ruleSet, reports } = compileObjects(ruleObjects(correlated))
  expect(reports.filter(({ verdict }) => verdict !== 'compiled')).toEqual([])
  return ruleSet
}

function eventOf({ at, fields }: ReferenceEvent): EventObject {
  return { '@timestamp': new Date(startAt + at).toISOString(), _logsource: { category: 'test' }, ...fields }
}

function linesOf(events: readonly EventObject[]): Uint8Array {
  return bytesOf(events.map((event) => JSON.stringify(event)))
}

function piecesOf(events: readonly EventObject[], size: number): EventObject[][] {
  return Array.from({ length: Math.ceil(events.length / size) }, (_, piece) => events.slice(piece * size, (piece + 1) * size))
}

function printedReference(matches: readonly ReferenceMatch[], correlated: readonly ReferenceCorrelation[]): string[] {
  return matches.map((match) => printed(match, correlated)).toSorted()
}

function printed({ rule, decidedAt, group, value, events }: ReferenceMatch, correlated: readonly ReferenceCorrelation[]): string {
  const { formula } = correlated.find(({ name }) => name === rule)!
  const number = formula === undefined ? ` value ${value}` : ''
  return `${rule} at ${decidedAt} by ${group}${number} of ${events.join(', ')}`
}
