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
      const coverage = await readCoverage(deps, getPrincipal(c).tenant)
      return respond(c, format === 'navigator' ? { ...toNavigatorLayer(coverage, layer) } : printCoverage(coverage))
    },
  }]
}

function printCoverage({ tactics, techniques, totals }: Coverage): CoverageBody {
  return {
    attack_version: attackVersion,
    tactics: tactics.map(({ tactic, techniques: all, coveredTechniques, ...counts }) => {
      return { tactic, techniques: all, covered_techniques: coveredTechniques, ...printCounts(counts) }
    }),
    techniques: techniques.map(({ technique, tactics: names, state, ...counts }) => {
      return { technique, name: findTechniqueName(technique) ?? '', tactics: [...names], state, ...printCounts(counts) }
    }),
    totals: { ...printCounts(totals), untagged: totals.untagged },
  }
}

function printCounts({ rules, enabled, withData, effective, matches }: CoverageCounts) {
  return { rules, enabled, with_data: withData, effective, matches }
}
