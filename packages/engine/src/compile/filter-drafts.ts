import { appliesToRule, applyFilters, namesRule } from '../apply-filters.ts'
import type { CompiledFilter, FilterableRule } from '../apply-filters.ts'
import type { RuleHead } from '../compiled-rule.ts'
import { suggestName } from '../diagnostics.ts'
import type { DiagnosticCollector } from '../diagnostics.ts'
import { logsourceContains } from '../event/contains-logsource.ts'
import { toRuleId } from '../rule-id.ts'
import type { FilterRule } from '../sigma/filter-rule.ts'

/** A compiled filter rule, with the collector that reports references found dangling once all rules are there. */
export type FilterDraft = { readonly filter: CompiledFilter; readonly rule: FilterRule; readonly collector: DiagnosticCollector }

/** A detection rule before filters are applied. */
export type FilterableDraft = {
  readonly head: RuleHead
  /** The rule that filters see instead, for the base rule of a translated aggregation. */
  readonly filteredAs?: FilterableRule
}

/** Adds the filters that apply to a rule to its predicate. */
export function filterRule({ head, filteredAs = head }: FilterableDraft, filters: readonly CompiledFilter[]): RuleHead {
  const own = filters.filter((filter) => appliesToRule(filteredAs, filter))
  return own.length === 0 ? head : { ...head, predicate: applyFilters(head.predicate, own) }
}

/** Reports the references of a filter to rules that do not exist or that it cannot apply to. */
export function reportDanglingTargets({ filter, rule, collector }: FilterDraft, drafts: readonly FilterableDraft[]): void {
  for (const { name, offset } of rule.targets ?? []) {
    const ruleNames = new Set([name, toRuleId(name)])
    const named = drafts.filter(({ head, filteredAs = head }) => namesRule(filteredAs, { ...filter, ruleNames }))
    const code = 'DANGLING_REFERENCE'
    if (named.length === 0) {
      const hint = suggestName(name, drafts.map(({ head }) => head.name).filter((other) => other !== undefined))
      collector.lint({ code, message: `no running detection rule has the id or name '${name}'`, offset, hint })
    } else if (!named.some(({ head }) => logsourceContains(filter.logsource, head.logsource))) {
      const message = `the filter does not apply to the rule '${name}', which has another logsource`
      collector.lint({ code, message, offset })
    }
  }
}
