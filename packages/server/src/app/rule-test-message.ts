import type { AppErrorCode, AppErrorDetails } from '@tripline/contract/app-error'
import type { CompiledCorrelation, CompiledRule } from '@tripline/engine'
import type { RuleTestOutcome, RuleTestRun } from './run-rule-test.ts'

/** A rule test for the thread. */
export type RuleTestMessage = {
  readonly run: RuleTestRun
  /** The stored rules that the test needs. */
  readonly rules: readonly CompiledRule[]
  readonly correlations: readonly CompiledCorrelation[]
  /** Other stored rules that a correlation may refer to. */
  readonly references: readonly { readonly id: string; readonly name: string | undefined }[]
}

/** The thread's answer: the outcome, or the `AppError` that a test ended with. */
export type RuleTestReply =
  | RuleTestOutcome
  | { readonly error: { readonly code: AppErrorCode; readonly message: string; readonly details: AppErrorDetails | undefined } }

/** Copies a rule to plain data: some compiled rules parse their attributes on demand. */
export function toPlainRule({ id, name, title, level, logsource, path, predicate, rule }: CompiledRule): CompiledRule {
  return { id, name, title, level, logsource, path, predicate, rule }
}
