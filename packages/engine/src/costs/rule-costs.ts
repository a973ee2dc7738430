import { limits } from '../limits.ts'
import { summarizeAnchors } from '../plan/anchor-summary.ts'
import type { AnchorSummary } from '../plan/anchor-summary.ts'
import type { RuleIndex } from '../plan/rule-index.ts'
import type { CompiledRule } from '../compiled-rule.ts'
import type { RuleSet } from '../rule-set.ts'
import type { RuleCounters } from '../run/rule-counters.ts'
import { mapInSteps } from '../step-work.ts'
import type { WorkSteps } from '../step-work.ts'

/** The cost of a rule since it joined the engine's rule set. */
export type RuleCost = {
  readonly id: string
  readonly title: string
  /** Events routed to the rule by their logsource. */
  readonly metEvents: number
  /**
   * How often the rule was a candidate, because the event contained one of its required literals, and was evaluated.
   * Events with the same signature are evaluated once; cache hits cost nothing and are not counted.
   */
  readonly candidates: number
  /** Events on which its matcher ran, because its atoms alone did not decide. */
  readonly asked: number
  /** Events that the rule matched. */
  readonly confirmed: number
  /**
   * Sampled nanoseconds of its matcher, plus its share of the expensive comparisons (regular expressions, networks,
   * numeric ranges) of uncached values and of field pairs. Work shared by all rules, such as parsing events, is not
   * included. Undefined without a clock.
   */
  readonly sampledNs: number | undefined
  /**
   * What makes the rule a candidate: `Image ...\cmd.exe | CommandLine ...whoami...`; `any Image` if each new value of
   * the field is compared, `anything` if nothing is required.
   */
  readonly requirement: string
  /** Whether the rule has a requirement; if not, it is a candidate for every new signature. */
  readonly isAnchored: boolean
  /** Whether the requirement consists of literals and numbers, which an index finds; if not, each new value is compared. */
  readonly isSearchable: boolean
  /** Characters of the shortest literal that makes the rule a candidate; undefined if no literal does. */
  readonly shortestText: number | undefined
}

/** Computes the costs of the rules of a rule set, in their order, from flushed counters. */
export function computeRuleCosts(ruleSet: RuleSet, tally: RuleCounters): RuleCost[] {
  const costs: RuleCost[] = []
  for (const { index, numbers } of ruleSet.parts) {
    for (const [rule, number] of numbers.entries()) {
      if (number !== -1) costs[number] = computeRuleCost(ruleSet.rules[number]!, getAnchoring(index, rule), tally, number)
    }
  }
  return costs
}

type Anchoring = Pick<RuleCost, 'requirement' | 'isAnchored' | 'isSearchable' | 'shortestText'>

/** Printed anchors by rule number: an index never changes, and costs of thousands of rules are read every few seconds. */
const anchorings = new WeakMap<RuleIndex, Map<number, Anchoring>>()

/** Work units of finding and printing what a rule requires, about as many as it has values. */
const unitsOfRule = 8

/** Does ahead, in steps, what costs tell of each rule whatever events come. */
export function* prepareRuleCosts(ruleSet: RuleSet): WorkSteps<undefined> {
  for (const { index, numbers } of ruleSet.parts) {
    const missing = [...numbers.keys()].filter((rule) => numbers[rule] !== -1 && anchorings.get(index)?.has(rule) !== true)
    yield* mapInSteps(missing, (rule) => getAnchoring(index, rule), () => unitsOfRule)
  }
  return undefined
}

function getAnchoring(index: RuleIndex, rule: number): Anchoring {
  const known = anchorings.get(index) ?? new Map<number, Anchoring>()
  anchorings.set(index, known)
  const anchoring = known.get(rule) ?? printAnchoring(summarizeAnchors(index, rule))
  known.set(rule, anchoring)
  return anchoring
}

function printAnchoring({ needed, ...anchoring }: AnchorSummary): Anchoring {
  return { requirement: printRequirements(needed), ...anchoring }
}

function computeRuleCost({ id, title }: CompiledRule, anchoring: Anchoring, tally: RuleCounters, number: number): RuleCost {
  return {
    id,
    title,
    metEvents: tally.metEvents[number]!,
    candidates: tally.candidates[number]!,
    asked: tally.asked[number]!,
    confirmed: tally.confirmed[number]!,
    sampledNs: tally.matcherTimer && Math.round(tally.ns[number]!),
    ...anchoring,
  }
}

function printRequirements(needed: readonly string[]): string {
  const more = needed.length - limits.printedNeedlesMax
  const shown = needed.slice(0, limits.printedNeedlesMax).join(' | ')
  return more <= 0 ? shown : `${shown} | ${more} more`
}
