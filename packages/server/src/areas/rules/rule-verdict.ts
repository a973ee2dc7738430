import type { RuleEntry } from '@tripline/contract/console/rule'
import type { RuleHealthReport } from './rule-health.ts'

/** What to do about a rule, and why; null for a rule that does not run. */
type RuleVerdict = RuleEntry['verdict']

/** What a verdict is made of. */
type RuleFigures = {
  readonly health: RuleHealthReport
  /** Alerts by the verdict of those who judged them. */
  readonly verdicts: { readonly truePositives: number; readonly falsePositives: number }
  readonly cost: { readonly cpuSharePercent: number } | undefined
}

/** Judged alerts from which a share tells something, and the shares of false ones. */
const tuned = { judgedMin: 5, falseShareMin: 0.5 }
const retired = { judgedMin: 10, falseShareMin: 0.9 }
/** Percent of the time of all rules from which a rule is costly. */
const costlyPercentMin = 10

/** Judges a rule by what people said of its alerts, by its health and by its cost, in this order. */
export function judgeRule({ health: { state }, verdicts: { truePositives, falsePositives }, cost }: RuleFigures): RuleVerdict {
  if (state === 'not_running') return null
  const judged = truePositives + falsePositives
  const isFalse = ({ judgedMin, falseShareMin }: typeof tuned): boolean => judged >= judgedMin && falsePositives / judged >= falseShareMin
  if (isFalse(retired)) return { value: 'retire', reason: 'mostly_false_positives' }
  if (isFalse(tuned)) return { value: 'tune', reason: 'many_false_positives' }
  if (state === 'broken' || state === 'degraded' || state === 'idle') return { value: 'tune', reason: state }
  if (cost !== undefined && cost.cpuSharePercent >= costlyPercentMin) return { value: 'tune', reason: 'costly' }
  if (state === 'matched' || state === 'running') return { value: 'keep', reason: truePositives > 0 ? 'confirmed' : 'healthy' }
  return { value: 'silent', reason: state }
}
