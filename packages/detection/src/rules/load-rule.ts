import type { RuleSet, WorkBudget } from '@tripline/engine'
import { buildRule } from '@tripline/model/rule'
import type { Rule } from '@tripline/model/rule'
import type { BuiltinRules } from './builtin-rules.ts'
import { compileDefinition } from './compile-definition.ts'
import type { LoadedRule } from './loaded-rule.ts'

/** The context of loading a rule. */
type LoadContext = {
  readonly library: BuiltinRules
  /** The rules that it may refer to. */
  readonly among: RuleSet
  /** The time at which exceptions must be in force. */
  readonly nowMs: number
  /** Whether the text is stored already. */
  readonly isStored?: boolean
  /** Bounds the work; default one of its own for a text that is not stored. */
  readonly budget?: WorkBudget
}

/**
 * Compiles a rule of a tenant with its exceptions. A built-in rule without exceptions shares the compiled parts.
 *
 * @throws AppError INVALID_RULE with all its problems.
 */
export function loadRule(rule: Rule, { library, among, nowMs, ...terms }: LoadContext): LoadedRule {
  const exceptions = rule.exceptions.filter(({ expiresAt }) => expiresAt > nowMs)
  const original = library.rules.get(rule.id)
  if (original !== undefined && rule.origin === 'builtin' && exceptions.length === 0) {
    const [own] = original.parts
    // Pipelines may refuse it.
    return { ...original, rule: own === undefined ? rule : buildRule(own, rule) }
  }
  const { filterSources, rewriting } = library
  const { parts, advice } = compileDefinition(rule.definition, { among, filterSources, rewriting, exceptions, ...terms })
  const narrowedUntil = exceptions.length === 0 ? undefined : Math.min(...exceptions.map(({ expiresAt }) => expiresAt))
  return { rule: buildRule(parts[0]!, rule), parts, problem: undefined, narrowedUntil, advice }
}
