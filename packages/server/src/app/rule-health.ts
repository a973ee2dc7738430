import type { HealthState, RuleHealth } from '@tripline/engine'
import { isRunning } from '../domain/rule.ts'
import { getMemberIds } from '../rules/loaded-rule.ts'
import type { LoadedRule } from '../rules/loaded-rule.ts'
import type { TenantRules } from '../rules/tenant-rules.ts'

/** How a rule does, and a sentence on it where something is wrong. */
export type RuleHealthReport = {
  readonly state: HealthState | 'not_running' | 'broken' | 'idle' | 'running'
  readonly problem: string | undefined
}

/**
 * How a rule of a tenant does. A correlation has no events of its own, so that `met`, how far events have come with rules,
 * does not have it: it is idle where a rule that it names does not run.
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
