import { computeCoverage } from '@tripline/rule-tools'

const coverage = computeCoverage([
  { tags: ['attack.execution', 'attack.t1059.001'], isEnabled: true, hasData: true, isHealthy: true, matchCount: 3 },
])
const row = coverage.techniques.find(({ technique }) => technique === 'T1059.001')
console.log(row?.state, row?.tactics)
