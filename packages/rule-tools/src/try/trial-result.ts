import type { Explanation } from '@tripline/engine'

/** What a rule makes of one event. */
export type TrialResult = {
  readonly isMatch: boolean
  /** The comparisons that made it match; empty without a match. */
  readonly matchedConditions: readonly string[]
  /** Why a similar event would match; absent if there is no such hint. */
  readonly hint?: string
  /** Explains the result; computed on each call. */
  readonly explain: () => Explanation
}
