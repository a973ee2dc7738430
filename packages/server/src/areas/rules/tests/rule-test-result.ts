import type { Explanation } from '@tripline/engine'

/** The result of a rule test on one event. */
export type RuleTestResult = {
  readonly isMatch: boolean
  /** The comparisons that made it match; empty without a match. */
  readonly matchedConditions: readonly string[]
  /** Why a similar event would match; undefined if there is no such hint. */
  readonly hint?: string
  /** Why it matched or did not; undefined unless requested, and where a response holds enough of them. */
  readonly explanation: Explanation | undefined
}

/** A result before it is explained. */
export type ExplainableResult = Omit<RuleTestResult, 'explanation'> & {
  /** Explains the result; computed on each call. */
  readonly explain: () => Explanation
}

export function countExplanationNodes(explanation: Explanation): number {
  return 'children' in explanation ? explanation.children.reduce((count, child) => count + countExplanationNodes(child), 1) : 1
}
