import { Engine, compileRules } from '@tripline/engine'
import type { EventObject, RuleSource } from '@tripline/engine'
import { limits } from '../limits.ts'
import { findCommonConditions, flattenFields, pickConditions, printConditions, quote } from './common-conditions.ts'
import type { MadeRule } from './draft-from-events.ts'

type Tuning = {
  readonly rule: RuleSource
  /** Matches that the rule should not have. */
  readonly falsePositives: readonly EventObject[]
  /** Matches that it must keep. */
  readonly truePositives: readonly EventObject[]
}

/**
 * Makes a Sigma filter that keeps a rule from matching false positives, from what these have in common, and verifies with the
 * engine that it excludes all of them and loses no true positive.
 */
export function tuneRule({ rule, falsePositives, truePositives }: Tuning): MadeRule {
  const { ruleSet } = compileRules([rule])
  const [compiled] = ruleSet.rules
  if (compiled === undefined || ruleSet.rules.length > 1) return { problem: 'tuning takes one detection rule that runs' }
  const engine = new Engine(ruleSet)
  const matched = (events: readonly EventObject[]): readonly EventObject[] => events.filter((event) => engine.push([event]).length > 0)
  const [positives, kept] = [matched(falsePositives), matched(truePositives)]
  if (positives.length === 0) return { problem: 'the rule matches none of the false positives' }
  const conditions = pickConditions(findCommonConditions(positives.map(flattenFields)), kept.map(flattenFields), limits.tunedConditions)
  if (conditions === undefined || conditions.length === 0) {
    return { problem: 'nothing that the false positives have in common tells them from the true positives; tune them in groups' }
  }
  const { anyOf, ...common } = compiled.logsource
  const yaml = [
    `title: ${quote(`Exclude known matches of ${compiled.title}`.slice(0, 256))}`, 'logsource:',
    ...Object.entries({ ...common, ...anyOf }).map(([key, value]) => {
      return `  ${key}: ${typeof value === 'string' ? quote(value) : `[${value.map(quote).join(', ')}]`}`
    }),
    'filter:', `  rules: [${quote(compiled.id)}]`, '  selection:', ...printConditions(conditions), '  condition: not selection', '',
  ].join('\n')
  const tuned = new Engine(compileRules([rule, { path: 'filter.yml', text: yaml }]).ruleSet)
  if (tuned.push(positives).length > 0) return { problem: 'the engine still matches some of the false positives' }
  const lostCount = kept.length - tuned.push(kept).length
  return lostCount > 0 ? { problem: `the filter would lose ${lostCount} true positives` } : { yaml }
}
