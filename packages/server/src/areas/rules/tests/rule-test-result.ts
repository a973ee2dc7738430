import type { Explanation } from '@tripline/engine'
import type { TrialResult } from '@tripline/rule-tools'

/** The result of a rule test on one event. */
export type RuleTestResult = Omit<TrialResult, 'explain'> & {
  /** Why it matched or did not; undefined unless requested, and where a response holds enough of them. */
  readonly explanation: Explanation | undefined
}

export function countExplanationNodes(explanation: Explanation): number {
  return 'children' in explanation ? explanation.children.reduce((count, child) => count + countExplanationNodes(child), 1) : 1
}
