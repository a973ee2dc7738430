import { missingFields } from './predicate/missing-fields.ts'
import type { CompiledRule, RuleSet } from './rule-set.ts'
import type { RuleCounters } from './run/rule-counters.ts'

/** How far events have come with a rule, from never having met it to matching, as people are told. */
export const healthStates = {
  never_routed: 'no event has its logsource',
  field_never_seen: 'a field that it needs is in none of the events that it met',
  never_candidate: 'nothing that it looks for was found',
  never_matched: 'some of what it looks for was found, but it never held',
  matched: 'it has matched',
} as const
export type HealthState = keyof typeof healthStates

/** Whether a rule can work where an engine runs it. */
export type RuleHealth = {
  readonly id: string
  readonly title: string
  readonly path: string
  readonly state: HealthState
  /** The fields without which it cannot match, and that no event had which met a rule that reads them. */
  readonly missingFields: readonly string[]
  /** Events that were routed to it by their logsource. */
  readonly metEvents: number
  /** How often something was found that it needs; events that are the same to all rules count once. */
  readonly candidates: number
  /** Events on which it holds. */
  readonly confirmed: number
}

/** Tells the health of the rules of a rule set, in their order, from a tally that is settled. */
export function computeRuleHealth(ruleSet: RuleSet, tally: RuleCounters): RuleHealth[] {
  return ruleSet.rules.map((rule, number) => computeHealth(rule, number, tally))
}

function computeHealth(rule: CompiledRule, number: number, tally: RuleCounters): RuleHealth {
  const { id, title, path, predicate } = rule
  const metEvents = tally.metEvents[number]!
  const candidates = tally.candidates[number]!
  const confirmed = tally.confirmed[number]!
  const missing = metEvents === 0 || tally.seenFields === undefined ? [] : missingFields(predicate, tally.seenFields)
  const state = classifyHealth({ metEvents, tries: candidates + tally.asked[number]!, confirmed, missing })
  return { id, title, path, state, missingFields: confirmed > 0 ? [] : missing, metEvents, candidates, confirmed }
}

function classifyHealth({ metEvents, tries, confirmed, missing }: {
  readonly metEvents: number; readonly tries: number; readonly confirmed: number; readonly missing: readonly string[]
}): HealthState {
  if (confirmed > 0) return 'matched'
  if (metEvents === 0) return 'never_routed'
  if (missing.length > 0) return 'field_never_seen'
  return tries === 0 ? 'never_candidate' : 'never_matched'
}
