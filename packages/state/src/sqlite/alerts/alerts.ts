import { addMatch, createAlert, changeAlert } from '@tripline/model/alert'
import type { Alert, NewAlert } from '@tripline/model/alert'
import { nextEdit } from '@tripline/model/edited-version'
import { levelRank } from '@tripline/model/level'
import { sql } from 'kysely'
import type { Kysely, SqlBool } from 'kysely'
import { limits } from '../../limits.ts'
import type { AlertInsertion, AlertStore, AlertVerdicts, JudgedAlerts } from '../../ports/alert-store.ts'
import type { WithoutList } from '../../ports/list-query.ts'
import { alertFigures } from './alert-figures.ts'
import { insertMembers, listAlertsOfEvent } from './alert-members.ts'
import { removeOldAlerts } from './expire-alerts.ts'
import { widenIncident } from '../incidents/widen-incident.ts'
import { compareAndSet } from '../query/compare-and-set.ts'
import { inTransaction } from '../query/database.ts'
import { levelOfRank, parseAlertRow, parseEventRef, toAlertColumns, toEventRefColumns } from '../rows/alert-row.ts'
import type { Tables } from '../rows/tables.ts'

const noVerdicts: AlertVerdicts = { true_positive: 0, false_positive: 0, benign: 0, unreviewed: 0 }

/** Stores alerts with their matches, comments and counts. */
export function alertStore(db: Kysely<Tables>): WithoutList<AlertStore> {
  const get = async (tenant: string, id: string) => {
    const row = await db.selectFrom('alerts').selectAll().where('tenantId', '=', tenant).where('id', '=', id).executeTakeFirst()
    return row === undefined ? undefined : parseAlertRow(row)
  }
  return {
    ...alertFigures(db),
    insert: (tenant, matches) =>
      inTransaction(db, async (db) => {
        const insertions: AlertInsertion[] = []
        for (const match of matches) insertions.push(await insertAlertMatch(db, tenant, match))
        return insertions
      }),
    get,
    update: (tenant, id, { comment, ...change }, terms) =>
      inTransaction(db, (db) =>
        compareAndSet(terms, {
          read: () => alertStore(db).get(tenant, id),
          next: (current) => {
            const changed = changeAlert(current, change, terms.at)
            // A comment alone is a change of the alert too.
            if (changed !== current || comment === undefined) return changed
            return { ...current, ...nextEdit(current), updatedAt: terms.at }
          },
          write: async (next, current) => {
            if (!(await writeAlert(db, tenant, next, current))) return false
            if (comment !== undefined) {
              await db.insertInto('alertComments').values({ ...comment, tenantId: tenant, alertId: id, createdAt: terms.at }).execute()
            }
            return true
          },
        }),
      ),
    async comments(tenant, id) {
      const selecting = db.selectFrom('alertComments').select(['id', 'author', 'text', 'createdAt'])
      return await selecting.where('tenantId', '=', tenant).where('alertId', '=', id).orderBy('createdAt').orderBy('id').execute()
    },
    async evidence(tenant, id) {
      const selecting = db.selectFrom('alertMatches').select(['matchId', 'matchedAt', 'event', 'eventAt', 'eventOffset'])
        .where('tenantId', '=', tenant)
      const rows = await selecting.where('alertId', '=', id).where('event', 'is not', null).orderBy('number').execute()
      return rows.map(({ matchId, matchedAt, event, ...ref }) => ({ matchId, matchedAt, event: event ?? '', eventRef: parseEventRef(ref) }))
    },
    removeOld: (tenant, which) => inTransaction(db, (db) => removeOldAlerts(db, tenant, which)),
    async alertsOfEvent(tenant, ref) {
      return await listAlertsOfEvent(db, tenant, ref)
    },
    async alertOfMatch(tenant, matchId) {
      const selecting = db.selectFrom('alertMatches').select('alertId').where('tenantId', '=', tenant)
      return (await selecting.where('matchId', '=', matchId).executeTakeFirst())?.alertId
    },
    async verdicts(tenant, ruleIds) {
      const selecting = db.selectFrom('verdictCounts').select(['ruleId', 'verdict', 'count']).where('tenantId', '=', tenant)
      const rows = ruleIds.length === 0 ? [] : await selecting.where('ruleId', 'in', ruleIds).execute()
      const found = new Map<string, AlertVerdicts>()
      for (const { ruleId, verdict, count } of rows) found.set(ruleId, { ...(found.get(ruleId) ?? noVerdicts), [verdict]: count })
      return found
    },
    async judgedSince(tenant, ruleIds, since) {
      if (ruleIds.length === 0) return new Map()
      const counting = db.selectFrom('alerts').select(['ruleId', 'verdict', (eb) => eb.fn.countAll<number>().as('count')])
        .where('tenantId', '=', tenant).where('ruleId', 'in', ruleIds).where('updatedAt', '>=', since)
      // In literals, as the partial index has it: it alone is read.
      const judged = sql<SqlBool>`verdict in ('true_positive', 'false_positive')`
      const rows = await counting.where(judged).groupBy(['ruleId', 'verdict']).execute()
      const found = new Map<string, JudgedAlerts>()
      for (const { ruleId, verdict, count } of rows) {
        const key = verdict === 'true_positive' ? 'truePositives' : 'falsePositives'
        found.set(ruleId, { truePositives: 0, falsePositives: 0, ...found.get(ruleId), [key]: count })
      }
      return found
    },
    async allVerdicts(tenant) {
      const ofTenant = db.selectFrom('verdictCounts').where('tenantId', '=', tenant).groupBy('verdict')
      const rows = await ofTenant.select(['verdict', ({ fn }) => fn.sum<number>('count').as('count')]).execute()
      return { ...noVerdicts, ...Object.fromEntries(rows.map(({ verdict, count }) => [verdict, count])) }
    },
    async countByStatus(tenant) {
      const rows = await db.selectFrom('alertCounts').select(['status', 'level', 'count']).where('tenantId', '=', tenant).execute()
      return rows.flatMap(({ status, level: rank, count }) => {
        const level = levelOfRank.get(rank)
        return level === undefined || count === 0 ? [] : [{ status, level, count }]
      })
    },
    async countSince(tenant, createdAt) {
      const counting = db.selectFrom('alerts').where('tenantId', '=', tenant).where('createdAt', '>=', createdAt)
      const { count } = await counting.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
      return count
    },
  }
}

