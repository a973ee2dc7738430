import { mitreKey } from '@tripline/contract/console/rule'
import type { ExplanationBody, RuleDetail, RuleEntry, RuleTestResultBody } from '@tripline/contract/console/rule'
import type { ChangedRuleBody } from '@tripline/contract/console/rule-change'
import type { Explanation } from '@tripline/engine'
import { consoleLevels } from '@tripline/model/level'
import { isRunning } from '@tripline/model/rule'
import type { Rule, RuleException } from '@tripline/model/rule'
import type { RuleChange } from './change-rule.ts'
import type { RuleHealthReport } from './rule-health.ts'
import type { RuleCostFigures } from './rule-stats.ts'
import { judgeRule } from './rule-verdict.ts'
import type { RuleTestResult } from './tests/rule-test-result.ts'
import { computeMatchRate } from './rules.ts'
import type { RuleWithTotals } from './rule-list.ts'
import type { RuleWithStats, VerdictCounts } from './rules.ts'
import { printEtag } from '../../http/etag.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'

/** What a list entry and the detail of a rule have in common. */
type RuleSummary = Pick<
  RuleEntry, 'id' | 'title' | 'level' | 'severity_raw' | 'status' | 'enabled' | 'logsource' | typeof mitreKey | 'created_at' | 'updated_at'
>

/** Prints a rule as a list entry. */
export function printRuleEntry({ rule, totals, verdicts, lastWeek, cost, health, hourlyMatches, updatedBy }: RuleWithTotals): RuleEntry {
  return {
    ...printRuleSummary(rule),
    stats: {
      evaluations_total: totals.evaluations,
      matches_total: totals.matches,
      true_positives: verdicts.truePositives,
      false_positives: verdicts.falsePositives,
      match_rate: computeMatchRate(totals),
    },
    cost: printCost(cost),
    version: rule.version,
    health: printHealth(health),
    matches_by_hour: [...hourlyMatches],
    false_positive_share_7d: computeFalseShare(lastWeek),
    verdict: judgeRule({ health, verdicts, cost }),
    updated_by: updatedBy ?? null,
  }
}

/** The share of false ones among judged alerts, to four decimals; null where none was judged. */
function computeFalseShare({ truePositives, falsePositives }: VerdictCounts): number | null {
  const judged = truePositives + falsePositives
  return judged === 0 ? null : Math.round((falsePositives / judged) * 1e4) / 1e4
}

/** Prints a rule with all attributes and recent statistics. */
export function printRuleDetail(detail: RuleWithStats): RuleDetail {
  const { rule, lastDay, lastWeek, cost, health, requiredFields, tests, nowMs } = detail
  return {
    ...printRuleSummary(rule),
    description: rule.description,
    author: rule.author,
    date: rule.date ?? formatDate(rule.createdAt),
    modified: rule.modified ?? formatDate(rule.updatedAt),
    false_positives: [...rule.falsePositives],
    references: [...rule.references],
    tags: [...rule.tags],
    stats: {
      evaluations_last_24h: lastDay.evaluations,
      matches_last_24h: lastDay.matches,
      true_positives_last_7d: lastWeek.truePositives,
      false_positives_last_7d: lastWeek.falsePositives,
    },
    cost: printCost(cost),
    definition: rule.definition,
    lifecycle: rule.lifecycle,
    origin: rule.origin,
    version: rule.version,
    etag: printEtag(rule.version),
    tests: [...tests],
    filters: rule.exceptions.map((exception) => printException(exception, nowMs)),
    required_fields: requiredFields.map(({ field, isSeen: seen }) => ({ field, seen })),
    health: printHealth(health),
  }
}

function printHealth({ state, problem }: RuleHealthReport): RuleEntry['health'] {
  return { state, problem: problem ?? null }
}

/** Prints a rule after a change. */
export function printChangedRule(detail: RuleWithStats, { effectiveFromOffset, warnings }: RuleChange): ChangedRuleBody {
  return { ...printRuleDetail(detail), effective_from_offset: effectiveFromOffset ?? null, warnings: [...warnings] }
}

function printException(exception: RuleException, nowMs: number): RuleDetail['filters'][number] {
  const { id, title, detection, owner, reason, createdAt, expiresAt } = exception
  return {
    id, title, detection: { ...detection }, owner, reason,
    created_at: formatTimestamp(createdAt), expires_at: formatTimestamp(expiresAt), active: expiresAt > nowMs,
  }
}

/** The day of an instant, in UTC. */
function formatDate(instant: number): string {
  return formatTimestamp(instant).slice(0, 10)
}

function printCost(cost: RuleCostFigures | undefined): RuleDetail['cost'] {
  if (cost === undefined) return null
  return { ns_per_event_p50: cost.nsPerEventP50, ns_per_event_p99: cost.nsPerEventP99, cpu_share_percent: cost.cpuSharePercent }
}

/** Prints test results; null for an explanation that was requested and left out. */
export function printTestResults(
  results: readonly RuleTestResult[],
  { isExplained }: { isExplained: boolean },
): RuleTestResultBody {
  return {
    results: results.map((result, index) => ({
      event_index: index,
      matched: result.isMatch,
      matched_conditions: result.matchedConditions,
      ...(result.hint !== undefined && { hint: result.hint }),
      ...(isExplained ? { explain: result.explanation === undefined ? null : printExplanation(result.explanation) } : {}),
    })),
  }
}

/** Copies field by field, so that internal fields of the engine are not exposed. */
function printExplanation(explanation: Explanation): ExplanationBody {
  if ('children' in explanation) {
    const { node, result, children } = explanation
    return { node, result, children: children.map(printExplanation) }
  }
  const { field, op, pattern, actual, result, reason } = explanation
  return { field, op, pattern, actual, result, reason }
}

function printRuleSummary(rule: Rule): RuleSummary {
  const { category = '', product = '', service = '' } = rule.logsource
  return {
    id: rule.id,
    title: rule.title,
    level: consoleLevels[rule.level],
    ...(rule.level === 'informational' ? { severity_raw: 'info' } : {}),
    status: rule.maturity,
    enabled: isRunning(rule),
    logsource: { category, product, service },
    [mitreKey]: { tactics: [...rule.attack.tactics], techniques: [...rule.attack.techniques] },
    created_at: formatTimestamp(rule.createdAt),
    updated_at: formatTimestamp(rule.updatedAt),
  }
}
