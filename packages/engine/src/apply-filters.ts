import { logsourceContains } from './event/contains-logsource.ts'
import type { Logsource } from './event/event.ts'
import type { Predicate } from './predicate/predicate.ts'

/** A filter rule that runs: it narrows the rules it is for (sigma.md section 9). */
export type CompiledFilter = {
  readonly kind: 'filter'
  /** The filter's own id in lower case, or one derived from its content where it states none. */
  readonly id: string
  readonly title: string
  readonly path: string
  readonly logsource: Logsource
  /** Ids, in lower case, and names of the rules it is for; undefined for any. */
  readonly ruleNames: ReadonlySet<string> | undefined
  /** What has to hold besides a rule, made of the filter's own selections alone. */
  readonly predicate: Predicate
}

/** What decides whether a filter is for a rule. */
export type FilterableRule = { readonly id: string; readonly name: string | undefined; readonly logsource: Logsource }

/** Whether a filter is for a rule: it names it, or any, and its logsource contains the rule's. */
export function appliesToRule(rule: FilterableRule, filter: CompiledFilter): boolean {
  return namesRule(rule, filter) && logsourceContains(filter.logsource, rule.logsource)
}

/** Whether a filter names a rule, or any. */
export function namesRule({ id, name }: FilterableRule, { ruleNames }: CompiledFilter): boolean {
  return ruleNames === undefined || ruleNames.has(id) || (name !== undefined && ruleNames.has(name))
}

/**
 * A rule's predicate with filters appended, as one more condition each. Selections were lowered apart, so that
 * neither side's patterns can mean the other's.
 */
export function applyFilters(predicate: Predicate, filters: readonly CompiledFilter[]): Predicate {
  if (filters.length === 0) return predicate
  const parts = filters.map(({ title, predicate: of }): Predicate => ({ kind: 'group', name: `filter: ${title}`, of }))
  return { kind: 'and', of: [predicate, ...parts] }
}
