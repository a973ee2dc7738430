import type { RuleDraftHead } from '@tripline/query'
import type { RuleCompletion } from '@tripline/rule-tools'
import type { CheckRequest, RuleCheck } from './check-rule.ts'

/** A field of an event with the value that a drafted rule looks for. */
export type DraftedValue = { readonly field: string; readonly value: string | number | boolean }

/** What a drafted rule finds: what a query does, or the events with all of some values. */
export type DraftRequest = { readonly finds: string | readonly DraftedValue[]; readonly head: RuleDraftHead }

/** What the page asks of the worker. */
export type WorkerTask =
  | { readonly kind: 'check'; readonly request: CheckRequest }
  | { readonly kind: 'complete'; readonly text: string; readonly offset: number; readonly fields: readonly string[] }
  | { readonly kind: 'draft'; readonly request: DraftRequest }

/** What the worker answers, by the kind of the task. */
export type WorkerResult = {
  readonly check: RuleCheck
  readonly complete: RuleCompletion | undefined
  /** The drafted rule; `unsaid` names what Sigma cannot express. */
  readonly draft: { readonly yaml: string } | { readonly unsaid: readonly string[] }
}

/** Messages between the page and the worker. */
export type WorkerMessage = { readonly id: number; readonly task: WorkerTask }
export type WorkerReply = { readonly id: number } & ({ readonly result: unknown } | { readonly error: string })
