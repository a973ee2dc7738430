import { computeCoverage, toNavigatorLayer } from '@tripline/rule-tools'

const coverage = computeCoverage([
  { tags: ['attack.execution', 'attack.t1059.001'], isEnabled: true, hasData: true, isHealthy: true, matchCount: 3 },
])
const layer = toNavigatorLayer(coverage, 'rules')
console.log(layer.name, layer.domain, layer.techniques.map(({ techniqueID }) => techniqueID))
