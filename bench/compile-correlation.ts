import { compileRules } from '@tripline/engine'
import type { RuleSet } from '@tripline/engine'

/** Compiles a correlation by user within an hour, over rules `a` and `b`, which match events by their field `kind`. */
export function compileCorrelation(asked: object): RuleSet {
  const detections = ['a', 'b'].map((kind) => {
    return { title: kind, name: kind, logsource: { category: 'bench' }, detection: { selection: { kind }, condition: 'selection' } }
  })
  const correlation = { title: 'Correlation', correlation: { 'group-by': ['user'], timespan: '1h', ...asked } }
  const { ruleSet, reports } = compileRules([...detections, correlation].map((rule) => ({ text: JSON.stringify(rule) })))
  if (reports.some(({ verdict }) => verdict !== 'compiled')) throw new Error('a rule of the benchmark does not compile')
  return ruleSet
}
