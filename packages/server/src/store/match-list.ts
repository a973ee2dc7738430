import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { isJsonObject, parseJson } from '../domain/json.ts'
import { matchEventOf } from '../domain/match-event.ts'
import type { MatchEvent } from '../domain/match-event.ts'
import { limits } from '../limits.ts'
import type { MatchPage, MatchQuery } from './store.ts'
import type { Tables } from './tables.ts'

/** Lists a page of the matches of a rule. One whose own event is not kept any more shows that of its alert. */
export async function listRuleMatches(
  db: Kysely<Tables>, tenant: string, { ruleId, from, to, order, page, size }: MatchQuery,
): Promise<MatchPage> {
  let all = db
    .selectFrom('alertMatches')
    .innerJoin('alerts', (join) =>
      join.onRef('alerts.tenantId', '=', 'alertMatches.tenantId').onRef('alerts.id', '=', 'alertMatches.alertId'))
    .where('alertMatches.tenantId', '=', tenant)
    .where('alerts.ruleId', '=', ruleId)
  if (from !== undefined) all = all.where('alertMatches.matchedAt', '>=', from)
  if (to !== undefined) all = all.where('alertMatches.matchedAt', '<', to)
  const direction = order === 'newest_first' ? 'desc' : 'asc'
  const rows = await all
    .select([
      'alertMatches.matchId', 'alertMatches.matchedAt', 'alertMatches.event', 'alerts.verdict',
      'alerts.processName', 'alerts.commandLine', 'alerts.userName', 'alerts.host', 'alerts.statedTime',
    ])
    .orderBy('alertMatches.matchedAt', direction)
    .orderBy('alertMatches.matchId', direction)
    .offset((page - 1) * size)
    .limit(size)
    .execute()
  const { total } = await all.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  return {
    total: Number(total),
    matches: rows.map(({ matchId: id, matchedAt, event, verdict, userName: user, ...alert }) => {
      const { processName, commandLine, host, statedTime } = alert
      const shown = (event === null ? undefined : shownOf(event)) ?? { processName, commandLine, user, host, statedTime }
      return { id, ruleId, matchedAt, event: shown, verdict, reviewedBy: undefined, reviewedAt: undefined }
    }),
  }
}

function shownOf(event: string): MatchEvent | undefined {
  const parsed = parseJson(event)
  return 'value' in parsed && isJsonObject(parsed.value) ? matchEventOf(parsed.value, limits.matches.fieldLengthMax) : undefined
}