/** Inserts one match. One pipeline creates a tenant's alerts, batch by batch. */
async function insertAlertMatch(db: Kysely<Tables>, tenantId: string, match: NewAlert): Promise<AlertInsertion> {
  const known = db.selectFrom('alertMatches').select('alertId').where('tenantId', '=', tenantId).where('matchId', '=', match.id)
  const knownRow = await known.executeTakeFirst()
  if (knownRow !== undefined) return { outcome: 'known', alertId: knownRow.alertId }

  const group = await findOpenAlert(db, tenantId, match)
  if (group === undefined) {
    const alert = createAlert(match)
    await db.insertInto('alerts').values({ ...toAlertColumns(alert), tenantId }).execute()
    await adjustCounts(db, tenantId, alert, 1)
    await insertMatch(db, tenantId, alert, match)
    return { outcome: 'created', alertId: alert.id }
  }
  const grown = addMatch(group, match)
  if (!(await writeAlert(db, tenantId, grown, group))) throw new Error(`alert '${group.id}' changed while a match was added to it`)
  await insertMatch(db, tenantId, grown, match)
  if (grown.firstEventAt < group.firstEventAt || grown.lastEventAt > group.lastEventAt) await widenIncident(db, tenantId, grown)
  return { outcome: 'grouped', alertId: group.id }
}

/**
 * The newest open alert that a match belongs to; the match may also precede the alert's first match, by up to the
 * window.
 */
async function findOpenAlert(db: Kysely<Tables>, tenant: string, { dedupKey, dedupMs, matchedAt }: NewAlert): Promise<Alert | undefined> {
  const selecting = db.selectFrom('alerts').selectAll().where('tenantId', '=', tenant).where('dedupKey', '=', dedupKey)
  const inWindow = selecting.where('createdAt', '>', matchedAt - dedupMs).where('createdAt', '<', matchedAt + dedupMs)
  // Literals, not parameters: the partial index of open alerts is used only if the condition is known.
  const open = inWindow.where(sql<boolean>`status in ('open', 'in_progress')`)
  const newest = open.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(1)
  const row = await newest.executeTakeFirst()
  return row === undefined ? undefined : parseAlertRow(row)
}

/** Stores the match with its event, and drops the event that is now neither among the first nor the last. */
async function insertMatch(db: Kysely<Tables>, tenantId: string, { id: alertId, eventCount }: Alert, match: NewAlert): Promise<void> {
  const { ruleId, matchedAt, event: { user: userName, ...shown }, evidence: event, eventRef, memberRefs } = match
  const row = { tenantId, alertId, matchId: match.id, number: eventCount, ruleId, matchedAt, userName, ...shown, event }
  await db.insertInto('alertMatches').values({ ...row, ...toEventRefColumns(eventRef) }).execute()
  await insertMembers(db, tenantId, alertId, memberRefs)
  const leaving = eventCount - limits.state.lastEventsMax
  if (leaving <= limits.state.firstEventsMax) return
  const emptying = db.updateTable('alertMatches').set({ event: null }).where('tenantId', '=', tenantId)
  await emptying.where('alertId', '=', alertId).where('number', '=', leaving).execute()
}

/** Writes a changed alert if its version is unchanged, and adjusts the counts. */
async function writeAlert(db: Kysely<Tables>, tenant: string, next: Alert, current: Alert): Promise<boolean> {
  // SQLite writes the indexes of all columns that a statement sets, whether they change or not.
  const before = new Map<string, unknown>(Object.entries(toAlertColumns(current)))
  const changed = Object.fromEntries(Object.entries(toAlertColumns(next)).filter(([column, value]) => before.get(column) !== value))
  const writing = db.updateTable('alerts').set(changed).where('tenantId', '=', tenant).where('id', '=', next.id)
  if ((await writing.where('version', '=', current.version).executeTakeFirst()).numUpdatedRows !== 1n) return false
  if (next.status === current.status && next.verdict === current.verdict) return true
  await adjustCounts(db, tenant, current, -1)
  await adjustCounts(db, tenant, next, 1)
  return true
}

/** Counts are updated in the transaction of what they count, so they are always exact. */
async function adjustCounts(db: Kysely<Tables>, tenantId: string, alert: Alert, difference: 1 | -1): Promise<void> {
  const { status, level, ruleId, verdict } = alert
  await db
    .insertInto('alertCounts')
    .values({ tenantId, status, level: levelRank[level], count: difference })
    .onConflict((conflict) =>
      conflict
        .columns(['tenantId', 'status', 'level'])
        .doUpdateSet((eb) => ({ count: eb('alertCounts.count', '+', difference) })),
    )
    .execute()
  await db
    .insertInto('verdictCounts')
    .values({ tenantId, ruleId, verdict, count: difference })
    .onConflict((conflict) =>
      conflict
        .columns(['tenantId', 'ruleId', 'verdict'])
        .doUpdateSet((eb) => ({ count: eb('verdictCounts.count', '+', difference) })),
    )
    .execute()
}
