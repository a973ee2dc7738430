import { Engine, parseJson } from '@tripline/engine'
import type { EventObject, EventOptions, Match, RuleSet } from '@tripline/engine'
import { limits } from '../limits.ts'
import type { EventSample, SampleBlock } from './event-sample.ts'

/** What is measured, and with which clock. */
export type Benchmark = {
  readonly ruleSet: RuleSet
  readonly sample: EventSample
  readonly options: EventOptions
  /** Milliseconds, without steps; processor time of this thread where it is known. */
  readonly clock: () => number
  /** Collects garbage, so that no measurement includes another's. */
  readonly collectGarbage: () => void
}

/** Times of one round over the second half of the sample, in milliseconds. */
export type Round = {
  /** `JSON.parse` of every line, already decoded. */
  readonly parseMs: number
  /** From bytes to matches. */
  readonly totalMs: number
  /** From parsed objects to matches. */
  readonly matchMs: number
}

/** What a sample comes to. */
export type ExpectedCounts = {
  readonly matchCount: number
  /** Matches of the events that are timed. */
  readonly timedMatchCount: number
  /** Events that every rule was asked for by itself, too. */
  readonly plainCount: number
}

/**
 * Runs the whole sample as bytes and as objects and compares the matches, and blocks evenly spread over it by
 * asking every rule by itself (`limits.benchPlainPairsMax`), which is slow. What they come to is what every
 * round must find again. Throws when they differ: then there is nothing to time.
 */
export function compareMatches(
  { ruleSet, sample, options }: Pick<Benchmark, 'ruleSet' | 'sample' | 'options'>, plainPairsMax: number = limits.benchPlainPairsMax,
): ExpectedCounts {
  const ofBytes = new Engine(ruleSet, options)
  const ofObjects = new Engine(ruleSet, options)
  const plain = new Engine(ruleSet, { ...options, plain: true })
  const plainStride = Math.ceil((ruleSet.rules.length * sample.eventCount) / plainPairsMax)
  let [number, plainCount] = [0, 0]
  const countOf = (blocks: readonly SampleBlock[]): number => {
    let count = 0
    for (const block of blocks) {
      const { matches } = ofBytes.pushBytes(block.bytes)
      const events = parseEvents(block)
      expectSame(matches, ofObjects.push(events), 'events as bytes match other rules than the same events as objects')
      if (number++ % plainStride === 0) {
        // Correlations depend on the events before, of which the plain engine gets only a part where blocks are left out.
        const listCompared = (found: readonly Match[]): readonly Match[] =>
          plainStride === 1 ? found : found.filter(({ kind }) => kind === 'detection')
        expectSame(
          listCompared(matches), listCompared(plain.push(events)), 'the engine finds other matches than its rules one by one')
        plainCount += events.length
      }
      count += matches.length
    }
    return count
  }
  const seenCount = countOf(sample.seen)
  const timedMatchCount = countOf(sample.timed)
  return { matchCount: seenCount + timedMatchCount, timedMatchCount, plainCount }
}

function expectSame(some: readonly Match[], others: readonly Match[], sentence: string): void {
  if (listMatchKeys(some) !== listMatchKeys(others)) throw new Error(sentence)
}

/**
 * Goes through the sample in all three ways and times nothing, until V8 has compiled what they do: the first laps
 * over few events take twice the time of later ones. `limits.benchWarmEventsMin` events are enough; few or slow
 * ones end sooner, by `limits.benchWarmLapsMax` or when so many milliseconds have passed.
 */
export function warmUp(trial: Benchmark, msMax: number = limits.benchWarmMsMax): void {
  const endAt = trial.clock() + Math.min(msMax, limits.benchWarmMsMax)
  const laps = Math.min(limits.benchWarmLapsMax, Math.ceil(limits.benchWarmEventsMin / trial.sample.eventCount))
  for (let lap = 0; lap < laps && trial.clock() < endAt; lap++) {
    for (const prepare of [prepareParse, prepareBytes, prepareObjects]) prepare(trial)()
  }
}

/**
 * Times the three ways one after the other, beginning with another one each round. Matching begins with an
 * engine that has seen nothing, meets the first half of the events and is timed on the second: the code is warm,
 * after `warmUp`, and values are known as far as real events repeat them. Few events are gone through several
 * times, by an engine each, so that a round does not hang on one collection of garbage. Throws when a count of
 * matches is wrong.
 */
export function timeRound(trial: Benchmark, number: number, answers: ExpectedCounts): Round {
  const { timedCount } = trial.sample
  const { timedMatchCount } = answers
  const times = { parseMs: 0, totalMs: 0, matchMs: 0 }
  const ways = [
    () => void (times.parseMs = measureLaps(trial, timedCount, prepareParse)),
    () => void (times.totalMs = measureLaps(trial, timedMatchCount, prepareBytes)),
    () => void (times.matchMs = measureLaps(trial, timedMatchCount, prepareObjects)),
  ]
  for (let i = 0; i < ways.length; i++) ways[(number + i) % ways.length]!()
  return times
}

/** Meets the first half of the events; the answer goes through the second, which is timed, and counts what it finds. */
type Prepare = (trial: Benchmark) => () => number

/** Parsing, too, meets the second half after the first: V8 finds short strings faster that it has made before. */
function prepareParse({ sample: { seen, timed } }: Benchmark): () => number {
  for (const block of seen) parseBlock(block)
  return () => timed.reduce((count, block) => count + parseBlock(block).length, 0)
}

function prepareBytes({ ruleSet, options, sample: { seen, timed } }: Benchmark): () => number {
  const engine = new Engine(ruleSet, options)
  for (const { bytes } of seen) engine.pushBytes(bytes)
  return () => timed.reduce((count, { bytes }) => count + engine.pushBytes(bytes).matches.length, 0)
}

function prepareObjects({ ruleSet, options, sample: { seen, timed } }: Benchmark): () => number {
  const engine = new Engine(ruleSet, options)
  for (const block of seen) engine.push(parseEvents(block))
  const batches = timed.map(parseEvents)
  return () => batches.reduce((count, batch) => count + engine.push(batch).length, 0)
}

/**
 * The mean of what laps take, in milliseconds. Each begins with garbage collected: none pays for another's engine,
 * and V8 forgets the strings of the second half, which is to be new to it as it is to the engine. The clock runs
 * while the second half is gone through, and at no other time.
 */
function measureLaps(trial: Benchmark, expectedCount: number, prepare: Prepare): number {
  const laps = Math.min(limits.benchLapsMax, Math.ceil(limits.benchLapEventsMin / trial.sample.timedCount))
  let ms = 0
  for (let lap = 0; lap < laps; lap++) {
    trial.collectGarbage()
    const run = prepare(trial)
    const startedAt = trial.clock()
    const count = run()
    ms += trial.clock() - startedAt
    checkCount(count, expectedCount)
  }
  return ms / laps
}

function checkCount(count: number, expectedCount: number): void {
  if (count !== expectedCount) throw new Error(`a lap counted ${count} instead of ${expectedCount}`)
}

/** Parses as others do: what matching is measured against. */
function parseBlock({ texts }: SampleBlock): unknown[] {
  return texts.map((text) => JSON.parse(text))
}

function parseEvents({ texts }: SampleBlock): EventObject[] {
  return texts.map((text) => parseJson(text) as EventObject)
}

function listMatchKeys(matches: readonly Match[]): string {
  return matches.map((match) => `${match.kind === 'detection' ? match.row : match.decidedAt} ${match.rule.id}`).join('\n')
}
