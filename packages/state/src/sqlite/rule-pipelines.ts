import type { StoredRulePipeline } from '@tripline/model/rule'
import type { Kysely } from 'kysely'
import type { RulePipelineStore } from '../ports/rule-store.ts'
import { compareAndSet } from './query/compare-and-set.ts'
import { inTransaction } from './query/database.ts'
import { requireIntact, takeIntact } from './query/row-checksums.ts'
import type { Tables } from './rows/tables.ts'
import type { RulePipelineRow } from './rows/work-tables.ts'

/** Stores the processing pipelines of tenants. */
export function rulePipelineStore(db: Kysely<Tables>): RulePipelineStore {
  const rowsOf = (tenant: string) => db.selectFrom('rulePipelines').selectAll().where('tenantId', '=', tenant)
  return {
    async insert(tenantId, pipeline) {
      const inserting = db.insertInto('rulePipelines').values({ tenantId, ...toColumns(pipeline) })
      const inserted = await inserting.onConflict((conflict) => conflict.doNothing()).executeTakeFirst()
      return inserted.numInsertedOrUpdatedRows === 1n ? 'inserted' : 'taken'
    },
    async get(tenant, id) {
      const row = requireIntact('rulePipelines', await rowsOf(tenant).where('id', '=', id).executeTakeFirst())
      return row && parseRow(row)
    },
    async list(tenant) {
      const rows = await rowsOf(tenant).orderBy('priority').orderBy('createdAt').orderBy('id').execute()
      return takeIntact('rulePipelines', rows).map(parseRow)
    },
    update: (tenant, id, { by, ...change }, terms) => inTransaction(db, async (db) => {
      const { name } = change
      if (name !== undefined) {
        const named = db.selectFrom('rulePipelines').select('id').where('tenantId', '=', tenant).where('name', '=', name)
        if (await named.where('id', '<>', id).executeTakeFirst() !== undefined) return { outcome: 'taken' }
      }
      return await compareAndSet(terms, {
        read: () => rulePipelineStore(db).get(tenant, id),
        next: (current) => {
          const next = { ...current, ...change }
          const isSame = JSON.stringify(next) === JSON.stringify(current)
          return isSame ? current : { ...next, version: current.version + 1, updatedBy: by, updatedAt: terms.at }
        },
        write: async (next, { version }) => {
          const writing = db.updateTable('rulePipelines').set(toColumns(next)).where('tenantId', '=', tenant).where('id', '=', id)
          return (await writing.where('version', '=', version).executeTakeFirst()).numUpdatedRows === 1n
        },
      })
    }),
    async remove(tenant, id) {
      const removing = db.deleteFrom('rulePipelines').where('tenantId', '=', tenant).where('id', '=', id)
      return (await removing.executeTakeFirst()).numDeletedRows === 1n
    },
  }
}

function toColumns({ isEnabled, ...pipeline }: StoredRulePipeline): Omit<RulePipelineRow, 'tenantId'> {
  return { ...pipeline, isEnabled: Number(isEnabled) }
}

function parseRow({ tenantId: _tenant, isEnabled, ...pipeline }: RulePipelineRow): StoredRulePipeline {
  return { ...pipeline, isEnabled: isEnabled === 1 }
}
