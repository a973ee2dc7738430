import { Engine, RuleSet } from '@tripline/engine'
import type { EventObject } from '@tripline/engine'
import { eventsOf, shortened } from '../corpus.ts'
import { interleave, milliseconds, ratioOf } from '../rounds.ts'
import type { Row, Suite } from '../suite.ts'

/** Asking every rule of a start of a process takes some 0.1 ms. */
const eventsMax = 2_000
/** As services push them. */
const batchSize = 500

/** What it is worth to look for candidates, by kind of events. */
export const candidatesSuite: Suite = {
  name: 'candidates',
  title: 'Looking for candidates, beside asking every rule of every event, by engines that are new',
  async run(bench) {
    const { rules } = bench.corpus.compile(bench.corpus.sources)
    const ruleSet = new RuleSet(rules)
    const rows: Row[] = []
    for (const { name, read } of bench.corpus.slices) {
      const events = eventsOf(shortened(await read(), eventsMax))
      const withCandidates = (): number => countMatches(new Engine(ruleSet), events)
      const withEveryRule = (): number => countMatches(new Engine(ruleSet, { plain: true }), events)
      const matchCount = withCandidates()
      const plainCount = withEveryRule()
      if (matchCount !== plainCount) throw new Error(`among candidates ${matchCount} rules hold, of all of them ${plainCount}`)
      const times = await interleave([
        { name: 'candidates', run: () => void withCandidates() },
        { name: 'every rule', run: () => void withEveryRule() },
      ], bench)
      const [candidateTimes = [], plainTimes = []] = [times.get('candidates'), times.get('every rule')]
      const perEvent = (ms: number): number => Math.round((ms * 1e6) / events.length)
      rows.push({
        case: name,
        counts: { events: events.length, rules: rules.length, matches: matchCount },
        figures: {
          'candidates, ns per event': perEvent(milliseconds(candidateTimes)),
          'every rule, ns per event': perEvent(milliseconds(plainTimes)),
          'every rule over candidates': ratioOf(plainTimes, candidateTimes),
        },
      })
    }
    return rows
  },
}

function countMatches(engine: Engine, events: readonly EventObject[]): number {
  let count = 0
  for (let start = 0; start < events.length; start += batchSize) {
    count += engine.push(events.slice(start, start + batchSize)).length
  }
  return count
}
