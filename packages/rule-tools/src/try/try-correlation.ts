import { explainCorrelation } from '@tripline/engine'
import type {
  CompiledCorrelation, CorrelationExplanation, CorrelationStage, EventObject, EventOptions, Explanation, GroupProgress, RuleSet,
} from '@tripline/engine'
import type { TrialResult } from './trial-result.ts'

/** A correlation rule to try, and the rules that it refers to. */
type TriedCorrelation = { readonly rule: CompiledCorrelation; readonly ruleSet: RuleSet }

/**
 * Tries a correlation rule on events in the order of their time, as a stream that ends with them. A match is reported on its
 * newest event.
 */
export function tryCorrelation(
  { rule, ruleSet }: TriedCorrelation, events: readonly EventObject[], options: EventOptions,
): TrialResult[] {
  const explanation = explainCorrelation(ruleSet, rule.id, events, options)
  /** The title of a member; a name that its author gave is shown as it stands in the rule. */
  const titleOf = ({ ruleId, name }: Member): string => {
    const member = [...ruleSet.rules, ...ruleSet.correlations].find(({ id }) => id === ruleId)
    return name === ruleId && member !== undefined ? member.title : name
  }
  const conditions = new Map<number, string[]>()
  for (const match of explanation.matches) {
    const row = match.newest.sequence
    conditions.set(row, [...(conditions.get(row) ?? []), ...match.conditions])
  }
  return events.map((_, row) => ({
    isMatch: conditions.has(row),
    matchedConditions: conditions.get(row) ?? [],
    explain: () => buildExplanationTree(explanation, row, titleOf),
  }))
}

type Member = CorrelationStage['members'][number]

/** What a correlation does with a field that an event lacks. */
const lackOf = { group: 'by which the correlation groups', value: 'whose values the correlation counts' } as const

/** The contribution of an event to each correlation, and how close its groups came. */
function buildExplanationTree(
  { stages, matches }: CorrelationExplanation, row: number, titleOf: (member: Member) => string,
): Explanation {
  const isMatch = matches.some(({ newest }) => newest.sequence === row)
  return { node: 'correlation', result: isMatch, children: stages.map((stage) => buildStageTree(stage, row, titleOf)) }
}

function buildStageTree(
  { rule, members, groups, unused }: CorrelationStage, row: number, titleOf: (member: Member) => string,
): Explanation {
  const missing = unused.filter((one) => one.row === row)
  const rules = members.map((member) => ({ node: `rule ${titleOf(member)}`, result: member.rows.includes(row), children: [] }))
  const lacks = missing.map(({ missing: what, field }) => {
    return { node: `the event has no ${field}, ${lackOf[what]}`, result: false, children: [] }
  })
  const children = [...rules, ...lacks, ...groups.map(buildGroupTree)]
  return { node: `${rule.rule.correlation.type} ${rule.title}`, result: groups.some(({ holds }) => holds), children }
}

function buildGroupTree({ group, asked, holds, unseen, at }: GroupProgress): Explanation {
  const name = Array.from(group, ([field, value]) => `${field}=${value}`).join(', ') || 'all events'
  const without = unseen.map((rule) => ({ node: `not seen: ${rule}`, result: false, children: [] }))
  return { node: `${name} reached ${asked} at ${new Date(at).toISOString()}`, result: holds, children: without }
}
