import type { Diagnostic, RuleReport } from '@tripline/engine'
import { AppError } from '../domain/app-error.ts'

/** A problem of a rule as clients are told it (decisions 3.4). */
export type RuleProblem = {
  /** The attribute, with dots: `detection.condition`. */
  readonly path: string
  readonly code?: string
  readonly message?: string
  /** In the definition, from 1; undefined for what was sent as a field. */
  readonly line?: number
  readonly column?: number
  readonly hint?: string | undefined
}

/** Refuses a rule that does not compile, with every problem of it. */
export function createInvalidRuleError({ diagnostics, verdict }: RuleReport): AppError {
  const problems = diagnostics.filter(({ kind }) => kind !== 'lint')
  return createRuleError(problems[0]?.message ?? `the definition is ${verdict}`, problems.map(toRuleProblem))
}

/** A diagnostic as clients are told it. */
export function toRuleProblem({ code, message, line, column, attribute: path, hint }: Diagnostic): RuleProblem {
  return { path, code, message, line, column, hint }
}

/** Refuses a rule for reasons of ours. */
export function createRuleError(message: string, errors: readonly RuleProblem[] = []): AppError {
  return new AppError('INVALID_RULE', message, { errors })
}
