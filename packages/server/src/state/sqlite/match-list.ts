import type { Kysely } from 'kysely'
import { matchFields } from '../../model/lists/list-fields.ts'
import type { RuleMatchPage } from '../ports/alert-store.ts'
import type { ListQuery } from '../ports/list-query.ts'
import type { ListColumns } from './query/filter-condition.ts'
import { buildColumnKeyset, applyKeyset, splitPage } from './query/keyset.ts'
import { countBounded, countedRowsMax, buildListConditions } from './query/list-filter.ts'
import { parseEventRef } from './rows/alert-row.ts'
import type { Tables } from './rows/tables.ts'

const matchColumns: ListColumns<typeof matchFields> = {
  entries: 'matches',
  fields: matchFields,
  columns: {
    timestamp: 'alertMatches.matchedAt',
    verdict: 'alerts.verdict',
    host: 'alertMatches.host',
    user: 'alertMatches.userName',
    process_name: 'alertMatches.processName',
  },
}

const textColumns = ['alertMatches.commandLine', 'alertMatches.host', 'alertMatches.userName']

/** Lists a page of the matches of a rule; the verdict of an alert applies to all its matches. */
export async function selectRuleMatches(
  db: Kysely<Tables>,
  tenant: string,
  ruleId: string,
  query: ListQuery,
): Promise<RuleMatchPage> {
  const keys = buildColumnKeyset(matchColumns, query.sort, 'alertMatches.matchId')
  let all = db
    .selectFrom('alertMatches')
    .innerJoin('alerts', (join) =>
      join.onRef('alerts.tenantId', '=', 'alertMatches.tenantId').onRef('alerts.id', '=', 'alertMatches.alertId'))
    .where('alertMatches.tenantId', '=', tenant)
    .where('alertMatches.ruleId', '=', ruleId)
  for (const condition of buildListConditions(matchColumns, textColumns, query)) all = all.where(condition)
  const page = all.select([
    'alertMatches.matchId', 'alertMatches.alertId', 'alertMatches.matchedAt', 'alertMatches.eventAt', 'alertMatches.eventOffset',
    'alertMatches.host', 'alertMatches.userName', 'alertMatches.processName', 'alertMatches.commandLine', 'alertMatches.statedTime',
    'alerts.verdict', 'alerts.reviewedBy', 'alerts.reviewedAt',
  ])
  const rows = await applyKeyset(page, keys, query).limit(query.limit + 1).execute()
  const { shown, last } = splitPage(rows, query.limit)
  return {
    matches: shown.map(({ matchId: id, alertId, matchedAt, host, userName: user, processName, commandLine, statedTime, ...row }) => ({
      id, ruleId, alertId, matchedAt, eventRef: parseEventRef(row),
      event: { processName, commandLine, user, host, statedTime }, verdict: row.verdict,
      reviewedBy: row.reviewedAt === 0 ? undefined : row.reviewedBy,
      reviewedAt: row.reviewedAt === 0 ? undefined : row.reviewedAt,
    })),
    next: last && (keys.length === 1 ? [last.matchId] : [last.matchedAt, last.matchId]),
    total: await countBounded(db, all.select('alertMatches.matchId').limit(countedRowsMax)),
  }
}
