import { measureMatching } from '../measure-rounds.ts'
import type { Row, Suite } from '../suite.ts'

/** All rules on each kind of events. */
export const matchSuite: Suite = {
  name: 'match',
  title: 'Parsing and matching beside parsing alone, by kind of events',
  async run(bench) {
    const { rules } = bench.corpus.compile(bench.corpus.sources)
    const rows: Row[] = []
    for (const { name, read } of bench.corpus.slices) rows.push(measureMatching(name, rules, await read(), bench))
    return rows
  },
}
