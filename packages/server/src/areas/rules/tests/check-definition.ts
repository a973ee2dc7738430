import { compileDefinition } from '@tripline/detection/rules/compile-definition'
import type { RuleRewriting } from '@tripline/detection/rules/rewriting'
import { Engine } from '@tripline/engine'
import type { RuleSet, RuleSource } from '@tripline/engine'
import { getRuleClosure } from '@tripline/rule-tools'
import type { RuleException } from '@tripline/model/rule'
import { runEmbeddedTests } from './embedded-rule-tests.ts'
import type { FailedTest } from './embedded-rule-tests.ts'

/** The text of one rule with the exceptions that are in force; plain data. */
export type DefinitionCheck = {
  readonly definition: string
  readonly exceptions: readonly RuleException[]
  readonly filterSources: readonly RuleSource[]
  /** The texts of the pipelines of the tenant. */
  readonly pipelines: readonly string[]
}

/** The context of a check: the tenant's rules, and those of them of which only id and name are known. */
type DefinitionCheckContext = {
  readonly among: RuleSet
  readonly isStub: (ruleId: string) => boolean
  readonly rewriting: RuleRewriting | undefined
}

/** The tests of the rule that fail, or the ids of the rules that the check needs whole. */
export type DefinitionCheckOutcome = { readonly failedTests: readonly FailedTest[] } | { readonly neededIds: readonly string[] }

/**
 * Compiles a rule, indexes it and runs its own tests, as a change does that stores it.
 *
 * @throws AppError INVALID_RULE; PAYLOAD_TOO_LARGE for tests that cost too much.
 */
export async function checkDefinition(
  { definition, exceptions, filterSources }: DefinitionCheck, { among, isStub, rewriting }: DefinitionCheckContext,
): Promise<DefinitionCheckOutcome> {
  const { parts } = compileDefinition(definition, { among, filterSources, rewriting, exceptions })
  const { id } = parts[0]!
  const withIt = among.applyChange({ put: parts })
  const closure = getRuleClosure(id, withIt)
  const neededIds = closure.rules.map((rule) => rule.id).filter(isStub)
  if (neededIds.length > 0) return { neededIds }
  // The stream builds an engine of it, too: what that takes must be within the deadline.
  new Engine(closure).push([{}])
  return { failedTests: await runEmbeddedTests(definition, id, withIt) }
}
