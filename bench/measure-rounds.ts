import { RuleSet } from '@tripline/engine'
import type { CompiledRule } from '@tripline/engine'
import { Bench as TinyBench } from 'tinybench'
import { compareMatches, median, summarizeRounds, timeRound, warmUp } from 'tripline/measuring'
import type { Benchmark, EventSample } from 'tripline/measuring'
import type { Bench, Row } from './suite.ts'

/** A way to do some work; all ways of a comparison do the same. */
export type Variant = { readonly name: string; readonly run: () => void }

/** Times of one way, in milliseconds, one for each round. */
export type Times = readonly number[]

/** A sample shorter than this would show the steps of the processor clock, which are some milliseconds. */
const sampleMs = 40

/**
 * Runs ways in turn, round by round, so that each meets the same neighbours. Each is run before, to be warm and
 * to see how often it fits into a sample.
 */
export async function measureInterleaved(ways: readonly Variant[], { clock, rounds }: Bench): Promise<ReadonlyMap<string, Times>> {
  const times = new Map(ways.map(({ name }) => [name, [] as number[]]))
  const repeats = new Map(ways.map((way) => [way.name, countRepeats(way)]))
  for (let round = 0; round < rounds; round++) {
    const tiny = new TinyBench({ iterations: 1, time: 0, warmup: false, now: clock, throws: true })
    for (let i = 0; i < ways.length; i++) {
      const { name, run } = ways[(round + i) % ways.length]!
      const count = repeats.get(name) ?? 1
      tiny.add(name, () => {
        for (let repeat = 0; repeat < count; repeat++) run()
      })
    }
    await tiny.run()
    for (const { name, result } of tiny.tasks) {
      if ('latency' in result) times.get(name)?.push(result.latency.min / (repeats.get(name) ?? 1))
    }
  }
  return times
}

function countRepeats({ run }: Variant): number {
  run()
  const times = Array.from({ length: 3 }, () => {
    const startedAt = performance.now()
    run()
    return performance.now() - startedAt
  })
  // The fastest, because a neighbour that came between would leave too few repeats.
  return Math.ceil(sampleMs / Math.max(0.001, Math.min(...times)))
}

/** The median of the ratios within each round, with their range: `2.41 (2.3 to 2.6)`. */
export function printRatio(above: Times, below: Times): string {
  const ratios = above.map((ms, round) => ms / (below[round] ?? NaN))
  const printed = (value: number): string => value.toFixed(2)
  return `${printed(median(ratios))} (${printed(Math.min(...ratios))} to ${printed(Math.max(...ratios))})`
}

export function computeMedianMs(times: Times): number {
  return Math.round(median(times) * 10_000) / 10_000
}

/** Compares the answers of rules on events and times them, as `tripline bench` does. */
export function measureMatching(name: string, rules: readonly CompiledRule[], sample: EventSample, bench: Bench): Row {
  const { exactClock: clock, heapBytes, rounds } = bench
  const trial: Benchmark = { ruleSet: new RuleSet(rules), sample, options: {}, clock, collectGarbage: () => void heapBytes() }
  const answers = compareMatches(trial)
  warmUp(trial)
  const times = Array.from({ length: rounds }, (_, round) => timeRound(trial, round, answers))
  const figures = summarizeRounds(times, sample.timedCount)
  const { min, max } = figures.spread
  return {
    case: name,
    counts: { events: sample.eventCount, rules: rules.length, matches: answers.matchCount },
    figures: {
      'JSON.parse, ns per event': figures.json_parse_ns_per_event,
      'bytes to matches, ns per event': figures.total_ns_per_event,
      'over JSON.parse': `${figures.total_over_json_parse} (${min} to ${max})`,
      'objects over JSON.parse': figures.objects_match_over_json_parse,
      'events per second': figures.events_per_second,
    },
  }
}
