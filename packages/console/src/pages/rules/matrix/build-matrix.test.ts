import { expect, test } from 'vitest'
import { buildMatrix } from './build-matrix.ts'
import type { MatrixCell } from './build-matrix.ts'

const counts = { rules: 0, enabled: 0, with_data: 0, effective: 0, matches: 0, matched_30d: 0 }
const toCell = (technique: string, tactics: string[], rules: number, effective: number): MatrixCell => {
  return { technique, name: '', tactics, state: effective > 0 ? 'covered' : rules > 0 ? 'no_data' : 'no_rule', ...counts, rules, effective }
}
const toTactic = (tactic: string) => ({ tactic, techniques: 9, covered_techniques: 1, ...counts })

const coverage = {
  attack_version: '19.1', totals: { ...counts, untagged: 0 },
  tactics: ['execution', 'persistence', 'impact'].map(toTactic),
  techniques: [
    toCell('T1', ['execution'], 2, 1), toCell('T1.001', ['execution', 'persistence'], 1, 0), toCell('T2', ['impact'], 0, 0),
  ],
}

test.for([
  ['ruled', { execution: ['T1', 'T1.001'], persistence: ['T1.001'] }],
  ['gaps', { execution: ['T1.001'], persistence: ['T1.001'] }],
  ['all', { execution: ['T1', 'T1.001'], persistence: ['T1.001'], impact: ['T2'] }],
] as const)('%s', ([filter, shown]) => {
  const columns = buildMatrix(coverage, filter).map(({ tactic, cells }) => [tactic, cells.map(({ technique }) => technique)])
  expect(Object.fromEntries(columns)).toEqual(shown)
})
