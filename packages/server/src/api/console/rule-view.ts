import type { Explanation } from '@tripline/engine'
import type { RuleTestResult } from '../../app/rule-test.ts'
import { matchRate } from '../../app/rules.ts'
import type { RuleTotals, RuleWithTotals } from '../../app/rules.ts'
import { mitreKey } from '../../contract/rule.ts'
import type { ExplanationBody, RuleDetail, RuleEntry, RuleTestResultBody } from '../../contract/rule.ts'
import { consoleLevels } from '../../domain/level.ts'
import type { Rule } from '../../domain/rule.ts'
import { limits } from '../../limits.ts'

/** A rule as an entry of a list. Nobody can review a match yet, so nothing is a true or a false positive. */
export function printRuleEntry({ rule, totals }: RuleWithTotals): RuleEntry {
  return {
    ...printRuleSummary(rule),
    stats: {
      evaluations_total: totals.evaluations,
      matches_total: totals.matches,
      true_positives: 0,
      false_positives: 0,
      match_rate: matchRate(totals),
    },
  }
}

/** A rule with everything it states, and what it did in the last day. */
export function printRuleDetail(rule: Rule, lastDay: RuleTotals): RuleDetail {
  return {
    ...printRuleSummary(rule),
    description: rule.description,
    author: rule.author,
    date: rule.date ?? null,
    modified: rule.modified ?? null,
    false_positives: [...rule.falsePositives],
    references: [...rule.references],
    tags: [...rule.tags],
    stats: {
      evaluations_last_24h: lastDay.evaluations,
      matches_last_24h: lastDay.matches,
      true_positives_last_7d: 0,
      false_positives_last_7d: 0,
    },
    definition: rule.definition,
    lifecycle: rule.lifecycle,
    origin: rule.origin,
    version: rule.version,
    etag: printEtag(rule),
  }
}

/** The strong validator of D-40. */
export function printEtag(rule: Rule): string {
  return `"${rule.version}"`
}

/**
 * The results of a test. Explanations are printed until the answer holds as many nodes as it may; the results
 * after that carry null.
 */
export function printTestResults(
  results: readonly RuleTestResult[],
  { isExplained }: { isExplained: boolean },
): RuleTestResultBody {
  let nodesLeft: number = limits.ruleTest.explanationNodesMax
  const printNext = (result: RuleTestResult): ExplanationBody | null => {
    if (nodesLeft <= 0) return null
    const explanation = result.explain()
    nodesLeft -= countNodes(explanation)
    return printExplanation(explanation)
  }
  return {
    results: results.map((result, index) => ({
      event_index: index,
      matched: result.isMatch,
      matched_conditions: result.matchedConditions,
      ...(isExplained ? { explain: printNext(result) } : {}),
    })),
  }
}

/** Part by part: what the engine may add to its own stays inside. */
function printExplanation(explanation: Explanation): ExplanationBody {
  if ('children' in explanation) {
    const { node, result, children } = explanation
    return { node, result, children: children.map(printExplanation) }
  }
  const { field, op, pattern, actual, result, reason } = explanation
  return { field, op, pattern, actual, result, reason }
}

function countNodes(explanation: Explanation): number {
  return 'children' in explanation ? explanation.children.reduce((count, child) => count + countNodes(child), 1) : 1
}

function printRuleSummary(rule: Rule): Omit<RuleEntry, 'stats'> {
  const { category = '', product = '', service = '' } = rule.logsource
  return {
    id: rule.id,
    title: rule.title,
    level: consoleLevels[rule.level],
    ...(rule.level === 'informational' ? { severity_raw: 'info' } : {}),
    status: rule.maturity,
    enabled: rule.isEnabled && rule.lifecycle === 'published',
    logsource: { category, product, service },
    [mitreKey]: { tactics: [...rule.attack.tactics], techniques: [...rule.attack.techniques] },
    created_at: printInstant(rule.createdAt),
    updated_at: printInstant(rule.updatedAt),
  }
}

function printInstant(ms: number): string {
  return new Date(ms).toISOString()
}
