import type { RuleCompletion } from '@tripline/rule-tools'
import type { CheckRequest, RuleCheck } from './check-rule.ts'

/** What the page asks of the worker. */
export type WorkerTask =
  | { readonly kind: 'check'; readonly request: CheckRequest }
  | { readonly kind: 'complete'; readonly text: string; readonly offset: number; readonly fields: readonly string[] }
  | { readonly kind: 'draft'; readonly query: string; readonly title: string }

/** What the worker answers, by the kind of the task. */
export type WorkerResult = {
  readonly check: RuleCheck
  readonly complete: RuleCompletion | undefined
  /** A rule that finds what a query finds; `unsaid` names what Sigma cannot express. */
  readonly draft: { readonly yaml: string } | { readonly unsaid: readonly string[] }
}

/** Messages between the page and the worker. */
export type WorkerMessage = { readonly id: number; readonly task: WorkerTask }
export type WorkerReply = { readonly id: number } & ({ readonly result: unknown } | { readonly error: string })
