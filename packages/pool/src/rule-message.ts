import type { CompiledRule, DetectionRule } from '@tripline/engine'

/** A compiled rule as it crosses threads: all that matching and explaining read, and not what its author wrote. */
export type RuleMessage = Omit<CompiledRule, 'rule'>

/** Leaves out the attributes, which a compiled rule reads from its text when it is asked. */
export function toRuleMessage({ id, name, title, level, logsource, path, predicate }: CompiledRule): RuleMessage {
  return { id, name, title, level, logsource, path, predicate }
}

/** A rule that runs where it was not compiled; it knows no attributes. */
export function fromRuleMessage(sent: RuleMessage): CompiledRule {
  return {
    ...sent,
    get rule(): DetectionRule {
      throw new Error(`the attributes of the rule ${sent.id} are known where it was compiled`)
    },
  }
}
