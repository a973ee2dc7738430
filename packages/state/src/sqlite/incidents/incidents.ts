import { changeIncident, openIncident, withAlerts } from '@tripline/model/incidents/incident'
import type { Incident } from '@tripline/model/incidents/incident'
import { activeIncidentStatuses } from '@tripline/model/incidents/incident-status'
import type { Kysely } from 'kysely'
import type { IncidentStore } from '../../ports/incident-store.ts'
import type { WithoutList } from '../../ports/list-query.ts'
import { inTransaction } from '../query/database.ts'
import { parseAlertRow } from '../rows/alert-row.ts'
import { parseIncidentRow, toIncidentColumns } from '../rows/incident-row.ts'
import type { Tables } from '../rows/tables.ts'
import { changeStored, writeEntries } from './change-incident.ts'
import { findJoinable } from './find-joinable.ts'
import { addMembers, selectMembers, takeMembers, toAddedEntry, toRemovedEntry } from './incident-alerts.ts'
import { removeOldIncidents } from './remove-old-incidents.ts'

/** Stores incidents with their alerts, entities, comments and timelines. */
export function incidentStore(db: Kysely<Tables>): WithoutList<IncidentStore> {
  return {
    insert: (tenantId, stated, alerts, { at, by }) => inTransaction(db, async (db) => {
      const opened = openIncident(stated, at)
      await db.insertInto('incidents').values({ ...toIncidentColumns(opened), tenantId }).execute()
      const { added, entities } = await addMembers(db, tenantId, { incidentId: opened.id, alerts, at })
      const filled: Incident = { ...withAlerts(opened, added), entities }
      const created = { action: 'created', detail: { origin: stated.origin, title: stated.title } } as const
      const entries = [created, ...added.map(toAddedEntry)]
      const incident = { ...filled, timelineLength: entries.length }
      await writeEntries(db, tenantId, { incidentId: opened.id, after: 0, entries, at, by })
      const writing = db.updateTable('incidents').set(toIncidentColumns(incident))
      await writing.where('tenantId', '=', tenantId).where('id', '=', opened.id).execute()
      return incident
    }),
    async get(tenant, id) {
      const row = await db.selectFrom('incidents').selectAll().where('tenantId', '=', tenant).where('id', '=', id).executeTakeFirst()
      return row === undefined ? undefined : parseIncidentRow(row)
    },
    update: (tenant, id, change, terms) =>
      changeStored(db, tenant, { id, terms }, async (_db, current) => changeIncident(current, change, terms.at)),
    addComment: (tenant, id, comment, terms) => changeStored(db, tenant, { id, terms }, async (db, current) => {
      const row = { ...comment, tenantId: tenant, incidentId: id, author: terms.by, createdAt: terms.at }
      await db.insertInto('incidentComments').values(row).execute()
      const entry = { action: 'commented', detail: { comment_id: comment.id, content: comment.text } } as const
      return { next: { ...current, commentCount: current.commentCount + 1 }, entries: [entry] }
    }),
    async comments(tenant, id) {
      const selecting = db.selectFrom('incidentComments').select(['id', 'author', 'text', 'createdAt']).where('tenantId', '=', tenant)
      return await selecting.where('incidentId', '=', id).orderBy('createdAt').orderBy('id').execute()
    },
    addAlerts: (tenant, id, alerts, terms) => changeStored(db, tenant, { id, terms }, async (db, current) => {
      const { added, entities } = await addMembers(db, tenant, { incidentId: id, alerts, at: terms.at })
      return { next: { ...withAlerts(current, added), entities }, entries: added.map(toAddedEntry), isEdit: false }
    }),
    removeAlerts: (tenant, id, alertIds, terms) => changeStored(db, tenant, { id, terms }, async (db, current) => {
      const { next, taken } = await takeMembers(db, tenant, { incident: current, alertIds, at: terms.at })
      return { next, entries: taken.map(toRemovedEntry) }
    }),
    split: (tenant, incident, { from, alerts }, terms) => inTransaction(db, async (db) => {
      const own = incidentStore(db)
      const opened = await own.insert(tenant, incident, [], terms)
      await own.moveAlerts(tenant, { from, to: incident.id, alerts, fromAction: 'split_into', toAction: 'split_from' }, terms)
      return (await own.get(tenant, incident.id)) ?? opened
    }),
    moveAlerts: (tenant, { from, to, alerts, fromAction, toAction }, terms) => inTransaction(db, async (db) => {
      const alertIds = alerts.map(({ id }) => id)
      const always = { ...terms, expectedVersion: undefined }
      const detail = (incidentId: string) => ({ incident_id: incidentId, alert_count: alerts.length, alert_ids: alertIds })
      await changeStored(db, tenant, { id: from, terms: always }, async (db, current) => {
        const { next } = await takeMembers(db, tenant, { incident: current, alertIds, at: terms.at })
        return { next, entries: [{ action: fromAction, detail: detail(to) }] }
      })
      await changeStored(db, tenant, { id: to, terms: always }, async (db, current) => {
        const { added, entities } = await addMembers(db, tenant, { incidentId: to, alerts, at: terms.at })
        return { next: { ...withAlerts(current, added), entities }, entries: [{ action: toAction, detail: detail(from) }] }
      })
    }),
    markMerged: (tenant, id, into, terms) => inTransaction(db, async (db) => {
      const always = { ...terms, expectedVersion: undefined }
      await changeStored(db, tenant, { id, terms: always }, async (_db, current) => {
        const { next, entries } = changeIncident(current, { status: 'closed' }, terms.at)
        return { next: { ...next, mergedInto: into }, entries }
      })
      const comments = await incidentStore(db).comments(tenant, id)
      if (comments.length === 0) return
      const copies = comments.map((comment) => ({ ...comment, tenantId: tenant, incidentId: into }))
      await db.insertInto('incidentComments').values(copies).execute()
      const counting = db.updateTable('incidents').set((eb) => ({ commentCount: eb('commentCount', '+', comments.length) }))
      await counting.where('tenantId', '=', tenant).where('id', '=', into).execute()
    }),
    note: (tenant, id, entry, terms) =>
      changeStored(db, tenant, { id, terms }, async (_db, current) => ({ next: current, entries: [entry], isEdit: false })),
    async alerts(tenant, id, limit) {
      const newest = selectMembers(db, tenant, id).orderBy('alerts.firstEventAt', 'desc').orderBy('alerts.id', 'desc')
      const rows = await newest.limit(limit).execute()
      return rows.map(parseAlertRow)
    },
    async findGrouped(tenant, alertIds) {
      const selecting = db.selectFrom('incidentAlerts').select('alertId').where('tenantId', '=', tenant)
      const rows = alertIds.length === 0 ? [] : await selecting.where('alertId', 'in', alertIds).execute()
      return new Set(rows.map(({ alertId }) => alertId))
    },
    findJoinable: (tenant, entities, range) => findJoinable(db, tenant, entities, range),
    async countActive(tenant) {
      const counting = db.selectFrom('incidents').where('tenantId', '=', tenant).where('status', 'in', [...activeIncidentStatuses])
      return (await counting.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count
    },
    removeOld: (tenant, which) => inTransaction(db, (db) => removeOldIncidents(db, tenant, which)),
  }
}
