import { ruleMatchListSchema, ruleMatchQuerySchema } from '@tripline/contract/console/rule'
import type { RuleMatchBody, RuleMatchList } from '@tripline/contract/console/rule'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { readIdParam } from '../../http/id-param.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { printList } from '../../http/lists/print-list.ts'
import { toRangeFilter, readList } from '../../http/lists/read-list.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { readQuery } from '../../http/validate.ts'
import type { Clock } from '../../runtime/runtime.ts'
import { listRuleMatches } from './rule-matches.ts'
import type { ListedMatch, RuleMatchDeps } from './rule-matches.ts'

type RuleMatchRouteDeps = RuleMatchDeps & { readonly clock: Clock }

/** Route for the matches of a rule, each with the verdict of its alert. */
export function ruleMatchRoutes(app: RuleMatchRouteDeps): Route[] {
  return [{
    method: 'GET', path: '/v1/detection/rules/:id/matches', access: 'read', summary: 'Lists the matches of a rule',
    query: ruleMatchQuerySchema, list: lists.matches, responses: { 200: ruleMatchListSchema },
    handle: (c) => handleMatches(app, c),
  }]
}

async function handleMatches(app: RuleMatchRouteDeps, c: RequestContext): Promise<Response> {
  const { query, warnings } = readQuery(c, ruleMatchQuerySchema)
  const { from, to, ...paging } = query
  const listed = readList(lists.matches, paging, toRangeFilter(c, 'timestamp', { from, to }))
  const ruleId = readIdParam(c)
  const { entries, ...page } = await listRuleMatches(app, getPrincipal(c).tenant, ruleId, listed.request)
  const body: RuleMatchList = {
    rule_id: ruleId,
    matches: entries.map(printRuleMatch),
    ...printList(page, { tookMs: app.clock.elapsedMs() - c.get('startedMs'), warnings: [...warnings, ...listed.warnings] }),
  }
  return respond(c, body)
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
