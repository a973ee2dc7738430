import type { ReportSchedule } from '@tripline/model/report-schedule'
import type { Kysely } from 'kysely'
import type { ReportScheduleStore } from '../../ports/report-schedule-store.ts'
import { compareAndSet } from '../query/compare-and-set.ts'
import { inTransaction } from '../query/database.ts'
import { requireIntact, takeIntact } from '../query/row-checksums.ts'
import type { ReportScheduleRow } from '../rows/report-tables.ts'
import type { Tables } from '../rows/tables.ts'

/** Stores the schedules of reports. */
export function reportScheduleStore(db: Kysely<Tables>): ReportScheduleStore {
  const rowsOf = (tenant: string) => db.selectFrom('reportSchedules').selectAll().where('tenantId', '=', tenant)
  const changing = (tenant: string, id: string) => db.updateTable('reportSchedules').where('tenantId', '=', tenant).where('id', '=', id)
  return {
    async insert(tenantId, schedule) {
      const inserting = db.insertInto('reportSchedules').values({ tenantId, ...toColumns(schedule) })
      const inserted = await inserting.onConflict((conflict) => conflict.doNothing()).executeTakeFirst()
      return inserted.numInsertedOrUpdatedRows === 1n ? 'inserted' : 'taken'
    },
    async get(tenant, id) {
      const row = requireIntact('reportSchedules', await rowsOf(tenant).where('id', '=', id).executeTakeFirst())
      return row && parseRow(row)
    },
    async list(tenant) {
      return takeIntact('reportSchedules', await rowsOf(tenant).orderBy('name').execute()).map(parseRow)
    },
    async listEnabled() {
      const enabled = db.selectFrom('reportSchedules').selectAll().where('isEnabled', '=', 1).orderBy('nextRunAt').orderBy('id')
      const rows = takeIntact('reportSchedules', await enabled.execute())
      return rows.map((row) => ({ tenant: row.tenantId, schedule: parseRow(row) }))
    },
    update: (tenant, id, change, terms) => inTransaction(db, async (db) => {
      const { name } = change
      if (name !== undefined) {
        const named = db.selectFrom('reportSchedules').select('id').where('tenantId', '=', tenant).where('name', '=', name)
        if (await named.where('id', '<>', id).executeTakeFirst() !== undefined) return { outcome: 'taken' }
      }
      return await compareAndSet(terms, {
        read: () => reportScheduleStore(db).get(tenant, id),
        next: (current) => {
          const next = { ...current, ...change }
          return JSON.stringify(next) === JSON.stringify(current) ? current : { ...next, version: current.version + 1, updatedAt: terms.at }
        },
        write: async (next, { version }) => {
          const writing = db.updateTable('reportSchedules').set(toColumns(next)).where('tenantId', '=', tenant).where('id', '=', id)
          return (await writing.where('version', '=', version).executeTakeFirst()).numUpdatedRows === 1n
        },
      })
    }),
    async noteRuns(tenant, id, { nextRunAt = null, timezone, lastRunAt = null, lastReportId }) {
      const noting = changing(tenant, id).set({ nextRunAt, timezone, lastRunAt, lastReportId })
      return (await noting.executeTakeFirst()).numUpdatedRows === 1n
    },
    async remove(tenant, id) {
      const removing = db.deleteFrom('reportSchedules').where('tenantId', '=', tenant).where('id', '=', id)
      return (await removing.executeTakeFirst()).numDeletedRows === 1n
    },
  }
}

function toColumns(schedule: ReportSchedule): Omit<ReportScheduleRow, 'tenantId'> {
  const { channelIds, recipients, isEnabled, nextRunAt, lastRunAt, ...rest } = schedule
  return {
    ...rest, channelIds: JSON.stringify(channelIds), recipients: JSON.stringify(recipients), isEnabled: Number(isEnabled),
    nextRunAt: nextRunAt ?? null, lastRunAt: lastRunAt ?? null,
  }
}

function parseRow({ tenantId: _tenant, ...row }: ReportScheduleRow): ReportSchedule {
  const { channelIds, recipients, isEnabled, nextRunAt, lastRunAt, ...rest } = row
  return {
    ...rest, channelIds: JSON.parse(channelIds) as string[], recipients: JSON.parse(recipients) as string[], isEnabled: isEnabled === 1,
    nextRunAt: nextRunAt ?? undefined, lastRunAt: lastRunAt ?? undefined,
  }
}
