import { Engine, compileRules } from '@tripline/engine'
import type { EventObject } from '@tripline/engine'
import { normalizeEvent } from '@tripline/engine/predicate'
import { limits } from '../limits.ts'
import { findCommonConditions, flattenFields, pickConditions, printConditions, quote } from './common-conditions.ts'

/** A rule or filter that was made, or why none was. */
export type MadeRule = { readonly yaml: string } | { readonly problem: string }

/**
 * Drafts a rule that matches all of some events and none of others, from what the events have in common, and verifies it with the
 * engine.
 */
export function draftFromEvents(
  { title, events, others }: { readonly title: string; readonly events: readonly EventObject[]; readonly others: readonly EventObject[] },
): MadeRule {
  const [logsource] = events[0] === undefined ? [] : normalizeEvent(events[0], 'auto').logsources
  if (logsource === undefined) return { problem: 'the events are of no known log source; state it in their field _logsource' }
  const conditions = pickConditions(findCommonConditions(events.map(flattenFields)), others.map(flattenFields), limits.draftedConditions)
  if (conditions === undefined) return { problem: 'nothing that the events have in common tells them from the others' }
  if (conditions.length === 0) return { problem: 'the events have nothing in common' }
  const yaml = [
    `title: ${quote(title)}`, 'status: experimental', 'level: medium', 'logsource:',
    ...Object.entries(logsource).map(([key, value]) => `  ${key}: ${quote(value)}`),
    'detection:', '  selection:', ...printConditions(conditions), '  condition: selection', '',
  ].join('\n')
  const { ruleSet } = compileRules([{ text: yaml }])
  const count = (some: readonly EventObject[]): number => new Engine(ruleSet).push(some).length
  if (count(events) < events.length) return { problem: 'the events are of different log sources; draft a rule for each' }
  return count(others) > 0 ? { problem: 'the engine matches some of the other events too' } : { yaml }
}
