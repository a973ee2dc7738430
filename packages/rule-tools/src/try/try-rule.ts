import { Engine, explain } from '@tripline/engine'
import type { CompiledCorrelation, CompiledRule, EventObject, RuleSet } from '@tripline/engine'
import { addProcessPaths, describePathHint } from './process-path-hint.ts'
import type { TrialResult } from './trial-result.ts'
import { tryCorrelation } from './try-correlation.ts'

/**
 * Events of a trial are often typed by hand: one without a recognizable log source is tried as if it had the rule's. One of a
 * different log source does not match.
 */
const eventOptions = { lenient: true } as const

/**
 * Tries a rule on events, in the server and in the page alike. The rule set holds the rule and those that it refers to; a
 * correlation sees the events as a stream that ends with them.
 */
export function tryRule(
  { rule, ruleSet }: { readonly rule: CompiledRule | CompiledCorrelation; readonly ruleSet: RuleSet }, events: readonly EventObject[],
): readonly TrialResult[] {
  return 'members' in rule ? tryCorrelation({ rule, ruleSet }, events, eventOptions) : tryDetection(rule, ruleSet, events)
}

function tryDetection(rule: CompiledRule, ruleSet: RuleSet, events: readonly EventObject[]): TrialResult[] {
  const matches = new Engine(ruleSet, eventOptions).push(events).filter((match) => match.kind === 'detection')
  const conditionsByRow = new Map(matches.map(({ row, conditions }) => [row, conditions]))
  const hints = findPathHints(ruleSet, events.map((event, row) => (conditionsByRow.has(row) ? undefined : event)))
  return events.map((event, row) => ({
    ...(hints[row] !== undefined && { hint: hints[row] }),
    isMatch: conditionsByRow.has(row),
    matchedConditions: conditionsByRow.get(row) ?? [],
    explain: () => explain(rule, event, eventOptions).tree,
  }))
}

/** For each event that did not match, whether it would if its processes were named with a path. */
function findPathHints(ruleSet: RuleSet, events: readonly (EventObject | undefined)[]): readonly (string | undefined)[] {
  const named = events.map((event) => event && addProcessPaths(event))
  const rows = named.flatMap((event, row) => (event === undefined ? [] : [row]))
  if (rows.length === 0) return []
  const matches = new Engine(ruleSet, eventOptions).push(rows.map((row) => named[row]?.event ?? {}))
  const matching = new Set(matches.flatMap((match) => (match.kind === 'detection' ? rows[match.row] : [])))
  return named.map((one, row) => one && matching.has(row) ? describePathHint(one.field) : undefined)
}
