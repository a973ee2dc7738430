import { Engine, parseJson } from '@tripline/engine'
import type { EventObject, EventOptions, Match, RuleSet } from '@tripline/engine'
import type { Block, EventSample } from './event-sample.ts'
import { limits } from './limits.ts'

/** What is measured, and with which clock. */
export type Trial = {
  readonly ruleSet: RuleSet
  readonly sample: EventSample
  readonly options: EventOptions
  /** Milliseconds; processor time of this thread where it is known. */
  readonly clock: () => number
  /** Collects garbage, so that nobody pays for another's. */
  readonly settle: () => void
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
export type Answers = {
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
export function compareAnswers({ ruleSet, sample, options }: Trial): Answers {
  const ofBytes = new Engine(ruleSet, options)
  const ofObjects = new Engine(ruleSet, options)
  const plain = new Engine(ruleSet, { ...options, plain: true })
  const plainStride = Math.ceil((ruleSet.rules.length * sample.eventCount) / limits.benchPlainPairsMax)
  let [number, plainCount] = [0, 0]
  const countOf = (blocks: readonly Block[]): number => {
    let count = 0
    for (const block of blocks) {
      const { matches } = ofBytes.pushBytes(block.bytes)
      const events = eventsOf(block)
      expectSame(matches, ofObjects.push(events), 'events as bytes match other rules than the same events as objects')
      if (number++ % plainStride === 0) {
        expectSame(matches, plain.push(events), 'the engine finds other matches than its rules one by one')
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
  if (namesOf(some) !== namesOf(others)) throw new Error(sentence)
}

/**
 * Times the three ways one after the other, beginning with another one each round. Matching begins with an
 * engine that has seen nothing, is warmed with the first half of the events and timed on the second: code is
 * warm, and values are known as far as real events repeat them. Few events are gone through several times,
 * by an engine each, so that a step of the clock does not show. Throws when a count of matches is wrong.
 */
export function timeRound(trial: Trial, number: number, answers: Answers): Round {
  const laps = Math.min(limits.benchLapsMax, Math.ceil(limits.benchLapEventsMin / trial.sample.timedCount))
  const expectedCount = answers.timedMatchCount * laps
  const times = { parseMs: 0, totalMs: 0, matchMs: 0 }
  const ways = [
    () => void (times.parseMs = timeParse(trial, laps) / laps),
    () => void (times.totalMs = timeBytes(trial, laps, expectedCount) / laps),
    () => void (times.matchMs = timeObjects(trial, laps, expectedCount) / laps),
  ]
  for (let i = 0; i < ways.length; i++) ways[(number + i) % ways.length]!()
  return times
}

/** Parsing, too, meets the second half after the first: V8 finds short strings faster that it has made before. */
function timeParse(trial: Trial, laps: number): number {
  const { seen, timed, timedCount } = trial.sample
  return timeLaps(trial, laps, timedCount * laps, () => {
    for (const block of seen) parseBlock(block)
    return () => timed.reduce((count, block) => count + parseBlock(block).length, 0)
  })
}

function timeBytes(trial: Trial, laps: number, expectedCount: number): number {
  return timeLaps(trial, laps, expectedCount, () => {
    const engine = new Engine(trial.ruleSet, trial.options)
    for (const { bytes } of trial.sample.seen) engine.pushBytes(bytes)
    return () => trial.sample.timed.reduce((count, { bytes }) => count + engine.pushBytes(bytes).matches.length, 0)
  })
}

function timeObjects(trial: Trial, laps: number, expectedCount: number): number {
  return timeLaps(trial, laps, expectedCount, () => {
    const engine = new Engine(trial.ruleSet, trial.options)
    for (const block of trial.sample.seen) engine.push(eventsOf(block))
    const batches = trial.sample.timed.map(eventsOf)
    return () => batches.reduce((count, batch) => count + engine.push(batch).length, 0)
  })
}

/**
 * Adds up what laps take. Each collects garbage, so that none pays for another's engine, warms up, which also brings
 * back what V8 forgot of the code meanwhile, and is then timed.
 */
function timeLaps(trial: Trial, laps: number, expectedCount: number, warm: () => () => number): number {
  let [ms, count] = [0, 0]
  for (let lap = 0; lap < laps; lap++) {
    trial.settle()
    const run = warm()
    const startedAt = trial.clock()
    count += run()
    ms += trial.clock() - startedAt
  }
  checkCount(count, expectedCount)
  return ms
}

function checkCount(count: number, expectedCount: number): void {
  if (count !== expectedCount) throw new Error(`a round counted ${count} instead of ${expectedCount}`)
}

/** Parses as others do: what matching is measured against. */
function parseBlock({ texts }: Block): unknown[] {
  return texts.map((text) => JSON.parse(text))
}

function eventsOf({ texts }: Block): EventObject[] {
  return texts.map((text) => parseJson(text) as EventObject)
}

function namesOf(matches: readonly Match[]): string {
  return matches.map((match) => `${match.kind === 'detection' ? match.row : match.decidedAt} ${match.rule.id}`).join('\n')
}
