import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Engine } from '../src/index.ts'
import type { CorrelationMatch, EventObject, Match, RuleSet } from '../src/index.ts'
import { encodeLines } from './compare-push-paths.ts'
import { compileObjects } from './compile-objects.ts'
import { correlations, floods, ruleObjects, streams } from './generate/generate-correlations.ts'
import { referenceMatches } from './reference/reference-correlation.ts'
import type { ReferenceEvent, ReferenceMatch } from './reference/reference-correlation.ts'
import type { ReferenceCorrelation } from './reference/reference-types.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_124)
const runs = { seed, numRuns: 400 }
const startAt = Date.UTC(2026, 0, 5)
/** Streams without events at the same time, whose order would depend on their arrival. */
const inOneOrder = streams.map((stream) => stream.filter(({ at }, place) => stream.findIndex((other) => other.at === at) === place))
const lateness = fc.constantFrom(0, 1, 1_000, 10_000)
/** Longer than any stream, so that no event is late in any arrival order. */
const anyOrderMs = 10_000

/** Correlations whose decisions need no more than they remember; sums and percentiles need numbers, shares all values. */
const exactCorrelations = correlations.filter((correlated) => correlated.every(({ type }) => {
  return type === 'event_count' || type === 'value_count' || type === 'temporal' || type === 'temporal_ordered'
}))

const pushObjects: Push = (engine, events) => engine.push(events)
const pushLines: Push = (engine, events) => engine.pushBytes(encodeLines(events.map((event) => JSON.stringify(event)))).matches

const otherId = '00000000-0000-4000-8000-00000000beef'

describe(`random correlations on random streams, seed ${seed}`, () => {
  test('agree with the reference', () => {
    let matchCount = 0
    fc.assert(fc.property(correlations, streams, lateness, (correlated, stream, latenessMs) => {
      const expected = printedReference(referenceMatches(correlated, stream, latenessMs, startAt), correlated)
      matchCount += expected.length
      expect(run({ correlated, stream, latenessMs })).toEqual(expected)
    }), { ...runs, numRuns: 3_000 })
    expect(matchCount).toBeGreaterThan(3_000)
  })

  test('find what the reference finds in floods, though groups remember three events', () => {
    let matchCount = 0
    fc.assert(fc.property(exactCorrelations, floods, lateness, (correlated, stream, latenessMs) => {
      const expected = referenceMatches(correlated, stream, latenessMs, startAt)
      matchCount += expected.length
      const decided = expected.map((match) => printed({ ...match, value: undefined, events: [] }, correlated)).toSorted()
      expect(run({ correlated, stream, latenessMs, groupEvents: 3 })).toEqual(decided)
    }), runs)
    expect(matchCount).toBeGreaterThan(400)
  })

  test('are the same for every order of rules, except in order', () => {
    const unordered = correlations.filter((correlated) => correlated.every(({ type }) => type !== 'temporal_ordered'))
    fc.assert(fc.property(unordered, streams, lateness, (correlated, stream, latenessMs) => {
      const reversed = correlated.map((one) => ({ ...one, rules: one.rules.toReversed() }))
      expect(run({ correlated: reversed, stream, latenessMs })).toEqual(run({ correlated, stream, latenessMs }))
    }), runs)
  })

  test('lose nothing to an upper bound that values lay inside', () => {
    const single = correlations.filter(([one, ...others]) => others.length === 0 && one?.formula === undefined && one?.window === 'sliding')
    let matchCount = 0
    fc.assert(fc.property(single, streams, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 3, max: 9 }), ([one], stream, gte, lte) => {
      const withBounds = (thresholds: ReferenceCorrelation['thresholds']): ReferenceCorrelation => ({ ...one!, firing: 'every', thresholds })
      const trial = { stream, latenessMs: anyOrderMs }
      const free = run({ ...trial, correlated: [withBounds({ gte })] })
      const inside = free.filter((match) => Number(/ value (\S+)/.exec(match)?.[1]) <= lte)
      matchCount += inside.length
      expect(run({ ...trial, correlated: [withBounds({ gte, lte })] })).toEqual(expect.arrayContaining(inside))
    }), runs)
    expect(matchCount).toBeGreaterThan(300)
  })

  test('give the same matches in any arrival order within the allowed lateness', () => {
    const shuffled = inOneOrder.chain((stream) => {
      return fc.shuffledSubarray([...stream], { minLength: stream.length }).map((other) => [stream, other] as const)
    })
    fc.assert(fc.property(correlations, shuffled, (correlated, [stream, other]) => {
      const timesOf = (order: readonly ReferenceEvent[]): string[] => run({ correlated, stream: order, latenessMs: anyOrderMs, hasPlaces: false })
      expect(timesOf(other)).toEqual(timesOf(stream))
    }), runs)
  })

  test.for<[name: string, way: Way]>([
    ['one by one', inPieces(1, pushObjects)],
    ['in batches of three', inPieces(3, pushObjects)],
    ['as bytes', inPieces(Infinity, pushLines)],
    ['as bytes in batches of two', inPieces(2, pushLines)],
    ['with an equal rule set from the middle on', fromTheMiddle((engine, { correlated }) => {
      engine.swap(ruleSetOf(correlated))
      return engine
    })],
    ['with an additional rule from the middle on', fromTheMiddle((engine) => {
      const { rules } = compileObjects([{ id: otherId, detection: { selection: { kinds: 'other' }, condition: 'selection' } }]).ruleSet
      engine.swap(engine.ruleSet.applyChange({ put: rules }))
      return engine
    })],
    ['in another engine from the middle on, resumed from a snapshot', fromTheMiddle((engine, { correlated, latenessMs }) => {
      const other = new Engine(ruleSetOf(correlated), { correlation: { allowedLatenessMs: latenessMs } })
      const { dropped } = other.restore(engine.snapshot())
      if (dropped.length > 0) throw new Error(`the state of ${dropped.length} rules was dropped`)
      return other
    })],
    ['advanced to the time of each event before it arrives', (engine, events, { correlated, stream }) => {
      const named = new Set(correlated.flatMap(({ rules }) => rules))
      const found = events.flatMap((event, place) => {
        const { at, rules } = stream[place]!
        const told = rules.some((rule) => named.has(rule)) ? engine.advance(startAt + at) : []
        return [...told, ...engine.push([event])]
      })
      return [...found, ...engine.finish()]
    }],
  ])('give the same matches %s', ([, way]) => {
    let matchCount = 0
    fc.assert(fc.property(correlations, streams, lateness, (correlated, stream, latenessMs) => {
      const expected = run({ correlated, stream, latenessMs })
      matchCount += expected.length
      expect(run({ correlated, stream, latenessMs, way })).toEqual(expected)
    }), runs)
    expect(matchCount).toBeGreaterThan(200)
  })
})

