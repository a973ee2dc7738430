import type { CompiledRule, DetectionRule } from '@tripline/engine'

/** A compiled rule as it crosses threads: what matching and explaining need, without its attributes. */
export type RuleMessage = Omit<CompiledRule, 'rule'>

/** Converts a rule to a message, without the attributes, which a compiled rule parses on demand. */
export function toRuleMessage({ id, name, title, level, logsource, path, predicate }: CompiledRule): RuleMessage {
  return { id, name, title, level, logsource, path, predicate }
}

/** Restores a rule from a message; its attributes are not available. */
export function fromRuleMessage(sent: RuleMessage): CompiledRule {
  return {
    ...sent,
    get rule(): DetectionRule {
      throw new Error(`the attributes of the rule ${sent.id} are known where it was compiled`)
    },
  }
}
