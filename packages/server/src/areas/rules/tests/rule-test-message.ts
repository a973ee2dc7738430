import type { AppErrorCode, AppErrorDetails } from '@tripline/contract/app-error'
import { pickDetails } from '@tripline/engine'
import type { CompiledCorrelation, CompiledRule, RuleLogsource } from '@tripline/engine'
import type { DefinitionCheck, DefinitionCheckOutcome } from './check-definition.ts'
import type { PipelineTestOutcome, PipelineTestRun } from './run-pipeline-test.ts'
import type { RuleTestOutcome, RuleTestRun } from './run-rule-test.ts'

/** The work of the thread: a test of a rule on events, one of pipelines, or a check of a rule that is to be stored or run. */
export type RuleTask = RuleTestRun | PipelineTestRun | DefinitionCheck

/** A task for the thread. */
export type RuleTestMessage = {
  readonly task: RuleTask
  /** The stored rules that the task needs. */
  readonly rules: readonly CompiledRule[]
  readonly correlations: readonly CompiledCorrelation[]
  /** Other stored rules that a correlation may refer to; the log source of a correlation is empty. */
  readonly references: readonly { readonly id: string; readonly name: string | undefined; readonly logsource: RuleLogsource }[]
}

/** The thread's answer: the outcome, or the `AppError` that a task ended with. */
export type RuleTestReply =
  | RuleTestOutcome
  | PipelineTestOutcome
  | DefinitionCheckOutcome
  | { readonly error: { readonly code: AppErrorCode; readonly message: string; readonly details: AppErrorDetails | undefined } }

/** Copies a rule to plain data: some compiled rules parse their attributes on demand. */
export function toPlainRule({ id, name, title, level, logsource, path, predicate, rule }: CompiledRule): CompiledRule {
  return { id, name, title, level, ...pickDetails(rule), logsource, path, predicate, rule }
}
