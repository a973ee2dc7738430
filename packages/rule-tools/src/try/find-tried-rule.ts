import { RuleSet } from '@tripline/engine'
import type { CompiledCorrelation, CompiledRule } from '@tripline/engine'
import { getRuleClosure } from './rule-closure.ts'

/** A compiled rule, and the rules that it refers to. */
export type TriedRule = { readonly rule: CompiledRule | CompiledCorrelation; readonly ruleSet: RuleSet }

/**
 * Finds the rule that a text is about among the rules that were compiled: its only rule, or the correlation that no other of
 * the text refers to. `among` has the rules that are not of the text. Undefined if the text holds several.
 */
export function findTriedRule(compiled: RuleSet, path: string, among: RuleSet): TriedRule | undefined {
  const rules = compiled.rules.filter((rule) => rule.path === path)
  const correlations = compiled.correlations.filter((rule) => rule.path === path)
  const outermost = correlations.filter(({ id }) => !correlations.some((other) => refersTo(other, id)))
  const [correlation] = outermost
  if (correlation !== undefined) {
    if (outermost.length > 1) return undefined
    return { rule: correlation, ruleSet: getRuleClosure(correlation.id, among.applyChange({ put: [...rules, ...correlations] })) }
  }
  const [rule] = rules
  return rule === undefined || rules.length > 1 ? undefined : { rule, ruleSet: new RuleSet([rule]) }
}

function refersTo({ members }: CompiledCorrelation, id: string): boolean {
  return members.some(({ ruleId }) => ruleId === id)
}
