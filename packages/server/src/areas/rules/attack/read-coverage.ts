import { tactics as attackTactics } from '@tripline/model/attack'
import { isRunning } from '@tripline/model/rule'
import type { TenantId } from '@tripline/model/tenant'
import { computeCoverage } from '@tripline/rule-tools'
import type { Coverage } from '@tripline/rule-tools'
import { getRuleHealth } from '../rule-health.ts'
import type { RuleHealthReport } from '../rule-health.ts'
import type { RuleDeps } from '../rules.ts'

export type CoverageDeps = Pick<RuleDeps, 'ruleBooks' | 'activity'>

/** States in which something keeps a rule from matching. */
const unhealthy: ReadonlySet<RuleHealthReport['state']> = new Set(['field_never_seen', 'broken', 'idle'])

/**
 * Reads what the rules of a tenant cover of ATT&CK, with tactics in the order of its matrix. `matchesOf` counts the matches of a rule;
 * by default all since their counting began.
 */
export async function readCoverage(
  { ruleBooks, activity }: CoverageDeps, tenant: TenantId, matchesOf?: (ruleId: string) => number,
): Promise<Coverage> {
  const book = await ruleBooks.get(tenant)
  const { totalsOf, healthOf } = await activity.of(tenant)
  const health = healthOf()
  const coverage = computeCoverage(book.rules.map((loaded) => {
    const { rule } = loaded
    const { state } = getRuleHealth(loaded, book, health)
    return {
      tags: rule.tags, isEnabled: isRunning(rule), hasData: state !== 'never_routed', isHealthy: !unhealthy.has(state),
      matchCount: matchesOf === undefined ? totalsOf(rule.id).matches : matchesOf(rule.id),
    }
  }))
  return { ...coverage, tactics: inMatrixOrder(coverage.tactics) }
}

/** Tactics as the matrix of ATT&CK has them from left to right. */
function inMatrixOrder(rows: Coverage['tactics']): Coverage['tactics'] {
  return rows.toSorted((one, other) => getPlace(one.tactic) - getPlace(other.tactic))
}

/** The place of a tactic in the matrix of ATT&CK; one that it lacks comes last. */
function getPlace(tactic: string): number {
  const place = attackTactics.findIndex(({ name }) => name === tactic)
  return place === -1 ? attackTactics.length : place
}
