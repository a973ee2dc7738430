import type { HealthState, RuleHealth } from '@tripline/engine'
import { getMemberIds } from '../../detection/rules/loaded-rule.ts'
import type { LoadedRule } from '../../detection/rules/loaded-rule.ts'
import type { TenantRules } from '../../detection/rules/tenant-rules.ts'
import { isRunning } from '../../model/rule.ts'

/** The health of a rule, with a sentence if something is wrong. */
export type RuleHealthReport = {
  readonly state: HealthState | 'not_running' | 'broken' | 'idle' | 'running'
  readonly problem: string | undefined
}

/**
 * Determines the health of a rule. A correlation has no events of its own, so `met`, the progress of events by rule, does
 * not contain it: it is idle if a rule that it refers to is not running.
 */
export function getRuleHealth(
  { rule, parts, problem }: LoadedRule, { running }: TenantRules, met: ReadonlyMap<string, RuleHealth>,
): RuleHealthReport {
  if (problem !== undefined) return { state: 'broken', problem }
  if (!isRunning(rule)) return { state: 'not_running', problem: undefined }
  const isRunningId = (id: string): boolean => running.get(id) !== undefined || running.correlations.some((one) => one.id === id)
  const resting = getMemberIds(parts[0]).find((id) => !isRunningId(id))
  if (resting !== undefined) return { state: 'idle', problem: `the rule ${resting}, which it refers to, is not running` }
  return { state: met.get(rule.id)?.state ?? 'running', problem: undefined }
}
