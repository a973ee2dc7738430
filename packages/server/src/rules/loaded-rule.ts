import type { CompiledCorrelation, CompiledRule } from '@tripline/engine'
import { missingFields } from '@tripline/engine/predicate'
import { isRunning } from '../domain/rule.ts'
import type { Rule } from '../domain/rule.ts'

/** What an engine runs of a rule. */
export type RulePart = CompiledRule | CompiledCorrelation

/** A rule as a tenant has it, and what it was compiled to. */
export type LoadedRule = {
  readonly rule: Rule
  /** Itself first; one with an aggregation also has a silent rule that finds its events. Empty where it does not compile. */
  readonly parts: readonly RulePart[]
  /** Why it does not compile; rules that once did may lose a rule that they name. */
  readonly problem: string | undefined
  /** When the first of the exceptions that narrow its parts is over; undefined without any. */
  readonly narrowedUntil: number | undefined
}

/** What of a rule a tenant's stream runs. */
export function getRunningParts({ rule, parts }: LoadedRule): readonly RulePart[] {
  return isRunning(rule) ? parts : []
}

export function isDetection(part: RulePart): part is CompiledRule {
  return !('members' in part)
}

export function isCorrelation(part: RulePart): part is CompiledCorrelation {
  return 'members' in part
}

/** The ids of the rules whose matches a part correlates; none of a detection rule. */
export function getMemberIds(part: RulePart | undefined): readonly string[] {
  return part !== undefined && 'members' in part ? part.members.map(({ ruleId }) => ruleId) : []
}

/** The fields without which a rule cannot match; of a correlation, none are known. */
export function getRequiredFields({ parts }: LoadedRule): readonly string[] {
  const [own] = parts
  return own === undefined || 'members' in own ? [] : missingFields(own.predicate, new Set())
}
