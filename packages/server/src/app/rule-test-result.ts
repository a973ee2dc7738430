import type { Explanation } from '@tripline/engine'

/** The result of a rule test on one event. */
export type RuleTestResult = {
  readonly isMatch: boolean
  /** The comparisons that made it match; empty without a match. */
  readonly matchedConditions: readonly string[]
  /** Explains the result; computed on each call. */
  readonly explain: () => Explanation
}
