import { measureCompile, synthesizeRules } from 'tripline/measuring'
import type { Row, Suite } from '../suite.ts'

/** What a rule weighs, alone and among eight times as many. */
export const memorySuite: Suite = {
  name: 'memory',
  title: 'Memory of a rule',
  async run(bench) {
    const { corpus, clock, heapBytes } = bench
    const sample = await corpus.slices[0].read()
    const rows: Row[] = []
    for (const times of [1, 8]) {
      const { ruleSet, compileMs, compiledBytes = NaN, warmBytes = NaN } = measureCompile({
        read: () => synthesizeRules(corpus.sources, times),
        compile: corpus.compile,
        sample,
        options: {},
      }, { clock, heapBytes })
      const ruleCount = ruleSet.rules.length
      rows.push({
        case: `${times} x the rules`,
        counts: { events: sample.eventCount, rules: ruleCount },
        figures: {
          'bytes per rule, compiled': Math.round(compiledBytes / ruleCount),
          'bytes per rule, after a pass over the events': Math.round(warmBytes / ruleCount),
          'compiling, ms': Math.round(compileMs),
        },
      })
    }
    return rows
  },
}
