import { Engine, RuleSet } from '@tripline/engine'
import type { EngineOptions } from '@tripline/engine'
import { compareMatches } from 'tripline/measuring'
import { measureInterleaved, computeMedianMs, printRatio } from '../measure-rounds.ts'
import { parseBatches, shortenSample } from '../open-corpus.ts'
import type { Row, Suite } from '../suite.ts'

/** Asking every rule of a start of a process takes some 0.1 ms. */
const eventsMax = 2_000

/** What it is worth to look for candidates, by kind of events. */
export const candidatesSuite: Suite = {
  name: 'candidates',
  title: 'Looking for candidates, beside asking every rule of every event, by engines that are new',
  async run(bench) {
    const { rules } = bench.corpus.compile(bench.corpus.sources)
    const ruleSet = new RuleSet(rules)
    const rows: Row[] = []
    for (const { name, read } of bench.corpus.slices) {
      const sample = shortenSample(await read(), eventsMax)
      const { matchCount } = compareMatches({ ruleSet, sample, options: {} })
      const batches = parseBatches(sample)
      const match = (options: EngineOptions): void => {
        const engine = new Engine(ruleSet, options)
        for (const batch of batches) engine.push(batch)
      }
      const times = await measureInterleaved([
        { name: 'candidates', run: () => match({}) },
        { name: 'every rule', run: () => match({ plain: true }) },
      ], bench)
      const [candidateTimes = [], plainTimes = []] = [times.get('candidates'), times.get('every rule')]
      const perEvent = (ms: number): number => Math.round((ms * 1e6) / sample.eventCount)
      rows.push({
        case: name,
        counts: { events: sample.eventCount, rules: rules.length, matches: matchCount },
        figures: {
          'candidates, ns per event': perEvent(computeMedianMs(candidateTimes)),
          'every rule, ns per event': perEvent(computeMedianMs(plainTimes)),
          'every rule over candidates': printRatio(plainTimes, candidateTimes),
        },
      })
    }
    return rows
  },
}
