import type { Explanation } from '@tripline/engine'

/** What a rule says of one event of a test. */
export type RuleTestResult = {
  readonly isMatch: boolean
  /** The comparisons that made it match, as D-16 prints them; none unless it matched. */
  readonly matchedConditions: readonly string[]
  /** Explains the verdict, anew at each call. */
  readonly explain: () => Explanation
}
