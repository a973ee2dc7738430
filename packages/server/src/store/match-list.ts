import { sql } from 'kysely'
import type { Expression, Kysely, SqlBool } from 'kysely'
import { matchFields } from '../domain/list-fields.ts'
import { limits } from '../limits.ts'
import type { ListedQuery, RuleMatchPage } from './alert-store.ts'
import { filterCondition, textCondition } from './filter-condition.ts'
import type { ListColumns } from './filter-condition.ts'
import { comesAfter, listKeys } from './list-keys.ts'
import type { Tables } from './tables.ts'

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

/** Lists a page of the matches of a rule; what was said of an alert was said of all its matches. */
export async function listRuleMatches(
  db: Kysely<Tables>,
  tenant: string,
  ruleId: string,
  query: ListedQuery,
): Promise<RuleMatchPage> {
  const keys = listKeys(matchColumns, query.sort, 'alertMatches.matchId')
  let all = db
    .selectFrom('alertMatches')
    .innerJoin('alerts', (join) =>
      join.onRef('alerts.tenantId', '=', 'alertMatches.tenantId').onRef('alerts.id', '=', 'alertMatches.alertId'))
    .where('alertMatches.tenantId', '=', tenant)
    .where('alertMatches.ruleId', '=', ruleId)
  for (const condition of conditionsOf(query)) all = all.where(condition)
  let page = all.select([
    'alertMatches.matchId', 'alertMatches.matchedAt', 'alertMatches.host', 'alertMatches.userName', 'alertMatches.processName',
    'alertMatches.commandLine', 'alertMatches.statedTime', 'alerts.verdict', 'alerts.reviewedBy', 'alerts.reviewedAt',
  ])
  if (query.after !== undefined) page = page.where(comesAfter(keys, query.after))
  for (const { column, direction } of keys) page = page.orderBy(sql.ref(column), direction)
  if (query.skip !== undefined && query.skip > 0) page = page.offset(query.skip)
  const rows = await page.limit(query.limit + 1).execute()
  const shown = rows.slice(0, query.limit)
  const last = rows.length > shown.length ? shown.at(-1) : undefined
  const { countedMax } = limits.state
  const bounded = all.select('alertMatches.matchId').limit(countedMax + 1).as('found')
  const { total } = await db.selectFrom(bounded).select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return {
    matches: shown.map(({ matchId: id, matchedAt, host, userName: user, processName, commandLine, statedTime, ...review }) => ({
      id, ruleId, matchedAt, event: { processName, commandLine, user, host, statedTime }, verdict: review.verdict,
      reviewedBy: review.reviewedAt === 0 ? undefined : review.reviewedBy,
      reviewedAt: review.reviewedAt === 0 ? undefined : review.reviewedAt,
    })),
    next: last && (keys.length === 1 ? [last.matchId] : [last.matchedAt, last.matchId]),
    total: { count: Math.min(total, countedMax), isExact: total <= countedMax },
  }
}

function conditionsOf({ filter, narrowing = [], text = '' }: ListedQuery): Expression<SqlBool>[] {
  const filters = filter === undefined ? narrowing : [...narrowing, filter]
  const conditions = filters.map((filter) => filterCondition(matchColumns, filter))
  return text === '' ? conditions : [...conditions, textCondition(textColumns, text)]
}
