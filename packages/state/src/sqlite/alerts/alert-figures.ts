import { sql } from 'kysely'
import type { Expression, Kysely, SqlBool } from 'kysely'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import type { AlertFacts, AlertStore, AlertTimeCount } from '../../ports/alert-store.ts'
import type { ListSelection } from '../../ports/list-query.ts'
import { alertList, isCountedSelection } from '../lists/alert-list.ts'
import { buildSelectionConditions } from '../lists/list-page.ts'
import { isUsuallyTrue } from '../query/dialect.ts'
import { parseLevelRank } from '../rows/alert-row.ts'
import { parseTextList } from '../rows/stored-list.ts'
import type { AlertRow, Tables } from '../rows/tables.ts'

type AlertFigures = Pick<AlertStore, 'countOverTime' | 'newest' | 'answerTimes' | 'oldestAt'>

const dayMs = 86_400_000

const factColumns = [
  'id', 'ruleId', 'ruleTitle', 'level', 'status', 'verdict', 'version', 'assignee', 'source', 'host', 'userName', 'tactics',
  'createdAt', 'lastSeenAt',
] as const satisfies readonly (keyof AlertRow)[]

/** Counts the alerts of a span of time by level and status. */
type SpanCounter = (from: number, to: number) => Promise<readonly (Pick<AlertRow, 'level' | 'status'> & { readonly count: number })[]>
type CounterBuilder = (db: Kysely<Tables>, tenant: string, selection: ListSelection) => Promise<SpanCounter>

/**
 * A selection of statuses and levels only: each pair of them is a range of the index `alerts_by_status`, so no row is read. The
 * maintained counts tell which pairs there are.
 */
const countByIndex: CounterBuilder = async (db, tenant, selection) => {
  let known = db.selectFrom('alertCounts').select(['status', 'level']).where('tenantId', '=', tenant).where('count', '>', 0)
  for (const condition of buildSelectionConditions(alertList, selection)) known = known.where(condition)
  const pairs = await known.execute()
  return async (from, to) => {
    const counted = []
    for (const { status, level } of pairs) {
      const { rows } = await sql<{ readonly count: number }>`select count(*) as count from alerts
        where tenant_id = ${tenant} and status = ${status} and level = ${level}
          and created_at >= ${from} and created_at < ${to}`.execute(db)
      const count = rows[0]?.count ?? 0
      if (count > 0) counted.push({ status, level, count })
    }
    return counted
  }
}

/** Any other selection: the rows of the span are read. */
const countRows: CounterBuilder = async (db, tenant, selection) => {
  const conditions: readonly Expression<SqlBool>[] = buildSelectionConditions(alertList, selection)
  return async (from, to) => {
    let counting = db.selectFrom('alerts').select(['level', 'status', (eb) => eb.fn.countAll<number>().as('count')])
    for (const condition of conditions) counting = counting.where(condition)
    const inSpan = counting.where('tenantId', '=', tenant).where('createdAt', '>=', from).where('createdAt', '<', to)
    return await inSpan.groupBy(['level', 'status']).execute()
  }
}

/** Figures about many alerts, read in pieces that each take milliseconds: SQLite answers on the thread of the server. */
export function alertFigures(db: Kysely<Tables>): AlertFigures {
  return {
    async countOverTime(tenant, selection, { edges, signal }) {
      const counter = isCountedSelection(selection) ? countByIndex : countRows
      const count = await counter(db, tenant, selection)
      const counts: AlertTimeCount[] = []
      for (let span = edges.length - 2; span >= 0; span--) {
        if (signal.aborted) return { counts, countedFrom: span + 1 }
        const [from = 0, to = 0] = edges.slice(span, span + 2)
        const rows = await count(from, to)
        counts.push(...rows.map((row) => ({ span, level: parseLevelRank(row.level), status: row.status, count: row.count })))
        await othersFirst()
      }
      return { counts, countedFrom: 0 }
    },
    async newest(tenant, selection, { limit }) {
      const found: AlertFacts[] = []
      const conditions = buildSelectionConditions(alertList, selection)
      while (found.length < limit) {
        const rowsMax = Math.min(limits.state.factRowsMax, limit - found.length)
        let reading = db.selectFrom('alerts').select(factColumns).where('tenantId', '=', tenant)
        for (const condition of conditions) reading = reading.where(condition)
        const last = found.at(-1)
        if (last !== undefined) reading = reading.where(isUsuallyTrue(sql<SqlBool>`(created_at, id) < (${last.createdAt}, ${last.id})`))
        const rows = await reading.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(rowsMax).execute()
        for (const { level, assignee, userName: user, tactics, ...row } of rows) {
          found.push({
            ...row, level: parseLevelRank(level), assignee: assignee === '' ? undefined : assignee, user, tactics: parseTextList(tactics),
          })
        }
        if (rows.length < rowsMax) break
        await othersFirst()
      }
      return found
    },
    async answerTimes(tenant, answer, { from, to }, options) {
      const conditions = options === undefined ? [] : buildSelectionConditions(alertList, options.selection)
      const selected = sql.join([sql`1`, ...conditions], sql` and `)
      const column = sql.ref(answer === 'acknowledged' ? 'acknowledged_at' : 'closed_at')
      let [count, sumMs] = [0, 0]
      // A day at a time: the index alone is read, and others run between two days.
      for (let start = from; start < to && options?.signal.aborted !== true; start += dayMs) {
        const { rows } = await sql<{ readonly count: number; readonly sum: number | null }>`
          select count(*) as count, sum(${column} - created_at) as sum from alerts
          where tenant_id = ${tenant} and ${column} > 0
            and ${column} >= ${start} and ${column} < ${Math.min(to, start + dayMs)} and ${selected}`.execute(db)
        count += rows[0]?.count ?? 0
        sumMs += rows[0]?.sum ?? 0
        await othersFirst()
      }
      return { count, meanMs: count === 0 ? undefined : Math.max(0, sumMs / count) }
    },
    async oldestAt(tenant) {
      const oldest = db.selectFrom('alerts').select('createdAt').where('tenantId', '=', tenant).orderBy('createdAt').orderBy('id')
      return (await oldest.limit(1).executeTakeFirst())?.createdAt
    },
  }
}