/** Pushes all events of a trial, finishes the stream, and returns the matches. */
type Way = (engine: Engine, events: readonly EventObject[], trial: Trial) => readonly Match[]
type Push = (engine: Engine, events: readonly EventObject[]) => readonly Match[]

function inPieces(size: number, push: Push): Way {
  return (engine, events) => {
    const starts = [...events.keys()].filter((place) => place % size === 0)
    return [...starts.flatMap((start) => push(engine, events.slice(start, start + size))), ...engine.finish()]
  }
}

/** Pushes half of the events, replaces the engine by the result of `happen`, and continues with that one. */
function fromTheMiddle(happen: (engine: Engine, trial: Trial) => Engine): Way {
  return (engine, events, trial) => {
    const half = events.length >> 1
    const before = engine.push(events.slice(0, half))
    const other = happen(engine, trial)
    return [...before, ...other.push(events.slice(half)), ...other.finish()]
  }
}

type Trial = {
  readonly correlated: readonly ReferenceCorrelation[]
  readonly stream: readonly ReferenceEvent[]
  readonly latenessMs: number
  readonly way?: Way
  /** How many events a group remembers; then neither values nor events are compared. */
  readonly groupEvents?: number
  /** Whether to print the events of matches; their indexes depend on the order. */
  readonly hasPlaces?: boolean
}

function run(trial: Trial): string[] {
  const { correlated, stream, latenessMs, way = inPieces(Infinity, pushObjects), hasPlaces = true, groupEvents } = trial
  const stateMax = groupEvents === undefined ? {} : { stateMax: { groupEvents } }
  const engine = new Engine(ruleSetOf(correlated), { correlation: { allowedLatenessMs: latenessMs, ...stateMax } })
  const found = way(engine, stream.map(eventOf), trial)
  const matches = found.filter((match): match is CorrelationMatch => match.kind === 'correlation')
  return matches.map((match) => printed({
    rule: match.rule.rule.name ?? '',
    decidedAt: match.decidedAt - startAt,
    group: JSON.stringify([...match.group.values()]),
    value: groupEvents === undefined ? match.value : undefined,
    events: hasPlaces && groupEvents === undefined ? [...new Set(match.events.map(({ sequence }) => sequence))] : [],
  }, correlated)).toSorted()
}

function ruleSetOf(correlated: readonly ReferenceCorrelation[]): RuleSet {
  const { ruleSet, reports } = compileObjects(ruleObjects(correlated))
  expect(reports.filter(({ verdict }) => verdict !== 'compiled')).toEqual([])
  return ruleSet
}

function eventOf({ at, fields }: ReferenceEvent): EventObject {
  const micros = String((at % 1) * 1_000).padStart(3, '0')
  return { '@timestamp': new Date(startAt + at).toISOString().replace('Z', `${micros}Z`), _logsource: { category: 'test' }, ...fields }
}

function printedReference(matches: readonly ReferenceMatch[], correlated: readonly ReferenceCorrelation[]): string[] {
  return matches.map((match) => printed(match, correlated)).toSorted()
}

function printed({ rule, decidedAt, group, value, events }: ReferenceMatch, correlated: readonly ReferenceCorrelation[]): string {
  const { formula, isCaseSensitive } = correlated.find(({ name }) => name === rule)!
  // Of spellings that are one, either may be shown.
  const shown = isCaseSensitive === true ? group : group.toLowerCase()
  const number = formula === undefined ? ` value ${value}` : ''
  return `${rule} at ${Math.floor(decidedAt)} by ${shown}${number} of ${events.join(', ')}`
}
