import { coverageQuerySchema, coverageSchema, navigatorLayerSchema } from '@tripline/contract/console/rules/coverage'
import type { CoverageBody } from '@tripline/contract/console/rules/coverage'
import { attackVersion, findTechniqueName, toNavigatorLayer } from '@tripline/rule-tools'
import type { Coverage, CoverageCounts } from '@tripline/rule-tools'
import { z } from 'zod'
import { respond } from '../../../http/respond.ts'
import { getPrincipal } from '../../../http/route.ts'
import type { Route } from '../../../http/route.ts'
import { readQuery } from '../../../http/validate.ts'
import { readCoverage } from './read-coverage.ts'
import type { CoverageDeps } from './read-coverage.ts'

/** Route that tells what the rules of a tenant cover of ATT&CK. */
export function coverageRoutes(deps: CoverageDeps): Route[] {
  return [{
    method: 'GET', path: '/v1/detection/coverage', access: 'read', isCompressed: true,
    summary: 'Returns what the rules cover of ATT&CK: for each technique how many are enabled, see data, are healthy, and matched',
    query: coverageQuerySchema, responses: { 200: z.union([coverageSchema, navigatorLayerSchema]) },
    handle: async (c) => {
      const { format, layer } = readQuery(c, coverageQuerySchema).query
      const { tenant } = getPrincipal(c)
      const coverage = await readCoverage(deps, tenant)
      if (format === 'navigator') return respond(c, { ...toNavigatorLayer(coverage, layer) })
      const counted = await deps.activity.countMatches(tenant)
      return respond(c, printCoverage(coverage, await readCoverage(deps, tenant, (ruleId) => counted.get(ruleId) ?? 0)))
    },
  }]
}

/** `lately` is the coverage of the same rules with the matches of the last 30 days. */
function printCoverage({ tactics, techniques, totals }: Coverage, lately: Coverage): CoverageBody {
  const ofTactics = new Map(lately.tactics.map(({ tactic, matches }) => [tactic, matches]))
  const ofTechniques = new Map(lately.techniques.map(({ technique, matches }) => [technique, matches]))
  return {
    attack_version: attackVersion,
    tactics: tactics.map(({ tactic, techniques: all, coveredTechniques, ...counts }) => {
      return { tactic, techniques: all, covered_techniques: coveredTechniques, ...printCounts(counts, ofTactics.get(tactic)) }
    }),
    techniques: techniques.map(({ technique, tactics: names, state, ...counts }) => {
      const name = findTechniqueName(technique) ?? ''
      return { technique, name, tactics: [...names], state, ...printCounts(counts, ofTechniques.get(technique)) }
    }),
    totals: { ...printCounts(totals, lately.totals.matches), untagged: totals.untagged },
  }
}

function printCounts({ rules, enabled, withData, effective, matches }: CoverageCounts, lateMatches = 0) {
  return { rules, enabled, with_data: withData, effective, matches, matched_30d: lateMatches }
}
