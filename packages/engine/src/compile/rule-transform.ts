import type { RuleLogsource } from '../event/event.ts'
import type { CorrelationRule } from '../sigma/correlation.ts'
import type { DetectionRule } from '../sigma/rule.ts'

/** What rewrites rules before they are compiled. */
export type RuleTransform = {
  /** Rewrites a rule that finds events, or a filter; or says why it cannot. */
  readonly detection: (rule: DetectionRule) => { readonly rule: DetectionRule } | { readonly problem: string }
  /** Rewrites a correlation, whose references stay as they are; or says why it cannot. */
  readonly correlation: (
    rule: CorrelationRule, referenced: ReferencedRules,
  ) => { readonly rule: CorrelationRule } | { readonly problem: string }
}

/** What a correlation needs to know of the rules it names, and of those that correlations among them name. */
export type ReferencedRules = {
  /** The log sources of those that find events, as they are rewritten. */
  readonly logsources: readonly RuleLogsource[]
  /** The names of aliases that correlations among them have: they are fields of no event. */
  readonly aliases: ReadonlySet<string>
}
