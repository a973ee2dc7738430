import { AppError } from '@tripline/contract/app-error'
import type { CompiledRule } from '@tripline/engine'
import { limits } from '../../../limits.ts'

/** Counts the comparisons that rules make per event, up to a maximum. */
export function countRuleComparisons(rules: readonly CompiledRule[]): number {
  return rules.reduce((sum, { predicate }) => sum + countComparisons(predicate, limits.ruleTest.comparisonsMax), 0)
}

/**
 * Refuses a test that would take too long: a condition may refer to a selection of thousands of values thousands of times,
 * so the cost is counted before it runs.
 *
 * @throws AppError PAYLOAD_TOO_LARGE.
 */
export function checkTestCost(comparisonCount: number, eventCount: number): void {
  const limit = limits.ruleTest.comparisonsMax
  if (comparisonCount * eventCount <= limit) return
  const message = `testing this rule on ${eventCount} events takes more than ${limit} comparisons; send fewer events`
  throw new AppError('PAYLOAD_TOO_LARGE', message, { limit_comparisons: limit })
}

/** Counts comparisons up to `max`: a predicate may share parts and be far larger than its text. */
function countComparisons(predicate: CompiledRule['predicate'], max: number): number {
  if (predicate.kind === 'test' || predicate.kind === 'constant') return 1
  const parts = predicate.kind === 'and' || predicate.kind === 'or' ? predicate.of : [predicate.of]
  let count = 1
  for (const part of parts) {
    count += countComparisons(part, max - count)
    if (count > max) return count
  }
  return count
}
