import type { RuleSet } from '@tripline/engine'
import { buildRule } from '../domain/rule.ts'
import type { Rule } from '../domain/rule.ts'
import type { BuiltinRules } from './builtin-rules.ts'
import { compileDefinition } from './compile-definition.ts'
import type { LoadedRule } from './loaded-rule.ts'

/** What a rule is loaded beside. */
export type LoadContext = {
  readonly library: BuiltinRules
  /** The rules that it may name. */
  readonly among: RuleSet
  /** Exceptions that are over by then do not count. */
  readonly nowMs: number
}

/**
 * Compiles a rule of a tenant, narrowed by its exceptions. Where nothing but switches differ from the library, what that
 * compiled is shared.
 *
 * @throws AppError INVALID_RULE with every problem of it.
 */
export function loadRule(rule: Rule, { library, among, nowMs }: LoadContext): LoadedRule {
  const exceptions = rule.exceptions.filter(({ expiresAt }) => expiresAt > nowMs)
  const original = library.rules.get(rule.id)
  if (original !== undefined && rule.origin === 'builtin' && exceptions.length === 0) {
    return { ...original, rule: buildRule(original.parts[0]!, rule) }
  }
  const parts = compileDefinition(rule.definition, { among, filterSources: library.filterSources, exceptions })
  const narrowedUntil = exceptions.length === 0 ? undefined : Math.min(...exceptions.map(({ expiresAt }) => expiresAt))
  return { rule: buildRule(parts[0]!, rule), parts, problem: undefined, narrowedUntil }
}
