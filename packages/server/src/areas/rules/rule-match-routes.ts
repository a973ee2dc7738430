import { ruleMatchListSchema, ruleMatchQuerySchema } from '@tripline/contract/console/rule'
import type { RuleMatchBody } from '@tripline/contract/console/rule'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { readIdParam } from '../../http/id-param.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { listRoute } from '../../http/lists/list-route.ts'
import type { ListRouteDeps } from '../../http/lists/list-route.ts'
import { toRangeFilter } from '../../http/lists/read-list.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { listRuleMatches } from './rule-matches.ts'
import type { ListedMatch, RuleMatchDeps } from './rule-matches.ts'

/** Route for the matches of a rule, each with the verdict of its alert. */
export function ruleMatchRoutes(deps: RuleMatchDeps & ListRouteDeps): Route[] {
  return [listRoute(deps, {
    path: '/v1/detection/rules/:id/matches', access: 'read', summary: 'Lists the matches of a rule', name: 'matches', isRecorded: true,
    list: lists.matches, query: ruleMatchQuerySchema, response: ruleMatchListSchema,
    toWhere: ({ from, to }, c) => toRangeFilter(c, 'timestamp', { from, to }),
    readPage: async (c, request) => {
      const { entries, ...page } = await listRuleMatches(deps, getPrincipal(c).tenant, readIdParam(c), request)
      return { ...page, entries: entries.map(printRuleMatch) }
    },
    printRest: (c) => ({ rule_id: readIdParam(c) }),
  })]
}

function printRuleMatch(match: ListedMatch): RuleMatchBody {
  const { processName, commandLine, user, host, statedTime } = match.event
  return {
    match_id: match.id,
    alert_id: match.alertId,
    event_id: match.eventId ?? null,
    timestamp: formatTimestamp(match.matchedAt),
    event: { process_name: processName, command_line: commandLine, user, host, timestamp: statedTime },
    verdict: match.verdict,
    reviewed_by: match.reviewedBy ?? null,
    reviewed_at: formatTimestamp(match.reviewedAt),
  }
}
