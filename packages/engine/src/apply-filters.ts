import { logsourceContains } from './event/contains-logsource.ts'
import type { RuleLogsource } from './event/event.ts'
import type { Predicate } from './predicate/predicate.ts'

/** A compiled filter rule, which narrows the rules it applies to. */
export type CompiledFilter = {
  readonly kind: 'filter'
  /** The id of the filter in lower case, or an id derived from its content when it has none. */
  readonly id: string
  readonly title: string
  readonly path: string
  readonly logsource: RuleLogsource
  /** Lower-case ids and names of the rules it applies to; undefined for all. */
  readonly ruleNames: ReadonlySet<string> | undefined
  /** The condition added to a rule, built only from selections of the filter. */
  readonly predicate: Predicate
}

/** What decides whether a filter applies to a rule. */
export type FilterableRule = { readonly id: string; readonly name: string | undefined; readonly logsource: RuleLogsource }

/** Whether a filter applies to a rule: it names the rule or all rules, and its logsource contains that of the rule. */
export function appliesToRule(rule: FilterableRule, filter: CompiledFilter): boolean {
  return namesRule(rule, filter) && logsourceContains(filter.logsource, rule.logsource)
}

/** Whether a filter names a rule or all rules. */
export function namesRule({ id, name }: FilterableRule, { ruleNames }: CompiledFilter): boolean {
  return ruleNames === undefined || ruleNames.has(id) || (name !== undefined && ruleNames.has(name))
}

/**
 * Adds filters to the predicate of a rule, each as one more condition. Filters and rules are lowered separately, so the
 * patterns of one never match selections of the other.
 */
export function applyFilters(predicate: Predicate, filters: readonly CompiledFilter[]): Predicate {
  if (filters.length === 0) return predicate
  const parts = filters.map(({ title, predicate: of }): Predicate => ({ kind: 'group', name: `filter: ${title}`, of }))
  return { kind: 'and', of: [predicate, ...parts] }
}
