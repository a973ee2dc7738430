import { compileRules } from '@tripline/engine'
import { expect, test } from 'vitest'
import { curlEvent, curlRule, shellEvent } from '../../test/sample-rules.ts'
import { limits } from '../limits.ts'
import { compareMatches, timeRound, warmUp } from './benchmark-rounds.ts'
import type { Benchmark } from './benchmark-rounds.ts'
import { createSample } from './event-sample.ts'

const { ruleSet } = compileRules([{ path: 'curl.yml', text: curlRule }])

/** So many events, every second of which matches, a clock that advances by 1 ms a look, and how often it was looked at. */
function countedTrial(eventCount: number): { trial: Benchmark; counts: { looks: number; settled: number } } {
  const counts = { looks: 0, settled: 0 }
  const sample = createSample(Array.from({ length: eventCount }, (_, i) => (i % 2 === 0 ? curlEvent : shellEvent)))
  const trial: Benchmark = { ruleSet, sample, options: {}, clock: () => counts.looks++, collectGarbage: () => void counts.settled++ }
  return { trial, counts }
}

// One look at the beginning and one before each lap; the last look of those that time ends finds it over.
test.for<[eventCount: number, msMax: number | undefined, looks: number]>([
  [10, undefined, 1 + limits.benchWarmLapsMax],
  [limits.benchWarmEventsMin / 10, undefined, 1 + 10],
  [10, 3, 1 + 3],
  [10, 0, 1 + 1],
])('of %i events, within %s ms, warming up looks at the clock %i times', ([eventCount, msMax, looks]) => {
  const { trial, counts } = countedTrial(eventCount)
  warmUp(trial, msMax)
  expect(counts).toEqual({ looks, settled: 0 })
})

test.for<[eventCount: number, laps: number]>([
  [10, limits.benchLapsMax],
  [limits.benchLapEventsMin / 2, 4],
  [limits.benchLapEventsMin * 2, 1],
])('of %i events a round has %i laps, and garbage is collected before each', ([eventCount, laps]) => {
  const { trial, counts } = countedTrial(eventCount)
  const times = timeRound(trial, 0, compareMatches(trial))
  expect(times).toEqual({ parseMs: 1, totalMs: 1, matchMs: 1 })
  expect(counts).toEqual({ looks: 3 * laps * 2, settled: 3 * laps })
})

const burstRules = `title: one
name: one
logsource: {category: test}
detection: {selection: {n: 1}, condition: selection}
---
title: burst
correlation: {type: event_count, rules: [one], timespan: 1h, condition: {gte: 3}}
`

test.for<[plainPairsMax: number, plainCount: number]>([[1_000, 9], [5, 5]])(
  'of at most %i pairs of rules and events, %i events are evaluated rule by rule, and correlations are no difference', ([plainPairsMax, plainCount]) => {
    const burst = compileRules([{ path: 'burst.yml', text: burstRules }])
    expect(burst.reports.map(({ verdict }) => verdict)).toEqual(['compiled', 'compiled'])
    const blocks = Array.from({ length: 9 }, (_, i) => createSample([JSON.stringify({ n: 1, '@timestamp': `2026-01-01T00:00:0${i}Z` })]).timed).flat()
    const { trial } = countedTrial(10)
    const sample = { ...trial.sample, seen: blocks.slice(0, 4), timed: blocks.slice(4), eventCount: 9 }
    const found = compareMatches({ ...trial, ruleSet: burst.ruleSet, sample, options: { lenient: true } }, plainPairsMax)
    expect(found.plainCount).toBe(plainCount)
    expect(found.matchCount).toBeGreaterThan(0)
  })

test('a lap that finds other matches is no measurement', () => {
  const { trial } = countedTrial(10)
  const answers = compareMatches(trial)
  expect(answers).toMatchObject({ matchCount: 5, timedMatchCount: 2 })
  expect(() => timeRound(trial, 0, { ...answers, timedMatchCount: 7 })).toThrow('a lap counted 2 instead of 7')
})
