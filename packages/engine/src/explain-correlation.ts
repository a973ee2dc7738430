import type { CompiledCorrelation } from './correlation/compiled-correlation.ts'
import { groupOf, printThresholds } from './correlation/correlation-match.ts'
import type { CorrelationMatch } from './correlation/correlation-match.ts'
import { Correlator } from './correlation/correlator.ts'
import type { CorrelationCounts, CorrelationWatch } from './correlation/correlation-options.ts'
import type { GroupStanding as Standing } from './correlation/fired-group.ts'
import { isDecidedLater } from './correlation/group-condition.ts'
import { Engine } from './engine.ts'
import type { EventObject } from './event/event.ts'
import type { EventOptions } from './match.ts'
import { RuleSet } from './rule-set.ts'

/** Why a correlation rule matches some events, or what is missing for a match. */
export type CorrelationExplanation = {
  readonly matched: boolean
  readonly matches: readonly CorrelationMatch[]
  /** The correlations it refers to, then the correlation itself. */
  readonly stages: readonly CorrelationStage[]
  /** What an engine would have counted. */
  readonly counts: CorrelationCounts
}

/** Options for explaining a correlation rule. */
export type ExplainCorrelationOptions = EventOptions & {
  /**
   * When the events arrived, in milliseconds since the epoch: the time of those that state none. Without it they are taken to
   * have happened with the newest of the others, or in 1970, and no event is from the future.
   */
  readonly arrivedAt?: number
}

/** The events and groups of one correlation. */
export type CorrelationStage = {
  readonly rule: CompiledCorrelation
  /** The rules it names, with the rows of the events they matched; empty for correlations. */
  readonly members: readonly { readonly ruleId: string; readonly name: string; readonly rows: readonly number[] }[]
  /** Each group at the moment it was closest to a match. */
  readonly groups: readonly GroupProgress[]
  /** Events of its members without a required field. */
  readonly unused: readonly { readonly row: number; readonly missing: 'group' | 'value'; readonly field: string }[]
}

export type GroupProgress = {
  readonly group: ReadonlyMap<string, string>
  /** Event time in milliseconds since the epoch. */
  readonly at: number
  /** The compared number; undefined when there is none. */
  readonly value: number | undefined
  /** The comparison as text, such as `3>=5`, or the condition. */
  readonly asked: string
  /** Whether the condition was true for the events up to then. */
  readonly holds: boolean
  /** Names of the member rules without a match. */
  readonly unseen: readonly string[]
}

/**
 * Runs a correlation rule over events in event-time order, as an engine does, and reports how close each group came to
 * a match. Throws a RangeError for an unknown id.
 */
export function explainCorrelation(
  ruleSet: RuleSet, id: string, events: readonly EventObject[],
  { arrivedAt, ...options }: ExplainCorrelationOptions = {},
): CorrelationExplanation {
  const rules = collectClosure(ruleSet, id)
  const watch = new ExplainingWatch()
  // Unlimited lateness, because the events may come in any order.
  const correlation = {
    allowedLatenessMs: Number.MAX_SAFE_INTEGER, taxonomy: options.taxonomy ?? 'auto',
    ...(arrivedAt !== undefined && { clock: () => arrivedAt }),
  } as const
  const correlator = new Correlator(rules, { options: correlation, watch })
  const rows = new Map<string, number[]>()
  for (const match of new Engine(rules, { ...options, correlation: false }).push(events)) {
    if (match.kind === 'correlation') continue
    addToList(rows, match.rule.id, match.row)
    correlator.takeEvent(rules.numberOf(match.rule.id)!, match.event, { sequence: match.row })
  }
  correlator.advance(Infinity)
  const matches = correlator.settle().filter(({ rule }) => rule.id === id)
  const stages = rules.correlations.map((rule) => {
    const members = rule.members.map(({ ruleId, name }) => ({ ruleId, name, rows: rows.get(ruleId) ?? [] }))
    return { rule, members, groups: watch.groupsOf(rule), unused: watch.unusedBy(rule) }
  })
  return { matched: matches.length > 0, matches, stages, counts: correlator.counts }
}

/** Collects the rule and all rules it refers to, in dependency order. */
function collectClosure(ruleSet: RuleSet, id: string): RuleSet {
  const correlations: CompiledCorrelation[] = []
  const detectionIds = new Set<string>()
  const visit = (ruleId: string): void => {
    const rule = ruleSet.correlations.find((candidate) => candidate.id === ruleId)
    if (rule === undefined) detectionIds.add(ruleId)
    else if (!correlations.includes(rule)) {
      for (const member of rule.members) visit(member.ruleId)
      correlations.push(rule)
    }
  }
  visit(id)
  if (correlations.length === 0) throw new RangeError(`no correlation rule of the set has the id ${id}`)
  return new RuleSet(ruleSet.rules.filter((rule) => detectionIds.has(rule.id)), { correlations })
}

/** Records the closest state of each group. */
class ExplainingWatch implements CorrelationWatch {
  readonly #best = new Map<CompiledCorrelation, Map<string, Standing>>()
  readonly #unused = new Map<CompiledCorrelation, { row: number; missing: 'group' | 'value'; field: string }[]>()

  readonly onStanding: CorrelationWatch['onStanding'] = (rule, standing) => {
    const groups = this.#best.get(rule) ?? new Map<string, Standing>()
    this.#best.set(rule, groups)
    const before = groups.get(standing.key)
    if (before === undefined || !isNearer(rule, before, standing)) groups.set(standing.key, standing)
  }

  readonly onUnread: CorrelationWatch['onUnread'] = (rule, row, { missing, field }) => {
    addToList(this.#unused, rule, { row, missing, field })
  }

  groupsOf(rule: CompiledCorrelation): GroupProgress[] {
    const { condition } = rule.rule.correlation
    return Array.from(this.#best.get(rule)?.values() ?? [], ({ key, at, value, holds, members }) => {
      const asked = condition.kind === 'formula' ? condition.text : printThresholds(condition.thresholds, value)
      const unseen = rule.members.filter((_, member) => !members.includes(member)).map(({ name }) => name)
      return { group: groupOf(rule, key), at, value, asked, holds, unseen }
    })
  }

  unusedBy(rule: CompiledCorrelation): CorrelationStage['unused'] {
    return this.#unused.get(rule) ?? []
  }
}

function addToList<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** Whether the earlier state was closer to a match; when the end of the window decides, the latest state counts. */
function isNearer({ rule }: CompiledCorrelation, before: Standing, now: Standing): boolean {
  if (isDecidedLater(rule.correlation)) return false
  if (before.holds !== now.holds) return before.holds
  if (rule.correlation.condition.kind === 'formula') return before.members.length > now.members.length
  return (before.value ?? -Infinity) > (now.value ?? -Infinity)
}
