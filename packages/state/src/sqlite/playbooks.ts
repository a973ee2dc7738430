import type { Playbook, PlaybookRun } from '@tripline/model/playbooks/playbook'
import type { TenantId } from '@tripline/model/tenant'
import type { Kysely } from 'kysely'
import type { PlaybookStore } from '../ports/playbook-store.ts'
import { compareAndSet } from './query/compare-and-set.ts'
import { inTransaction } from './query/database.ts'
import { parseRunRow } from './rows/playbook-row.ts'
import type { PlaybookRow, PlaybookRunRow } from './rows/playbook-tables.ts'
import type { Tables } from './rows/tables.ts'

/** Stores playbooks and their runs. */
export function playbookStore(db: Kysely<Tables>): PlaybookStore {
  const rowsOf = (tenant: TenantId) => db.selectFrom('playbooks').selectAll().where('tenantId', '=', tenant)
  const runsOf = (tenant: TenantId) => db.selectFrom('playbookRuns').selectAll().where('tenantId', '=', tenant)
  const get = async (tenant: TenantId, id: string) => {
    const row = await rowsOf(tenant).where('id', '=', id).executeTakeFirst()
    return row === undefined ? undefined : parseRow(row)
  }
  return {
    async insert(tenantId, playbook) {
      const inserting = db.insertInto('playbooks').values(toRow(tenantId, playbook)).onConflict((conflict) => conflict.doNothing())
      return (await inserting.executeTakeFirst()).numInsertedOrUpdatedRows === 1n ? 'inserted' : 'taken'
    },
    get,
    async list(tenant) {
      return (await rowsOf(tenant).orderBy('name').execute()).map(parseRow)
    },
    update: (tenant, id, change, terms) => inTransaction(db, async (db) => {
      const { name } = change
      if (name !== undefined) {
        const named = db.selectFrom('playbooks').select('id').where('tenantId', '=', tenant).where('name', '=', name)
        if (await named.where('id', '<>', id).executeTakeFirst() !== undefined) return { outcome: 'taken' }
      }
      return await compareAndSet(terms, {
        read: () => playbookStore(db).get(tenant, id),
        next: (current) => {
          const next = { ...current, ...change }
          return JSON.stringify(next) === JSON.stringify(current) ? current : { ...next, version: current.version + 1, updatedAt: terms.at }
        },
        write: async (next, { version }) => {
          const writing = db.updateTable('playbooks').set(toRow(tenant, next)).where('tenantId', '=', tenant).where('id', '=', id)
          return (await writing.where('version', '=', version).executeTakeFirst()).numUpdatedRows === 1n
        },
      })
    }),
    async remove(tenant, id) {
      const removing = db.deleteFrom('playbooks').where('tenantId', '=', tenant).where('id', '=', id)
      return (await removing.executeTakeFirst()).numDeletedRows === 1n
    },
    insertRun: (tenant, run) => inTransaction(db, async (db) => {
      const inserting = db.insertInto('playbookRuns').values(toRunRow(tenant, run)).onConflict((conflict) => conflict.doNothing())
      if ((await inserting.executeTakeFirst()).numInsertedOrUpdatedRows !== 1n) return 'taken'
      const counting = db.updateTable('playbooks').set((eb) => ({ runsTotal: eb('runsTotal', '+', 1), lastRunAt: run.createdAt }))
      await counting.where('tenantId', '=', tenant).where('id', '=', run.playbookId).execute()
      return 'inserted'
    }),
    async getRun(tenant, id) {
      const row = await runsOf(tenant).where('id', '=', id).executeTakeFirst()
      return row === undefined ? undefined : parseRunRow(row)
    },
    async saveRun(tenant, run) {
      const { status, records, finishedAt } = toRunRow(tenant, run)
      const saving = db.updateTable('playbookRuns').set({ status, records, finishedAt }).where('tenantId', '=', tenant)
      await saving.where('id', '=', run.id).execute()
    },
    async unfinishedRuns(tenant, limit) {
      const unfinished = runsOf(tenant).where('status', '=', 'pending').orderBy('createdAt').orderBy('id').limit(limit)
      return (await unfinished.execute()).map(parseRunRow)
    },
    async runsAbout(tenant, subject, subjectId, limit) {
      const about = runsOf(tenant).where('subjectId', '=', subjectId).where('subject', '=', subject)
      return (await about.orderBy('createdAt').orderBy('id').limit(limit).execute()).map(parseRunRow)
    },
    async removeOldRuns(tenant, { before, limit }) {
      const old = runsOf(tenant).clearSelect().select('id').where('createdAt', '<', before).orderBy('createdAt').limit(limit)
      const ids = (await old.execute()).map(({ id }) => id)
      if (ids.length === 0) return 0
      const removing = db.deleteFrom('playbookRuns').where('tenantId', '=', tenant).where('id', 'in', ids)
      return Number((await removing.executeTakeFirst()).numDeletedRows)
    },
  }
}

function parseRow({ tenantId: _tenant, isAutomatic, steps, isEnabled, lastRunAt, ...row }: PlaybookRow): Playbook {
  return {
    ...row, isAutomatic: isAutomatic === 1, isEnabled: isEnabled === 1, steps: JSON.parse(steps) as Playbook['steps'],
    lastRunAt: lastRunAt === 0 ? undefined : lastRunAt,
  }
}

function toRow(tenantId: TenantId, { isAutomatic, steps, isEnabled, lastRunAt = 0, ...rest }: Playbook): PlaybookRow {
  return { ...rest, tenantId, isAutomatic: Number(isAutomatic), isEnabled: Number(isEnabled), steps: JSON.stringify(steps), lastRunAt }
}

function toRunRow(tenantId: TenantId, { steps, records, finishedAt = 0, ...run }: PlaybookRun): PlaybookRunRow {
  const { id, playbookId, subject, subjectId, requestedBy } = run
  const onceKey = requestedBy === '' ? JSON.stringify([playbookId, subject, subjectId]) : id
  return { ...run, tenantId, onceKey, steps: JSON.stringify(steps), records: JSON.stringify(records), finishedAt }
}
