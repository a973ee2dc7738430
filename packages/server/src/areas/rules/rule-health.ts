import { getMemberIds } from '@tripline/detection/rules/loaded-rule'
import type { LoadedRule } from '@tripline/detection/rules/loaded-rule'
import type { TenantRules } from '@tripline/detection/rules/tenant-rules'
import type { HealthState, RuleHealth } from '@tripline/engine'
import { isRunning } from '@tripline/model/rule'

/** The health of a rule, with a sentence if something is wrong. */
export type RuleHealthReport = {
  readonly state: HealthState | 'not_running' | 'broken' | 'idle' | 'running' | 'degraded'
  readonly problem: string | undefined
}

/** What engines tell of the rules of a tenant. */
export type RunningHealth = {
  /** How far events came with each detection rule. */
  readonly progress: ReadonlyMap<string, RuleHealth>
  /** The correlations that lost state within their last timespan. */
  readonly degraded: ReadonlySet<string>
}

const degradedProblem = 'some of its state was evicted for space, so matches may be missing; group by fewer values or shorten its timespan'

/**
 * Determines the health of a rule. A correlation has no events of its own, so there is no progress of it: it is idle if a
 * rule that it refers to is not running.
 */
export function getRuleHealth(
  { rule, parts, problem }: LoadedRule, { running }: TenantRules, { progress, degraded }: RunningHealth,
): RuleHealthReport {
  if (problem !== undefined) return { state: 'broken', problem }
  if (!isRunning(rule)) return { state: 'not_running', problem: undefined }
  const isRunningId = (id: string): boolean => running.get(id) !== undefined || running.correlations.some((one) => one.id === id)
  const resting = getMemberIds(parts[0]).find((id) => !isRunningId(id))
  if (resting !== undefined) return { state: 'idle', problem: `the rule ${resting}, which it refers to, is not running` }
  if (degraded.has(rule.id)) return { state: 'degraded', problem: degradedProblem }
  return { state: progress.get(rule.id)?.state ?? 'running', problem: undefined }
}
