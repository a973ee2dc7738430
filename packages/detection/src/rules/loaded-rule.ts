import type { CompiledCorrelation, CompiledRule, Diagnostic } from '@tripline/engine'
import { missingFields } from '@tripline/engine/predicate'
import { isRunning } from '@tripline/model/rule'
import type { Rule } from '@tripline/model/rule'

/** A compiled part of a rule. */
export type RulePart = CompiledRule | CompiledCorrelation

/** A tenant's rule and its compiled parts. */
export type LoadedRule = {
  readonly rule: Rule
  /**
   * The rule itself first; one with an aggregation also has a silent rule that finds its events. Empty if it does not
   * compile.
   */
  readonly parts: readonly RulePart[]
  /** Why it does not compile; a rule may lose one that it refers to. */
  readonly problem: string | undefined
  /** When the first of its exceptions expires; undefined without any. */
  readonly narrowedUntil: number | undefined
  /** What is wrong with its metadata, if it was compiled by itself just now. */
  readonly advice?: readonly Diagnostic[]
}

/** The parts that run in a tenant's stream. */
export function getRunningParts({ rule, parts }: LoadedRule): readonly RulePart[] {
  return isRunning(rule) ? parts : []
}

export function isDetection(part: RulePart): part is CompiledRule {
  return !('members' in part)
}

export function isCorrelation(part: RulePart): part is CompiledCorrelation {
  return 'members' in part
}

/** The ids of a correlation's members; empty for a detection rule. */
export function getMemberIds(part: RulePart | undefined): readonly string[] {
  return part !== undefined && 'members' in part ? part.members.map(({ ruleId }) => ruleId) : []
}

/** The fields without which a rule cannot match; unknown for a correlation. */
export function getRequiredFields({ parts }: LoadedRule): readonly string[] {
  const [own] = parts
  return own === undefined || 'members' in own ? [] : missingFields(own.predicate, new Set())
}
