import { limits } from './limits.ts'
import { summarizeAnchors } from './plan/anchor-summary.ts'
import type { AnchorSummary } from './plan/anchor-summary.ts'
import type { CompiledRule, RuleSet } from './rule-set.ts'
import type { RuleCounters } from './run/rule-counters.ts'

/** What a rule has cost an engine since it is in its rule set. */
export type RuleCost = {
  readonly id: string
  readonly title: string
  /** Events that were routed to it by their logsource. */
  readonly metEvents: number
  /**
   * How often it was worth evaluating, because something was found that it needs. Events that are the same to
   * all rules are evaluated once; those whose outcome is remembered cost nothing and are not counted.
   */
  readonly candidates: number
  /** Events about which its matcher was asked, because what is looked for in values does not decide. */
  readonly asked: number
  /** Events on which it holds. */
  readonly confirmed: number
  /**
   * Nanoseconds of its matcher, and its share of the dear comparisons (regular expressions, networks, orders of
   * numbers) of new values and of those of two fields, from a sample. What rules share, such as reading events,
   * is no rule's. Undefined without a clock.
   */
  readonly sampledNs: number | undefined
  /**
   * What has to be found for it to be tried: `Image ...\cmd.exe | CommandLine ...whoami...`; `any Image` where each
   * new value of the field is compared, `anything` where nothing is required.
   */
  readonly requirement: string
  /** Whether anything has to be found; if not, it is evaluated wherever events differ at all. */
  readonly isAnchored: boolean
  /** Whether what has to be found can be looked for; if not, each new value of a field is compared. */
  readonly isSearchable: boolean
  /** Characters of the shortest text that makes it a candidate; undefined where no text does. */
  readonly shortestText: number | undefined
}

/** Tells the costs of the rules of a rule set, in their order, from a tally that is settled. */
export function computeRuleCosts(ruleSet: RuleSet, tally: RuleCounters): RuleCost[] {
  const costs: RuleCost[] = []
  for (const { index, numbers } of ruleSet.parts) {
    for (const [rule, number] of numbers.entries()) {
      if (number !== -1) costs[number] = computeRuleCost(ruleSet.rules[number]!, summarizeAnchors(index, rule), tally, number)
    }
  }
  return costs
}

function computeRuleCost({ id, title }: CompiledRule, anchoring: AnchorSummary, tally: RuleCounters, number: number): RuleCost {
  const { needed, isAnchored, isSearchable, shortestText } = anchoring
  return {
    id,
    title,
    metEvents: tally.metEvents[number]!,
    candidates: tally.candidates[number]!,
    asked: tally.asked[number]!,
    confirmed: tally.confirmed[number]!,
    sampledNs: tally.matcherTimer && Math.round(tally.ns[number]!),
    requirement: printRequirements(needed),
    isAnchored,
    isSearchable,
    shortestText,
  }
}

function printRequirements(needed: readonly string[]): string {
  const more = needed.length - limits.printedNeedlesMax
  const shown = needed.slice(0, limits.printedNeedlesMax).join(' | ')
  return more <= 0 ? shown : `${shown} | ${more} more`
}
