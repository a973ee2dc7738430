import type { RuleSource } from '@tripline/engine'
import { synthesizeRules } from 'tripline/measuring'
import { measureMatching } from '../measure-rounds.ts'
import { shortenSample } from '../open-corpus.ts'
import type { Row, Suite } from '../suite.ts'

const ruleCounts = [100, 300, 1_000, 3_141, 10_000, 25_128, 50_000, 100_000]
/** Every pass makes a rule set anew, which takes longer than many events. */
const eventsMax = 20_000

/** The same events with ever more rules. */
export const slopeSuite: Suite = {
  name: 'slope',
  title: 'Matching with more rules',
  async run(bench) {
    const { corpus } = bench
    const sample = shortenSample(await corpus.slices[0].read(), eventsMax)
    const rows: Row[] = []
    for (const ruleCount of ruleCounts) {
      const sources = selectRules(corpus.mainSources, ruleCount)
      rows.push(measureMatching(`${ruleCount.toLocaleString('en')} rule files`, corpus.compile(sources).rules, sample, bench))
    }
    return rows
  },
}

/** So many rules: evenly from all of them, or all and their clones, the last ones evenly. */
export function selectRules(sources: readonly RuleSource[], count: number): RuleSource[] {
  const times = Math.ceil(count / sources.length)
  const multiplied = synthesizeRules(sources, times)
  const whole = multiplied.slice(0, (times - 1) * sources.length)
  const rest = multiplied.slice(whole.length)
  const restCount = count - whole.length
  return [...whole, ...rest.filter((_, i) => Math.floor((i * restCount) / rest.length) !== Math.floor(((i + 1) * restCount) / rest.length))]
}
