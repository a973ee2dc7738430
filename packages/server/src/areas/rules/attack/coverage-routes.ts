import { coverageQuerySchema, coverageSchema, navigatorLayerSchema } from '@tripline/contract/console/rules/coverage'
import type { CoverageBody } from '@tripline/contract/console/rules/coverage'
import { tactics as attackTactics } from '@tripline/model/attack'
import { isRunning } from '@tripline/model/rule'
import type { TenantId } from '@tripline/model/tenant'
import { attackVersion, computeCoverage, toNavigatorLayer } from '@tripline/rule-tools'
import type { Coverage, CoverageCounts } from '@tripline/rule-tools'
import { z } from 'zod'
import { respond } from '../../../http/respond.ts'
import { getPrincipal } from '../../../http/route.ts'
import type { Route } from '../../../http/route.ts'
import { readQuery } from '../../../http/validate.ts'
import { getRuleHealth } from '../rule-health.ts'
import type { RuleHealthReport } from '../rule-health.ts'
import type { RuleDeps } from '../rules.ts'

type CoverageDeps = Pick<RuleDeps, 'ruleBooks' | 'activity'>

/** States in which something keeps a rule from matching. */
const unhealthy: ReadonlySet<RuleHealthReport['state']> = new Set(['field_never_seen', 'broken', 'idle'])

/** Route that tells what the rules of a tenant cover of ATT&CK. */
export function coverageRoutes(deps: CoverageDeps): Route[] {
  return [{
    method: 'GET', path: '/v1/detection/coverage', access: 'read', isCompressed: true,
    summary: 'Returns what the rules cover of ATT&CK: for each technique how many are enabled, see data, are healthy, and matched',
    query: coverageQuerySchema, responses: { 200: z.union([coverageSchema, navigatorLayerSchema]) },
    handle: async (c) => {
      const { format, layer } = readQuery(c, coverageQuerySchema).query
      const coverage = await readCoverage(deps, getPrincipal(c).tenant)
      return respond(c, format === 'navigator' ? { ...toNavigatorLayer(coverage, layer) } : printCoverage(coverage))
    },
  }]
}

async function readCoverage({ ruleBooks, activity }: CoverageDeps, tenant: TenantId): Promise<Coverage> {
  const book = await ruleBooks.get(tenant)
  const { totalsOf, healthOf } = await activity.of(tenant)
  const health = healthOf()
  return computeCoverage(book.rules.map((loaded) => {
    const { rule } = loaded
    const { state } = getRuleHealth(loaded, book, health)
    return {
      tags: rule.tags, isEnabled: isRunning(rule), hasData: state !== 'never_routed', isHealthy: !unhealthy.has(state),
      matchCount: totalsOf(rule.id).matches,
    }
  }))
}

function printCoverage({ tactics, techniques, totals }: Coverage): CoverageBody {
  return {
    attack_version: attackVersion,
    tactics: inMatrixOrder(tactics).map(({ tactic, techniques: all, coveredTechniques, ...counts }) => {
      return { tactic, techniques: all, covered_techniques: coveredTechniques, ...printCounts(counts) }
    }),
    techniques: techniques.map(({ technique, tactics: names, state, ...counts }) => {
      return { technique, tactics: [...names], state, ...printCounts(counts) }
    }),
    totals: { ...printCounts(totals), untagged: totals.untagged },
  }
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

function printCounts({ rules, enabled, withData, effective, matches }: CoverageCounts) {
  return { rules, enabled, with_data: withData, effective, matches }
}
