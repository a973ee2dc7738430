import type { CompiledRule, RuleHead } from '@tripline/engine'

/** A compiled rule as it crosses threads: what matching and explaining need, without its attributes. */
export type RuleMessage = RuleHead

/** Converts a rule to a message, without the attributes, which a compiled rule parses on demand. */
export function toRuleMessage({ id, name, title, level, logsource, path, predicate }: CompiledRule): RuleMessage {
  return { id, name, title, level, logsource, path, predicate }
}
