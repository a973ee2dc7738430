import { missingFields } from '../predicate/missing-fields.ts'
import type { CompiledRule } from '../compiled-rule.ts'
import type { RuleSet } from '../rule-set.ts'
import type { RuleCounters } from '../run/rule-counters.ts'

/** How far events get with a rule, from no event of its logsource to a match; the texts are shown to users. */
export const healthStates = {
  never_routed: 'no event has the logsource of the rule',
  field_never_seen: 'no event of its logsource has a field that the rule needs',
  never_candidate: 'no event contains a text or number that the rule requires',
  never_matched: 'events contain what the rule requires, but none matches',
  matched: 'the rule has matched',
} as const
export type HealthState = keyof typeof healthStates

/** The health of a rule: whether it can match the events that an engine sees. */
export type RuleHealth = {
  readonly id: string
  readonly title: string
  readonly path: string
  readonly state: HealthState
  /** The fields that the rule needs to match and that no event had. */
  readonly missingFields: readonly string[]
  /** Events routed to the rule by their logsource. */
  readonly metEvents: number
  /** How often the rule was a candidate; events with the same signature count once. */
  readonly candidates: number
  /** Events that the rule matched. */
  readonly confirmed: number
}

/** Computes the health of the rules of a rule set, in their order, from flushed counters. */
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
