import type { Diagnostic, RuleReport } from '@tripline/engine'
import { AppError } from '../domain/app-error.ts'

/** A problem of a rule as the API reports it. */
export type RuleProblem = {
  /** The attribute, with dots: `detection.condition`. */
  readonly path: string
  readonly code?: string
  readonly message?: string
  /** In the definition, from 1; undefined for a problem of a separate field. */
  readonly line?: number
  readonly column?: number
  readonly hint?: string | undefined
}

/** Creates the error for a rule that does not compile, with all its problems. */
export function createInvalidRuleError({ diagnostics, verdict }: RuleReport): AppError {
  const problems = diagnostics.filter(({ kind }) => kind !== 'lint')
  return createRuleError(problems[0]?.message ?? `the definition is ${verdict}`, problems.map(toRuleProblem))
}

/** Converts a diagnostic to the problem that the API reports. */
export function toRuleProblem({ code, message, line, column, attribute: path, hint }: Diagnostic): RuleProblem {
  return { path, code, message, line, column, hint }
}

/** Creates the error for a rule that the server rejects for its own reasons. */
export function createRuleError(message: string, errors: readonly RuleProblem[] = []): AppError {
  return new AppError('INVALID_RULE', message, { errors })
}
